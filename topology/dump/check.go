package dump

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// problems collects what is wrong with an input.
type problems struct{ found []error }

// add records that something is wrong. The text has to say what, and what to do.
func (p *problems) add(at, format string, args ...any) {
	const enough = 20
	if len(p.found) > enough {
		return
	}
	text := fmt.Sprintf(format, args...)
	if len(p.found) == enough {
		at, text = "", "more problems of this kind, correct these first"
	}
	if at != "" {
		text = at + ": " + text
	}
	p.found = append(p.found, errors.New(text))
}

func (p *problems) err() error { return errors.Join(p.found...) }

// Check reports every contradiction in the Facts, each with its place if that
// is known, nil if there is none:
//
//   - a CPU twice, or in two cores, sockets, nodes or caches of one kind;
//   - a part without CPUs, or with CPUs that the machine does not have;
//   - two sockets, or two nodes, with one ID;
//   - a core that lies in two clusters, dies, sockets or nodes, and a die or
//     cluster in two sockets;
//   - a cache that holds a part of a core and CPUs outside it. Each thread may
//     have a cache of its own: AMD's Bulldozer family does so;
//   - a distance table that misses a node, has another diagonal than 10, or
//     has a distance below 10 or above 255;
//   - a count of CPUs or nodes that differs from those that the same input names.
//
// Other counts are hearsay, and asymmetric distances are real: they make notes.
func (f *Facts) Check() error {
	p := &problems{}
	f.checkCPUs(p)
	all := f.placed()
	for _, kind := range f.partitions() {
		// Only the top of the hierarchy has numbers of its own: a die's is
		// unique in its socket, a socket's in its book.
		unique := kind.name == "socket" && f.Books == nil
		checkGroups(p, kind.name, *kind.groups, all, unique)
	}
	f.checkNesting(p)
	f.checkCaches(p, all)
	f.checkNodes(p, all)
	f.checkDistances(p)
	f.checkCounts(p)
	var typed CPUSet
	for _, t := range f.CoreTypes {
		checkMembers(p, t.At, "core type "+t.Name, t.CPUs, all)
		if both := typed.Intersect(t.CPUs); len(both) > 0 {
			p.add(t.At, "CPUs %s are in two core types, correct one", both)
		}
		typed = typed.Union(t.CPUs)
	}
	return p.err()
}

// namedGroups is one way to divide the CPUs.
type namedGroups struct {
	name   string // singular
	groups *[]Group
}

// partitions lists the parts of the machine, small ones first.
func (f *Facts) partitions() []namedGroups {
	return []namedGroups{
		{"core", &f.Cores}, {"cluster", &f.Clusters}, {"die", &f.Dies},
		{"socket", &f.Sockets}, {"book", &f.Books}, {"drawer", &f.Drawers},
	}
}

func (f *Facts) at() string {
	if len(f.Sources) > 0 {
		return f.Sources[0].File
	}
	return ""
}

func (f *Facts) checkCPUs(p *problems) {
	for i, c := range f.CPUs {
		switch {
		case c.ID < 0 || c.ID >= maxCPUs:
			p.add(f.at(), "CPU %d is out of range, give numbers from 0 to %d", c.ID, maxCPUs-1)
		case i > 0 && c.ID == f.CPUs[i-1].ID:
			p.add(f.at(), "CPU %d occurs twice, keep one", c.ID)
		case i > 0 && c.ID < f.CPUs[i-1].ID:
			p.add(f.at(), "CPU %d comes after CPU %d, sort them", c.ID, f.CPUs[i-1].ID)
		}
	}
}

// checkMembers reports CPUs that the machine does not have.
func checkMembers(p *problems, at, what string, cpus, all CPUSet) {
	if strange := cpus.Minus(all); len(strange) > 0 {
		p.add(at, "%s names the CPUs %s, which the input does not have among its CPUs %s, correct one of them",
			what, strange, all)
	}
}

