package dump

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// cpuRecord is what /proc/cpuinfo says about one CPU.
type cpuRecord struct {
	id     int
	line   int
	fields map[string]string
}

var (
	s390Record = regexp.MustCompile(`^processor ([0-9]+)$`)
	s390Type   = regexp.MustCompile(`machine = ([0-9]+)`)
)

// readCPUInfo reads /proc/cpuinfo, which has a paragraph for each online CPU,
// and on some machines one for all.
func readCPUInfo(name string, data []byte) (*Facts, error) {
	p := &problems{}
	var records []cpuRecord
	shared := make(map[string]string) // fields of no CPU
	current := shared
	seen := make(map[int]bool)
	for _, l := range splitLines(data) {
		if strings.TrimSpace(l.text) == "" {
			current = shared
			continue
		}
		key, value, ok := strings.Cut(l.text, ":")
		if !ok {
			continue // flags that a copy has wrapped
		}
		key, value = collapse(key), collapse(value)
		number := ""
		if m := s390Record.FindStringSubmatch(key); m != nil {
			number = m[1]
		} else if key == "processor" {
			number = value
		}
		if number == "" {
			if _, twice := current[key]; !twice {
				current[key] = value
			}
			continue
		}
		at := fmt.Sprintf("%s:%d", name, l.number)
		id, err := parseCPU(number)
		if err != nil {
			p.add(at, "%v", err)
			continue
		}
		if seen[id] {
			// s390 has a second paragraph for each CPU in new kernels, but
			// begins it otherwise.
			p.add(at, "CPU %d occurs twice, keep one", id)
			continue
		}
		seen[id] = true
		current = map[string]string{key: value}
		records = append(records, cpuRecord{id, l.number, current})
	}
	if len(records) == 0 && p.err() == nil {
		p.add(name+":1", "no processor is listed, give the whole of /proc/cpuinfo")
	}
	if err := p.err(); err != nil {
		return nil, err
	}
	c := &cpuInfo{p, name, records, shared, &Facts{Sources: []Source{{name, CPUInfo}}}}
	c.cpus()
	c.describe()
	c.places()
	c.coreTypes()
	c.caches()
	if err := p.err(); err != nil {
		return nil, err
	}
	return c.f.finish()
}

// cpuInfo turns the records into Facts.
type cpuInfo struct {
	*problems
	name    string
	records []cpuRecord
	shared  map[string]string
	f       *Facts
}

func (c *cpuInfo) at(r cpuRecord) string { return fmt.Sprintf("%s:%d", c.name, r.line) }

// get returns the first of the fields that a CPU, or all CPUs, have.
func (c *cpuInfo) get(r cpuRecord, keys ...string) string {
	for _, k := range keys {
		if v := r.fields[k]; v != "" {
			return v
		}
		if v := c.shared[k]; v != "" {
			return v
		}
	}
	return ""
}

func (c *cpuInfo) cpus() {
	byID := make(map[int]CPU)
	var ids []int
	for _, r := range c.records {
		cpu := CPU{ID: r.id, State: Online} // offline ones are not listed
		text := strings.TrimSuffix(c.get(r, "cpu MHz", "clock", "CPU MHz"), "MHz")
		if text != "" {
			var err error
			if cpu.CurrentMHz, err = parseMHz(text); err != nil {
				c.add(c.at(r), "%v", err)
			}
		}
		byID[r.id] = cpu
		ids = append(ids, r.id)
	}
	for _, id := range newCPUSet(ids) {
		c.f.CPUs = append(c.f.CPUs, byID[id])
	}
}

// describe reads names, and concludes the architecture from which fields there
// are.
func (c *cpuInfo) describe() {
	f, r := c.f, c.records[0]
	f.Vendor = c.get(r, "vendor_id", "mvendorid")
	f.Model = c.get(r, "model name", "Model Name", "cpu model")
	f.Family = c.get(r, "cpu family", "CPU Family")
	f.ModelNumber, f.Stepping = c.get(r, "model"), c.get(r, "stepping")
	flags := " " + c.get(r, "flags") + " "
	switch {
	case f.Vendor == "IBM/S390":
		f.Arch = "s390x"
		if m := s390Type.FindStringSubmatch(r.fields["processor "+strconv.Itoa(r.id)]); m != nil {
			f.Model = "machine type " + m[1]
		}
	case c.get(r, "CPU implementer") != "":
		f.Arch = "aarch64"
		if arch := c.get(r, "CPU architecture"); arch != "8" && arch != "AArch64" {
			f.Arch = "arm"
		}
		f.Vendor, f.Model = c.arm(r)
		f.Family, f.ModelNumber, f.Stepping = "", "", armStepping(c.get(r, "CPU variant"), c.get(r, "CPU revision"))
	case strings.Contains(flags, " lm "):
		f.Arch = "x86_64"
	case strings.HasPrefix(c.get(r, "cpu"), "POWER") || c.get(r, "timebase") != "":
		f.Model, f.ModelNumber = c.get(r, "cpu"), c.get(r, "revision")
	case c.get(r, "hart") != "":
		f.Arch = "riscv" + map[bool]string{true: "64", false: "32"}[strings.HasPrefix(c.get(r, "isa"), "rv64")]
		f.Model = c.get(r, "uarch")
	case strings.HasPrefix(f.Model, "Loongson"):
		f.Arch = "loongarch64"
	}
	if flags != "  " && f.Vendor == "GenuineIntel" && !strings.Contains(flags, " hwp ") {
		f.HWP = new(false)
	}
	if size := c.get(r, "cache size"); size != "" {
		f.note(c.at(r), "the cache size %s is of a level that is not told, so it is left out", size)
	}
}

