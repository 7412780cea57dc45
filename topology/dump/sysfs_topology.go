package dump

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// topology reads cores, clusters, dies, sockets, books and drawers.
//
// A part is what the kernel's siblings files say. Where the kernel knows no
// sockets, as on POWER7, it numbers them -1 and puts each core into one of its
// own, or has no file; lscpu counts those as sockets.
func (s *sysfs) topology() {
	for _, part := range []struct {
		groups *[]Group
		id     string
		// files are the names of the masks, new ones first.
		files []string
	}{
		{&s.f.Cores, "core_id", []string{"core_cpus", "thread_siblings"}},
		{&s.f.Clusters, "cluster_id", []string{"cluster_cpus"}},
		{&s.f.Dies, "die_id", []string{"die_cpus"}},
		{&s.f.Sockets, "physical_package_id", []string{"package_cpus", "core_siblings"}},
		{&s.f.Books, "book_id", []string{"book_siblings"}},
		{&s.f.Drawers, "drawer_id", []string{"drawer_siblings"}},
	} {
		var groups []Group
		seen := make(map[string]bool)
		for _, cpu := range s.cpus {
			id := s.number(s.cpu(cpu, "topology", part.id))
			// The kernel puts every CPU into a die and a cluster of its own
			// where it knows none; the cluster's number is 65535 then on x86.
			if (part.id == "die_id" || part.id == "cluster_id") && (id == nil || *id == 65535) {
				continue
			}
			for _, file := range part.files {
				mask := s.cpu(cpu, "topology", file)
				set, at, ok := s.set(mask, mask+"_list")
				if !ok {
					continue
				}
				if !set.Contains(cpu) {
					s.add(at, "CPU %d is not in its own set %s, correct it", cpu, set)
				}
				// Every member reports the set. Those who disagree make a
				// set that overlaps, which Check finds.
				if key := set.String(); !seen[key] {
					seen[key] = true
					groups = append(groups, Group{ID: id, CPUs: set, At: at})
				}
				break
			}
		}
		sortGroups(groups)
		if part.id == "physical_package_id" && s.unknownSockets(groups) {
			s.f.note(groups[0].At, "the kernel does not know which socket a CPU is in, so sockets are left out")
			groups = nil
		}
		*part.groups = groups
	}
	s.socketIDs()
}

// unknownSockets tells whether the sockets are made up: they have no number and
// each is one core.
func (s *sysfs) unknownSockets(sockets []Group) bool {
	for _, g := range sockets {
		if g.ID != nil || !slices.ContainsFunc(s.f.Cores, func(c Group) bool { return slices.Equal(c.CPUs, g.CPUs) }) {
			return false
		}
	}
	return len(sockets) > 1
}

// socketIDs drops the numbers of sockets where they repeat, as on Itanium.
func (s *sysfs) socketIDs() {
	seen := make(map[int]bool)
	for _, g := range s.f.Sockets {
		if g.ID != nil && seen[*g.ID] && s.f.Books == nil {
			s.f.note(g.At, "several sockets have the number %d, so the numbers are left out", *g.ID)
			for i := range s.f.Sockets {
				s.f.Sockets[i].ID = nil
			}
			return
		}
		if g.ID != nil {
			seen[*g.ID] = true
		}
	}
}

// caches reads the caches of every CPU.
func (s *sysfs) caches() {
	var t cacheTable
	for _, cpu := range s.cpus {
		for _, index := range s.dirs(s.cpu(cpu, "cache"), indexDir) {
			dir := s.cpu(cpu, "cache", fmt.Sprintf("index%d", index))
			level := s.number(dir + "/level")
			if level == nil {
				continue
			}
			if *level < 1 || *level > 9 {
				s.add(s.at(dir+"/level"), "%d is no level of a cache, give one from 1 to 9", *level)
				continue
			}
			text, _ := s.text(dir + "/type")
			typ := CacheType(strings.ToLower(text))
			switch typ {
			case Data, Instruction, Unified, "":
			default:
				s.add(s.at(dir+"/type"), "%q is no type of a cache, give Data, Instruction or Unified", short(text))
				continue
			}
			var bytes *int64
			if text, ok := s.text(dir + "/size"); ok && text != "" && text != "0K" {
				sz, err := parseSize(text)
				if err != nil {
					s.add(s.at(dir+"/size"), "%v", err)
					continue
				}
				bytes = &sz.bytes
			}
			set, at, ok := s.set(dir+"/shared_cpu_map", dir+"/shared_cpu_list")
			if ok && !set.Contains(cpu) {
				s.add(at, "CPU %d is not in its own set %s, correct it", cpu, set)
			}
			g := Group{ID: s.number(dir + "/id"), CPUs: set, At: at}
			if !ok {
				g = Group{At: s.at(dir)}
			}
			t.add(*level, typ, bytes, g)
		}
	}
	s.f.Caches = t.sorted()
}

