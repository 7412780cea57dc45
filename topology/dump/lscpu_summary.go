package dump

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// summary turns the entries of lscpu's summary into Facts.
type summary struct {
	*problems
	name    string
	entries []entry
	f       *Facts
	// types are the CPU types: the keys from "Model name" on repeat for each.
	types []CoreType
	masks bool // the CPU lists are masks (-x)
}

func newSummary(name string, format Format, entries []entry) *summary {
	return &summary{&problems{}, name, entries, &Facts{Sources: []Source{{name, format}}}, nil, false}
}

func (s *summary) at(e entry) string { return fmt.Sprintf("%s:%d", s.name, e.line) }

func (s *summary) facts() (*Facts, error) {
	f := s.f
	var model, machineType string
	for _, e := range s.entries {
		switch e.key {
		case keyArch:
			f.Arch = e.value
		case keyVendor:
			if f.Vendor == "" {
				f.Vendor = e.value
			}
		case keyModelName:
			model = collapse(e.value)
			if model == "-" {
				model = ""
			}
			s.types = append(s.types, CoreType{Name: model, At: s.at(e)})
		case keyMachineType:
			machineType = e.value
		case keyFamily:
			f.Family = e.value
		case keyModel:
			f.ModelNumber = e.value
		case keyStepping:
			f.Stepping = e.value
		case keyBoost:
			if on, ok := parseBool(e.value); ok {
				f.Boost = &on
			}
		case keyOnlineMask, keyOfflineMask:
			s.masks = true
		}
	}
	if len(s.types) < 2 {
		f.Model = model
		if model == "" && machineType != "" {
			f.Model = "machine type " + machineType
		}
	} else {
		f.Family, f.ModelNumber, f.Stepping = "", "", ""
	}
	s.counts()
	s.cpus()
	s.nodes()
	s.caches()
	s.foreignArch()
	if len(s.types) > 1 {
		f.CoreTypes = s.types
	}
	if err := s.err(); err != nil {
		return nil, err
	}
	return f.finish()
}

// counts reads totals and frequencies, each for the machine and, once there are
// several CPU types, for the type that it stands below.
func (s *summary) counts() {
	c := &s.f.Counts
	typ := -1
	for _, e := range s.entries {
		if e.key == keyModelName {
			typ++
			continue
		}
		var t *CoreType
		if len(s.types) > 1 && typ >= 0 {
			t = &s.types[typ]
			c = &t.Counts
		}
		switch e.key {
		case keyCPUs:
			s.f.Counts.CPUs = s.count(e)
		case keyNodes:
			s.f.Counts.Nodes = s.count(e)
		case keyThreads:
			c.ThreadsPerCore = s.count(e)
		case keySocketCores:
			c.CoresPerSocket = s.count(e)
		case keyClusterCores:
			c.CoresPerCluster = s.count(e)
		case keyClusters:
			c.Clusters = s.count(e)
		case keySockets:
			c.Sockets = s.count(e)
		case keySocketsPerBook:
			c.SocketsPerBook = s.count(e)
		case keyBooks:
			c.Books = s.count(e)
		case keyBooksPerDrawer:
			c.BooksPerDrawer = s.count(e)
		case keyDrawers:
			c.Drawers = s.count(e)
		case keyMaxMHz:
			if mhz := s.mhz(e); t != nil {
				t.MaxMHz = mhz
			} else {
				s.f.MaxMHz = mhz
			}
		case keyMinMHz:
			if mhz := s.mhz(e); t != nil {
				t.MinMHz = mhz
			} else {
				s.f.MinMHz = mhz
			}
		}
	}
}

// count reads a total. A dash means that lscpu does not know; so does a zero,
// which it prints for a CPU type whose CPUs are all offline (util-linux issue
// 3062).
func (s *summary) count(e entry) *int {
	if e.value == "-" || e.value == "" {
		return nil
	}
	n, err := parseCount(e.value)
	if err != nil {
		s.add(s.at(e), "%s: %v", e.text, err)
		return nil
	}
	if n == 0 {
		s.f.note(s.at(e), "%s is 0, so lscpu does not know it", normalKey(e.text))
		return nil
	}
	return &n
}

func (s *summary) mhz(e entry) *float64 {
	if e.value == "-" || e.value == "" {
		return nil
	}
	v, err := parseMHz(e.value)
	if err != nil {
		s.add(s.at(e), "%s: %v", e.text, err)
	}
	return v
}

// set reads a list or mask of CPUs.
func (s *summary) set(e entry) CPUSet {
	parse := ParseCPUList
	if s.masks {
		parse = ParseCPUMask
		if e.value == "" {
			return CPUSet{}
		}
	}
	set, err := parse(e.value)
	if err != nil {
		s.add(s.at(e), "%s: %v", normalKey(e.text), err)
	}
	return set
}

func (s *summary) cpus() {
	state := make(map[int]State)
	var all CPUSet
	for _, e := range s.entries {
		var st State
		switch e.key {
		case keyOnline, keyOnlineMask:
			st = Online
		case keyOffline, keyOfflineMask:
			st = Offline
		default:
			continue
		}
		for _, cpu := range s.set(e) {
			if other, ok := state[cpu]; ok && other != st {
				s.add(s.at(e), "CPU %d is online and offline, correct one of the lists", cpu)
			}
			state[cpu] = st
			all = append(all, cpu)
		}
	}
	for _, cpu := range newCPUSet(all) {
		s.f.CPUs = append(s.f.CPUs, CPU{ID: cpu, State: state[cpu]})
	}
}

