package dump

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// nodes reads NUMA nodes.
//
// The cpuset of a node says what is near, not what Linux lists: an HBM or CXL
// node without CPUs has that of the node beside it. The CPUs go to the node
// with the smallest cpuset, then to DRAM, then to the lowest number; the others
// have none.
func (h *hwloc) nodes() {
	type numa struct {
		Node
		near    CPUSet
		subtype string
		known   bool
	}
	var all []numa
	for _, o := range h.objects {
		if o.kind != "NUMANode" {
			continue
		}
		at := h.at(o.element)
		id := h.index(o)
		if id == nil {
			h.add(at, "the NUMANode has no os_index, write the file again with lstopo --of xml")
			continue
		}
		n := numa{Node: Node{ID: *id, At: at}, subtype: o.attr["subtype"]}
		n.near, n.known = h.members(o)
		if complete, ok := h.set(o.element, "complete_cpuset"); ok && len(n.near) == 0 && len(complete) > 0 {
			n.known = false // its CPUs are all hidden
		}
		if text := o.attr["local_memory"]; text != "" {
			bytes, err := strconv.ParseInt(text, 10, 64)
			if err != nil || bytes < 0 {
				h.add(at, "local_memory %q is no number of bytes, correct it", short(text))
				continue
			}
			n.MemoryMiB = new(bytes >> 20)
		}
		all = append(all, n)
	}
	if h.x86 && len(all) == 1 && all[0].MemoryMiB == nil {
		h.f.note(all[0].At, "hwloc read CPUID only and made up the one NUMA node, so nodes are not known")
		return
	}
	slices.SortStableFunc(all, func(a, b numa) int {
		return cmp.Or(cmp.Compare(len(a.near), len(b.near)),
			cmp.Compare(subtypeRank(a.subtype), subtypeRank(b.subtype)), cmp.Compare(a.ID, b.ID))
	})
	var taken CPUSet
	for _, n := range all {
		if !n.known {
			h.f.Nodes = append(h.f.Nodes, n.Node)
			continue
		}
		n.CPUs = n.near
		if len(n.near.Intersect(taken)) > 0 {
			if !n.near.within(taken) {
				h.add(n.At, "node %d has CPUs %s, a part of which is in another node, correct one", n.ID, n.near)
				return
			}
			n.CPUs = CPUSet{}
			h.f.note(n.At, "node %d lies beside the CPUs %s of other nodes, so it is taken to have none of its own", n.ID, n.near)
		}
		taken = taken.Union(n.CPUs)
		h.f.Nodes = append(h.f.Nodes, n.Node)
	}
	sortNodes(h.f.Nodes)
}

// subtypeRank orders nodes that lie at the same CPUs.
func subtypeRank(subtype string) int {
	switch subtype {
	case "DRAM":
		return 0
	case "":
		return 1
	}
	return 2
}

// distances reads the table of NUMA distances. hwloc holds others as well, of
// sockets or PUs, or made up by the user.
func (h *hwloc) distances() {
	if h.f.Nodes == nil {
		return
	}
	var d *Distances
	if h.version == 1 {
		d = h.distances1()
	} else {
		d = h.distances2()
	}
	if d == nil {
		return
	}
	for _, n := range h.f.Nodes {
		if !slices.Contains(d.Nodes, n.ID) {
			h.f.note(d.At, "the distance table has no node %d, so it is left out", n.ID)
			return
		}
	}
	h.f.Distances = d.sort()
}

// sort puts rows and columns in the order of node numbers.
func (d *Distances) sort() *Distances {
	order := make([]int, len(d.Nodes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return d.Nodes[a] - d.Nodes[b] })
	out := &Distances{At: d.At}
	for _, i := range order {
		out.Nodes = append(out.Nodes, d.Nodes[i])
		var row []int
		for _, j := range order {
			row = append(row, d.Values[i][j])
		}
		out.Values = append(out.Values, row)
	}
	return out
}

// distances1 reads <distances> of version 1. It does not name its objects: they
// are all that lie relative_depth below the object that holds it, in order. The
// values are divided by latency_base.
func (h *hwloc) distances1() *Distances {
	for _, holder := range h.objects {
		for _, e := range holder.children {
			if e.name != "distances" || holder.parent != nil {
				continue
			}
			var nodes []*object
			depth := -1
			for _, o := range h.objects {
				if o.kind == "NUMANode" {
					nodes = append(nodes, o)
					if depth >= 0 && o.depth != depth {
						return nil // levels cannot be told from nesting
					}
					depth = o.depth
				}
			}
			if e.attr["nbobjs"] != strconv.Itoa(len(nodes)) || e.attr["relative_depth"] != strconv.Itoa(depth) {
				continue
			}
			d := &Distances{At: h.at(e)}
			base, err := strconv.ParseFloat(e.attr["latency_base"], 64)
			if err != nil || !(base > 0 && base < 1e6) {
				h.add(d.At, "latency_base %q is no number above 0, correct it", short(e.attr["latency_base"]))
				return nil
			}
			var values []int
			for _, l := range e.children {
				if l.name != "latency" {
					continue
				}
				v, err := strconv.ParseFloat(l.attr["value"], 64)
				if err != nil || !(v > 0 && v < 1e6) {
					h.add(h.at(l), "latency %q is no number above 0, correct it", short(l.attr["value"]))
					return nil
				}
				values = append(values, int(math.Round(v*base)))
			}
			for _, o := range nodes {
				d.Nodes = append(d.Nodes, *h.index(o))
			}
			return h.square(d, values)
		}
	}
	return nil
}

// Bits of the attribute kind of <distances2>.
const (
	distanceFromOS  = 1
	distanceLatency = 4
)

// distances2 reads <distances2> of versions 2 and 3.
func (h *hwloc) distances2() *Distances {
	for _, e := range h.root.children {
		kind, _ := strconv.Atoi(e.attr["kind"])
		if e.name != "distances2" || e.attr["type"] != "NUMANode" || kind&distanceFromOS == 0 || kind&distanceLatency == 0 {
			continue
		}
		d := &Distances{At: h.at(e)}
		var values []int
		for _, c := range e.children {
			for _, field := range strings.Fields(c.text) {
				n, err := parseCount(field)
				switch {
				case c.name != "indexes" && c.name != "u64values":
				case err != nil:
					h.add(h.at(c), "%v", err)
					return nil
				case c.name == "u64values":
					values = append(values, n)
				case e.attr["indexing"] == "gp":
					o := h.byGP[field]
					if o == nil || o.kind != "NUMANode" || h.index(o) == nil {
						h.add(h.at(c), "there is no NUMANode with gp_index %s, correct it", field)
						return nil
					}
					d.Nodes = append(d.Nodes, *h.index(o))
				default:
					d.Nodes = append(d.Nodes, n)
				}
			}
		}
		if e.attr["nbobjs"] != strconv.Itoa(len(d.Nodes)) {
			h.add(d.At, "the table is of %s nodes but names %d, correct one", short(e.attr["nbobjs"]), len(d.Nodes))
			return nil
		}
		return h.square(d, values)
	}
	return nil
}

// square cuts the values into rows.
func (h *hwloc) square(d *Distances, values []int) *Distances {
	n := len(d.Nodes)
	if n == 0 || len(values) != n*n {
		h.add(d.At, "the distance table has %d values for %d nodes, it needs %d", len(values), n, n*n)
		return nil
	}
	for i := range n {
		d.Values = append(d.Values, values[i*n:(i+1)*n])
	}
	return d
}
