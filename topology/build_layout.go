package topology

import (
	"fmt"
	"slices"
)

// layout places each CPU of a machine whose parts are listed. Nothing is
// placed unless every list is sound.
func (b *builder) layout(m *Machine, l *layoutFile) {
	b.kindAndSource("layout", l.Kind, l.Source)
	m.Numbering = NumberingInfo{Scheme: Listed, Kind: l.Kind, Source: l.Source, Note: l.Note}

	before := len(b.found)
	offline := b.list("layout.offline", l.Offline)
	// The cores say which CPUs there are; until they are known, any goes.
	cores := b.lists("layout.cores", l.Cores)
	n := 0
	for _, set := range append(cores, offline) {
		if len(set) > 0 {
			n = max(n, set[len(set)-1]+1)
		}
	}
	if len(cores) == 0 {
		b.add("layout.cores", "is missing, list the CPUs of each core")
	}
	if len(b.found) > before {
		return
	}
	m.CPUs = make([]CPU, n)
	for id := range m.CPUs {
		m.CPUs[id] = CPU{ID: id, Core: -1, L2: -1, LLC: -1, Node: -1, Socket: -1, Thread: -1, State: Absent}
	}
	for i, set := range cores {
		for thread, id := range set {
			c := &m.CPUs[id]
			if c.State == Online {
				b.add(fmt.Sprintf("layout.cores.%d", i), "CPU %d is also in core %d, list it once", id, c.Core)
			}
			c.State, c.Core, c.Thread, c.Kind = Online, i, thread, 0
		}
	}
	for _, id := range offline {
		if m.CPUs[id].State == Online {
			b.add("layout.offline", "CPU %d is also in core %d, list it once", id, m.CPUs[id].Core)
		}
		m.CPUs[id].State = Offline
	}
	if len(b.found) > before {
		return
	}
	if l.L2s == nil {
		l.L2s = l.Cores
	}
	b.place(m, "layout.l2s", b.partition(m, "layout.l2s", l.L2s), func(c *CPU) *int { return &c.L2 })
	b.place(m, "layout.llcs", b.partition(m, "layout.llcs", l.LLCs), func(c *CPU) *int { return &c.LLC })
	b.place(m, "layout.sockets", b.partition(m, "layout.sockets", l.Sockets), func(c *CPU) *int { return &c.Socket })
	b.nodes(m, l.Nodes)
	b.coreKinds(m, l.Kinds)
	if len(b.found) == before {
		b.nested(m)
	}
}

// list reads a list of CPUs that may be empty.
func (b *builder) list(path, list string) []int {
	if list == "" {
		return nil
	}
	cpus, err := ParseCPUList(list)
	if err != nil {
		b.add(path, "%v", err)
	}
	return cpus
}

// lists reads lists of CPUs, none of which may be empty.
func (b *builder) lists(path string, lists []string) [][]int {
	var sets [][]int
	for i, list := range lists {
		if list == "" {
			b.add(fmt.Sprintf("%s.%d", path, i), "is empty, list its CPUs or remove it")
		}
		sets = append(sets, b.list(fmt.Sprintf("%s.%d", path, i), list))
	}
	return sets
}

// partition reads lists that name CPUs that are online, none twice. CPUs may
// be left out; place reports that where it must not be.
func (b *builder) partition(m *Machine, path string, lists []string) [][]int {
	sets := b.lists(path, lists)
	seen := make([]int, len(m.CPUs))
	for i, set := range sets {
		b.members(m, fmt.Sprintf("%s.%d", path, i), set)
		for _, id := range set {
			if id >= len(m.CPUs) {
				continue
			}
			if seen[id] > 0 {
				b.add(fmt.Sprintf("%s.%d", path, i), "CPU %d is also in list %d, list it once", id, seen[id]-1)
			}
			seen[id] = i + 1
		}
	}
	return sets
}

// members reports CPUs that are not online.
func (b *builder) members(m *Machine, path string, set []int) {
	for _, id := range set {
		if id >= len(m.CPUs) || m.CPUs[id].State != Online {
			b.add(path, "CPU %d is in no core, add it there or remove it here", id)
			return
		}
	}
}

// place sets one index of each CPU, and reports CPUs that no set has.
func (b *builder) place(m *Machine, path string, sets [][]int, index func(*CPU) *int) {
	for i, set := range sets {
		for _, id := range set {
			if id < len(m.CPUs) {
				*index(&m.CPUs[id]) = i
			}
		}
	}
	var missing []int
	for i := range m.CPUs {
		if c := &m.CPUs[i]; c.State == Online && *index(c) < 0 {
			missing = append(missing, c.ID)
		}
	}
	if len(missing) > 0 {
		b.add(path, "CPUs %s are in no list, add them", FormatCPUList(missing))
	}
}