// nodes reads NUMA nodes, their memory and their distances.
func (s *sysfs) nodes() {
	ids := s.dirs(s.path("node"), nodeDir)
	online, haveOnline := s.list(s.path("node", "online"))
	rows := make(map[int][]int)
	var where string
	for _, id := range ids {
		if haveOnline && !online.Contains(id) {
			continue
		}
		dir := s.path("node", fmt.Sprintf("node%d", id))
		n := Node{ID: id, At: s.at(dir)}
		if cpus, at, ok := s.nodeCPUs(dir); ok {
			n.CPUs, n.At = cpus, at
		}
		n.MemoryMiB = s.memory(dir + "/meminfo")
		s.f.Nodes = append(s.f.Nodes, n)
		if text, ok := s.text(dir + "/distance"); ok {
			where = s.at(dir + "/distance")
			for _, field := range strings.Fields(text) {
				v, err := parseCount(field)
				if err != nil {
					s.add(where, "%v", err)
					return
				}
				rows[id] = append(rows[id], v)
			}
		}
	}
	if len(rows) == 0 {
		return
	}
	possible, _ := s.list(s.path("node", "possible"))
	d := &Distances{At: where}
	for _, n := range s.f.Nodes {
		d.Nodes = append(d.Nodes, n.ID)
	}
	for _, n := range s.f.Nodes {
		row := rows[n.ID]
		at := s.at(s.path("node", fmt.Sprintf("node%d", n.ID), "distance"))
		switch {
		case len(row) == len(d.Nodes):
		case len(row) > 0 && len(row) == len(possible):
			// The row was written before a node went offline.
			var kept []int
			for i, id := range possible {
				if CPUSet(d.Nodes).Contains(id) {
					kept = append(kept, row[i])
				}
			}
			row = kept
			s.f.note(at, "it has distances to all possible nodes, those to offline nodes are left out")
		default:
			s.add(at, "it has %d distances for %d nodes, copy the whole directory", len(row), len(d.Nodes))
		}
		d.Values = append(d.Values, row)
	}
	s.f.Distances = d
}

// nodeCPUs reads the CPUs of a node. Unlike other sets, this may name CPUs that
// are possible but not present.
func (s *sysfs) nodeCPUs(dir string) (CPUSet, string, bool) {
	for _, file := range []string{"cpulist", "cpumap"} {
		text, ok := s.text(dir + "/" + file)
		if !ok || text == "" && file == "cpumap" {
			continue
		}
		parse := ParseCPUList
		if file == "cpumap" {
			parse = ParseCPUMask
		}
		set, err := parse(text)
		at := s.at(dir + "/" + file)
		if err != nil {
			s.add(at, "%v", err)
			return nil, at, false
		}
		possible, ok := s.list(s.path("cpu", "possible"))
		for _, cpu := range set {
			if s.f.cpu(cpu) == nil && (!ok || !possible.Contains(cpu)) {
				s.add(at, "CPU %d is not among those that are possible, correct one", cpu)
				return nil, at, false
			}
		}
		return set.Intersect(s.cpus), at, true
	}
	return nil, "", false
}

// memory reads the line "Node 1 MemTotal: 67108864 kB".
func (s *sysfs) memory(file string) *int64 {
	text, ok := s.text(file)
	if !ok {
		return nil
	}
	for _, line := range strings.Split(text, "\n") {
		_, value, found := strings.Cut(line, "MemTotal:")
		if !found {
			continue
		}
		fields := strings.Fields(value)
		if len(fields) != 2 || fields[1] != "kB" {
			s.add(s.at(file), "%q is no size in kB, correct it", short(value))
			return nil
		}
		kb, err := strconv.ParseInt(fields[0], 10, 64)
		if err != nil || kb < 0 {
			s.add(s.at(file), "%q is no size in kB, correct it", short(value))
			return nil
		}
		return new(kb >> 10)
	}
	return nil
}