func checkGroups(p *problems, name string, groups []Group, all CPUSet, unique bool) {
	owner := make(map[int]int)
	ids := make(map[int]bool)
	for i, g := range groups {
		what := name
		if g.ID != nil {
			what = fmt.Sprintf("%s %d", name, *g.ID)
		}
		if len(g.CPUs) == 0 {
			p.add(g.At, "%s has no CPUs, remove it", what)
		}
		checkMembers(p, g.At, what, g.CPUs, all)
		for _, cpu := range g.CPUs {
			if j, ok := owner[cpu]; ok {
				p.add(g.At, "CPU %d is in two %ss, %s and %s, correct one", cpu, name, groups[j].CPUs, g.CPUs)
				break
			}
			owner[cpu] = i
		}
		if unique && g.ID != nil {
			if ids[*g.ID] {
				p.add(g.At, "%s occurs twice, give each %s a number of its own", what, name)
			}
			ids[*g.ID] = true
		}
	}
}

// checkNesting reports small parts that are cut by large ones.
func (f *Facts) checkNesting(p *problems) {
	inside := func(name string, small []Group, outerName string, outer []Group) {
		owner := make(map[int]int)
		for i, g := range outer {
			for _, cpu := range g.CPUs {
				owner[cpu] = i + 1
			}
		}
		for _, g := range small {
			for _, cpu := range g.CPUs {
				if len(outer) > 0 && owner[cpu] != owner[g.CPUs[0]] {
					p.add(g.At, "the %s with CPUs %s lies in two %ss, correct one of them", name, g.CPUs, outerName)
					break
				}
			}
		}
	}
	var nodes []Group
	for _, n := range f.Nodes {
		nodes = append(nodes, Group{CPUs: n.CPUs})
	}
	for _, outer := range f.partitions()[1:] {
		inside("core", f.Cores, outer.name, *outer.groups)
	}
	inside("core", f.Cores, "node", nodes)
	inside("cluster", f.Clusters, "socket", f.Sockets)
	inside("die", f.Dies, "socket", f.Sockets)
	inside("socket", f.Sockets, "book", f.Books)
}

func (f *Facts) checkCaches(p *problems, all CPUSet) {
	core := make(map[int]CPUSet)
	for _, g := range f.Cores {
		for _, cpu := range g.CPUs {
			core[cpu] = g.CPUs
		}
	}
	owner := make(map[string]CPUSet)
	for _, c := range f.Caches {
		if c.Level < 1 || c.Level > 9 {
			p.add(c.At, "a cache of level %d is impossible, give one from 1 to 9", c.Level)
			continue
		}
		if c.Size != nil && *c.Size <= 0 || c.Total != nil && *c.Total <= 0 {
			p.add(c.At, "the %s cache has a size below 1 byte, correct it", c.Name())
		}
		if c.Instances != nil && c.Count != nil && *c.Count != len(c.Instances) {
			p.add(c.At, "%d %s caches are counted but %d are listed, correct one", *c.Count, c.Name(), len(c.Instances))
		}
		for _, g := range c.Instances {
			checkMembers(p, g.At, "the "+c.Name()+" cache", g.CPUs, all)
			for _, cpu := range g.CPUs {
				key := fmt.Sprint(c.Name(), " ", cpu)
				if other, ok := owner[key]; ok {
					p.add(g.At, "CPU %d is in two %s caches, that of CPUs %s and that of CPUs %s, correct one",
						cpu, c.Name(), other, g.CPUs)
					break
				}
				owner[key] = g.CPUs
				if !core[cpu].within(g.CPUs) && !g.CPUs.within(core[cpu]) && core[cpu] != nil {
					p.add(g.At, "the %s cache of CPUs %s cuts the core of CPUs %s, correct one of them",
						c.Name(), g.CPUs, core[cpu])
					break
				}
			}
		}
	}
}