func (b *builder) nodes(m *Machine, nodes []nodeFile) {
	m.NUMANodes = make([]Node, len(nodes))
	lists := make([][]int, len(nodes))
	for i, n := range nodes {
		path := fmt.Sprintf("layout.nodes.%d", i)
		b.nodeID(m, path+".id", i, n.ID)
		if n.MemoryMiB != nil {
			if *n.MemoryMiB < 0 {
				b.add(path+".memory_mib", "%d is no size, give the MiB of the node's memory, 0 for none", *n.MemoryMiB)
			}
			mib := int(*n.MemoryMiB)
			m.NUMANodes[i].MemoryMiB = &mib
		}
		lists[i] = b.list(path+".cpus", n.CPUs)
		b.members(m, path+".cpus", lists[i])
		for j := range i {
			if c := firstCommon(lists[j], lists[i]); c >= 0 {
				b.add(path+".cpus", "CPU %d is also on node %d, list it once", c, nodes[j].ID)
			}
		}
	}
	b.place(m, "layout.nodes", lists, func(c *CPU) *int { return &c.Node })
}

func (b *builder) coreKinds(m *Machine, kinds []kindFile) {
	if kinds == nil {
		return
	}
	var lists []string
	for i, k := range kinds {
		path := fmt.Sprintf("layout.core_kinds.%d", i)
		b.text(path+".name", k.Name)
		if k.Capacity < 0 || k.Capacity > 1024 {
			b.add(path+".capacity", "%d is no capacity, give 1 to 1024, the value of the fastest core, or leave it out", k.Capacity)
		}
		if k.MaxMHz < 0 {
			b.add(path+".max_mhz", "%d is no frequency, give it in MHz or leave it out", k.MaxMHz)
		}
		m.CoreKinds = append(m.CoreKinds, CoreKind{Name: k.Name, Capacity: int(k.Capacity), MaxMHz: int(k.MaxMHz)})
		lists = append(lists, k.CPUs)
	}
	for i := range m.CPUs {
		m.CPUs[i].Kind = -1
	}
	b.place(m, "layout.core_kinds", b.partition(m, "layout.core_kinds", lists), func(c *CPU) *int { return &c.Kind })
}

// firstCommon returns the first CPU that is in both ascending lists, or -1.
func firstCommon(a, b []int) int {
	for _, c := range a {
		if _, ok := slices.BinarySearch(b, c); ok {
			return c
		}
	}
	return -1
}

// nested reports parts that reach over the edge of a larger part.
func (b *builder) nested(m *Machine) {
	for _, c := range m.crossings() {
		b.add("layout."+c.list, "%s, correct one of the lists", c)
	}
}

// crossing is a part of a machine that reaches over the edge of a larger one.
type crossing struct {
	list        string // of the larger parts
	part, whole string
	a, b        int // CPUs that share the part
}

func (c crossing) String() string {
	return fmt.Sprintf("CPUs %d and %d share a %s but no %s", c.a, c.b, c.part, c.whole)
}

// crossings finds such parts, one of each kind. A cache may serve several
// nodes, and a node several sockets.
func (m *Machine) crossings() []crossing {
	var found []crossing
	for _, r := range []struct {
		list, part, whole string
		inner, outer      func(CPU) int
	}{
		{"l2s", "core", "level-2 cache", func(c CPU) int { return c.Core }, func(c CPU) int { return c.L2 }},
		{"llcs", "level-2 cache", "last-level cache", func(c CPU) int { return c.L2 }, func(c CPU) int { return c.LLC }},
		{"sockets", "last-level cache", "socket", func(c CPU) int { return c.LLC }, func(c CPU) int { return c.Socket }},
		{"nodes", "core", "node", func(c CPU) int { return c.Core }, func(c CPU) int { return c.Node }},
	} {
		outer := map[int]CPU{}
		for _, c := range m.CPUs {
			if c.State != Online {
				continue
			}
			first, ok := outer[r.inner(c)]
			if !ok {
				outer[r.inner(c)] = c
			} else if r.outer(first) != r.outer(c) {
				found = append(found, crossing{r.list, r.part, r.whole, first.ID, c.ID})
				break
			}
		}
	}
	return found
}
