package dump

import (
	"fmt"
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
	seen := make(map[lscpuKey]bool)
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
		case keyCPUs, keyOnline, keyOnlineMask, keyNodes:
			if seen[e.key] && e.value != "" {
				s.add(s.at(e), "%s occurs twice, give one machine a file", normalKey(e.text))
			}
			seen[e.key] = true
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
		// In some languages the key is a bare word such as CPU, which the
		// text around the output may have as well.
		if english, _, _ := strings.Cut(lscpuWords[e.key], "|"); normalKey(e.text) == english {
			s.add(s.at(e), "%s: %v", e.text, err)
		}
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
	listed := 0
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
		if listed += len(cpus); listed > maxListed {
			s.add(s.at(e), "the nodes list more than %d CPUs, correct them", maxListed)
			return
		}
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