func (s *summary) nodes() {
	known := s.f.CPUIDs()
	for _, e := range s.entries {
		if e.key != keyNodeCPUs {
			continue
		}
		id, err := parseCount(e.arg)
		if err != nil {
			s.add(s.at(e), "%v", err)
			continue
		}
		cpus := s.set(e)
		// s390 lists CPUs that do not exist, other kernels list offline ones.
		if strange := cpus.Minus(known); len(strange) > 0 && len(known) > 0 {
			s.f.note(s.at(e), "node %d lists the CPUs %s, which are not online", id, strange)
			cpus = cpus.Intersect(known)
		}
		s.f.Nodes = append(s.f.Nodes, Node{ID: id, CPUs: cpus, At: s.at(e)})
	}
	sortNodes(s.f.Nodes)
	if len(known) == 0 && s.f.Nodes != nil {
		// An excerpt without the lists of CPUs: the nodes name them.
		var cpus CPUSet
		for _, n := range s.f.Nodes {
			cpus = cpus.Union(n.CPUs)
		}
		for _, cpu := range cpus {
			s.f.CPUs = append(s.f.CPUs, CPU{ID: cpu, State: Unknown})
		}
		s.f.Partial = true
	}
}

var instancesPattern = regexp.MustCompile(`^(.*?)\s*[(（]\D*([0-9]+)\D*[)）]$`)

// caches reads the sizes. lscpu up to 2.33 prints that of one cache, "32K";
// 2.34 to 2.36 print the total, "512 KiB"; later ones add the number of
// instances, and leave it out where the size is of one cache again (the L3 and
// L4 of s390).
func (s *summary) caches() {
	counted := false
	for _, e := range s.entries {
		counted = counted || e.key == keyCache && instancesPattern.MatchString(e.value)
	}
	seen := make(map[string]bool)
	for _, e := range s.entries {
		if e.key != keyCache || e.value == "" || e.value == "-" {
			continue
		}
		if seen[e.arg] {
			s.add(s.at(e), "the %s cache occurs twice, keep one", e.arg)
			continue
		}
		seen[e.arg] = true
		c := namedCache(e.arg)
		c.At = s.at(e)
		text := e.value
		if m := instancesPattern.FindStringSubmatch(e.value); m != nil {
			n, err := strconv.Atoi(m[2])
			if err != nil || n < 1 || n > maxCPUs {
				s.add(c.At, "%q is no number of caches, give one from 1 to %d", short(m[2]), maxCPUs)
				continue
			}
			text, c.Count = m[1], &n
		}
		sz, err := parseSize(text)
		if err != nil {
			s.add(c.At, "%s: %v", normalKey(e.text), err)
			continue
		}
		s.size(&c, sz, counted)
		s.f.Caches = append(s.f.Caches, c)
	}
	sortCaches(s.f.Caches)
}

// size works out what a printed size means.
func (s *summary) size(c *Cache, sz size, counted bool) {
	if sz.bytes == 0 {
		s.add(c.At, "the %s cache has no size, correct it", c.Name())
		return
	}
	switch {
	case c.Count != nil:
		c.Total = &sz.bytes
		// The mean of all instances is the size of each if the machine has
		// one kind of core; a mean that is no whole number of KiB shows that
		// it has not, or that the total is rounded.
		one := (sz.bytes/int64(*c.Count) + 512) >> 10 << 10
		if one == 0 {
			return
		}
		c.Size = &one
		c.Approx = *c.Count > 1 && one*int64(*c.Count) != sz.bytes || *c.Count == 1 && sz.rounded
		if c.Approx {
			s.f.note(c.At, "the size of one %s cache is not certain: the total is rounded, or not all are alike; lscpu -C tells more",
				c.Name())
		}
	case counted || sz.unit && !sz.spaced:
		c.Size = &sz.bytes
		c.Approx = sz.rounded
	default:
		c.Total = &sz.bytes
		s.f.note(c.At, "%s is the total of all %s caches, whose number lscpu 2.34 to 2.36 does not print", strconv.FormatInt(sz.bytes>>10, 10)+" KiB", c.Name())
	}
}

// namedCache returns a cache of the level and type in a name such as L1d.
func namedCache(name string) Cache {
	c := Cache{Level: int(name[1] - '0'), Type: Unified}
	switch {
	case strings.HasSuffix(strings.ToLower(name), "d"):
		c.Type = Data
	case strings.HasSuffix(strings.ToLower(name), "i"):
		c.Type = Instruction
	}
	return c
}

// foreignArch drops the architecture of the machine on which lscpu ran, where
// it read the dump of another one (--sysroot).
func (s *summary) foreignArch() {
	f := s.f
	text := f.Vendor + " " + f.Model + " " + f.ModelNumber
	for _, is := range []struct{ mark, arch string }{
		{"pvr ", "ppc"}, {"POWER", "ppc"}, {"IBM/S390", "s390"}, {"UltraSparc", "sparc"}, {"Cortex-", "a"}, {"Neoverse-", "a"},
		{"GenuineIntel", "x86_64 i686 i586 i386"}, {"AuthenticAMD", "x86_64 i686 i586 i386"},
	} {
		if !strings.Contains(text, is.mark) || f.Arch == "" {
			continue
		}
		for _, arch := range strings.Fields(is.arch) {
			if strings.HasPrefix(f.Arch, arch) {
				return
			}
		}
		f.note(f.at(), "lscpu prints the architecture %s, which is of the machine that it ran on and not of the CPUs", f.Arch)
		f.Arch = ""
	}
}