// places groups CPUs by core and socket, which x86 and LoongArch tell.
func (c *cpuInfo) places() {
	var cores, sockets partition
	for _, r := range c.records {
		socket, core := r.fields["physical id"], r.fields["core id"]
		if socket == "" {
			socket, core = r.fields["package"], r.fields["core"]
		}
		if socket == "" {
			return
		}
		n, err := parseCount(socket)
		if err != nil {
			c.add(c.at(r), "physical id: %v", err)
			return
		}
		sockets.add(socket, new(n), r.id, c.at(r))
		if core == "" {
			return
		}
		n, err = parseCount(core)
		if err != nil {
			c.add(c.at(r), "core id: %v", err)
			return
		}
		cores.add(socket+"/"+core, new(n), r.id, c.at(r))
	}
	c.f.Sockets = sockets.sorted()
	groups := cores.sorted()
	if why := c.doubt(groups); why != "" {
		c.f.note(c.name, "%s, so the cores are left out", why)
		return
	}
	c.f.Cores = groups
}

// firstZen is the CPU family of AMD's first Zen.
const firstZen = 23

// doubt tells why CPUs with one core id need not be threads of one core, empty
// if they are.
func (c *cpuInfo) doubt(cores []Group) string {
	family, _ := strconv.Atoi(c.f.Family)
	for _, g := range cores {
		r := c.records[slices.IndexFunc(c.records, func(r cpuRecord) bool { return r.id == g.CPUs[0] })]
		siblings, err := strconv.Atoi(r.fields["siblings"])
		perSocket, err2 := strconv.Atoi(r.fields["cpu cores"])
		switch {
		case len(g.CPUs) == 1:
		case c.f.Vendor == "AuthenticAMD" && family < firstZen:
			return "AMD before Zen numbers the cores of each node from 0"
		case len(g.CPUs) > maxThreads:
			return fmt.Sprintf("%d CPUs have one core id", len(g.CPUs))
		case err == nil && err2 == nil && perSocket > 0 && len(g.CPUs) > (siblings+perSocket-1)/perSocket:
			return fmt.Sprintf("CPUs %s have one core id, but there are %d cores for %d siblings", g.CPUs, perSocket, siblings)
		}
	}
	return ""
}

var s390Cache = regexp.MustCompile(`^level=([1-9]) type=(Data|Instruction|Unified) .*\bsize=([0-9]+K)\b`)

// caches reads the lines cache0, cache1 and so on of s390. They are sizes of one
// cache; the L3 and L4 are in no other file.
func (c *cpuInfo) caches() {
	for i := 0; ; i++ {
		m := s390Cache.FindStringSubmatch(c.shared[fmt.Sprintf("cache%d", i)])
		if m == nil {
			break
		}
		sz, err := parseSize(m[3])
		if err != nil {
			c.add(c.name, "cache%d: %v", i, err)
			return
		}
		c.f.Caches = append(c.f.Caches, Cache{
			Level: int(m[1][0] - '0'), Type: CacheType(strings.ToLower(m[2])), Size: &sz.bytes, At: c.name,
		})
	}
	sortCaches(c.f.Caches)
}

// coreTypes tells kinds of Arm cores by their part numbers.
func (c *cpuInfo) coreTypes() {
	var p partition
	names := make(map[int]string) // by CPU
	for _, r := range c.records {
		if r.fields["CPU part"] == "" {
			return
		}
		vendor, model := c.arm(r)
		names[r.id] = model
		p.add(vendor+"\n"+model, nil, r.id, c.at(r))
	}
	groups := p.sorted()
	if len(groups) < 2 {
		return
	}
	for _, g := range groups {
		c.f.CoreTypes = append(c.f.CoreTypes, CoreType{Name: names[g.CPUs[0]], CPUs: g.CPUs, At: g.At})
	}
	c.f.Model, c.f.Stepping = "", ""
}

// arm names the vendor and core of a CPU of Arm.
func (c *cpuInfo) arm(r cpuRecord) (vendor, model string) {
	implementer, part := c.get(r, "CPU implementer"), c.get(r, "CPU part")
	vendor, model = implementer, part
	id, err := strconv.ParseUint(strings.TrimPrefix(implementer, "0x"), 16, 16)
	if err != nil {
		return vendor, model
	}
	if name, ok := armVendors[int(id)]; ok {
		vendor = name
	}
	if n, err := strconv.ParseUint(strings.TrimPrefix(part, "0x"), 16, 16); err == nil {
		if name, ok := armCores[armID{int(id), int(n)}]; ok {
			model = name
		}
	}
	return vendor, model
}

// armStepping writes variant and revision the way Arm does: "r1p0".
func armStepping(variant, revision string) string {
	v, err := strconv.ParseUint(strings.TrimPrefix(variant, "0x"), 16, 8)
	if _, err2 := strconv.Atoi(revision); err != nil || err2 != nil {
		return ""
	}
	return fmt.Sprintf("r%dp%s", v, revision)
}