func (f *Facts) checkNodes(p *problems, all CPUSet) {
	owner := make(map[int]int)
	for i, n := range f.Nodes {
		what := fmt.Sprintf("node %d", n.ID)
		if n.ID < 0 || n.ID >= maxNodes {
			p.add(n.At, "%s is out of range, give numbers from 0 to %d", what, maxNodes-1)
		}
		if i > 0 && n.ID == f.Nodes[i-1].ID {
			p.add(n.At, "%s occurs twice, keep one", what)
		}
		if i > 0 && n.ID < f.Nodes[i-1].ID {
			p.add(n.At, "%s comes after node %d, sort them", what, f.Nodes[i-1].ID)
		}
		if n.MemoryMiB != nil && *n.MemoryMiB < 0 {
			p.add(n.At, "%s has %d MiB of memory, correct it", what, *n.MemoryMiB)
		}
		checkMembers(p, n.At, what, n.CPUs, all)
		for _, cpu := range n.CPUs {
			if other, ok := owner[cpu]; ok {
				p.add(n.At, "CPU %d is in the nodes %d and %d, correct one", cpu, other, n.ID)
				break
			}
			owner[cpu] = n.ID
		}
	}
}

// The kernel has a byte for a distance, and reserves values below 10.
const (
	localDistance = 10
	maxDistance   = 255
)

func (f *Facts) checkDistances(p *problems) {
	d := f.Distances
	if d == nil {
		return
	}
	if !slices.IsSorted(d.Nodes) || len(slices.Compact(slices.Clone(d.Nodes))) != len(d.Nodes) {
		p.add(d.At, "the nodes of the distance table do not ascend, sort them")
	}
	if len(d.Values) != len(d.Nodes) {
		p.add(d.At, "the distance table has %d rows for %d nodes, complete it", len(d.Values), len(d.Nodes))
		return
	}
	for i, row := range d.Values {
		if len(row) != len(d.Nodes) {
			p.add(d.At, "node %d has %d distances for %d nodes, complete the row", d.Nodes[i], len(row), len(d.Nodes))
			continue
		}
		for j, v := range row {
			switch {
			case i == j && v != localDistance:
				p.add(d.At, "node %d has the distance %d to itself, it has to be %d", d.Nodes[i], v, localDistance)
			case v < localDistance || v > maxDistance:
				p.add(d.At, "the distance %d from node %d to node %d is out of range, give one from %d to %d",
					v, d.Nodes[i], d.Nodes[j], localDistance, maxDistance)
			}
		}
	}
	if f.Nodes == nil {
		return
	}
	listed := CPUSet(nil)
	for _, n := range f.Nodes {
		listed = append(listed, n.ID)
		if _, ok := slices.BinarySearch(d.Nodes, n.ID); !ok {
			p.add(d.At, "the distance table has no node %d, complete it", n.ID)
		}
	}
	for _, id := range d.Nodes {
		if !listed.Contains(id) {
			p.add(d.At, "the distance table has a node %d that is not listed, complete the list", id)
		}
	}
}

func (f *Facts) checkCounts(p *problems) {
	if f.merged {
		return // Merge compares the counts of one input with the lists of another
	}
	if n := f.Counts.CPUs; n != nil && len(f.CPUs) > 0 && !f.Partial && *n != len(f.CPUs) {
		p.add(f.at(), "%d CPUs are counted but %d are named (online %s; offline %s), correct one",
			*n, len(f.CPUs), f.CPUIDs(), f.inState(Offline))
	}
	if n := f.Counts.Nodes; n != nil && f.Nodes != nil && !f.Partial && *n != len(f.Nodes) {
		p.add(f.at(), "%d nodes are counted but %d are listed, correct one", *n, len(f.Nodes))
	}
}

// joinSets writes sets as "0-3; 4-7".
func joinSets(groups []Group) string {
	var sets []string
	for _, g := range groups {
		sets = append(sets, g.CPUs.String())
	}
	return strings.Join(sets, "; ")
}
