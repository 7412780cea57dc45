package dump

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// hwloc reads the XML that lstopo writes.
//
// Version 1 nests objects of a few types and NUMA nodes are ancestors of what
// they contain. Versions 2 and 3 hang nodes beside other children, so that only
// their cpuset tells what is near. All versions number CPUs in os_index.
type hwloc struct {
	*problems
	name    string
	version int
	root    *element
	f       *Facts
	placed  CPUSet // CPUs that have a PU
	objects []*object
	byGP    map[string]*object
	listed  int  // CPUs in all objects
	x86     bool // the backend was CPUID alone
}

// object is an <object> with its CPUs and its depth in the tree.
type object struct {
	*element
	kind   string
	depth  int
	parent *object
}

func readHwloc(name string, data []byte) (*Facts, error) {
	root, err := readXML(name, data)
	if err != nil {
		return nil, err
	}
	if root.name != "topology" {
		return nil, fmt.Errorf("%s:%d: the XML is a <%s> and no <topology>, give the output of lstopo --of xml", name, root.line, short(root.name))
	}
	h := &hwloc{problems: &problems{}, name: name, root: root, byGP: make(map[string]*object)}
	format := HwlocXML1
	switch v := root.attr["version"]; {
	case v == "" || strings.HasPrefix(v, "1."):
		h.version = 1
	case strings.HasPrefix(v, "2."):
		h.version, format = 2, HwlocXML2
	case strings.HasPrefix(v, "3."):
		h.version, format = 3, HwlocXML3
	default:
		return nil, fmt.Errorf("%s:%d: version %q of the XML is not known, write it with hwloc 1, 2 or 3", name, root.line, short(v))
	}
	h.f = &Facts{Sources: []Source{{name, format}}}
	for _, e := range root.children {
		if e.name == "object" {
			h.walk(e, nil)
		}
	}
	if len(h.objects) == 0 {
		return nil, fmt.Errorf("%s:%d: the topology has no <object>, copy the whole file", name, root.line)
	}
	h.describe()
	h.cpus()
	if err := h.err(); err != nil {
		return nil, err
	}
	h.groups()
	h.caches()
	h.nodes()
	h.distances()
	h.kinds()
	if err := h.err(); err != nil {
		return nil, err
	}
	return h.f.finish()
}

// walk collects the objects, parents before children, children in order.
func (h *hwloc) walk(e *element, parent *object) {
	o := &object{element: e, kind: e.attr["type"], parent: parent}
	if parent != nil {
		o.depth = parent.depth + 1
	}
	if o.kind == "Socket" { // its name in hwloc 1.0 to 1.10
		o.kind = "Package"
	}
	h.objects = append(h.objects, o)
	if gp := e.attr["gp_index"]; gp != "" {
		if h.byGP[gp] != nil {
			h.add(h.at(e), "gp_index %s occurs twice, keep one", short(gp))
		}
		h.byGP[gp] = o
	}
	for _, c := range e.children {
		if c.name == "object" {
			h.walk(c, o)
		}
	}
}

func (h *hwloc) at(e *element) string { return fmt.Sprintf("%s:%d", h.name, e.line) }

// index reads os_index, nil if it is missing or -1.
func (h *hwloc) index(o *object) *int {
	text := o.attr["os_index"]
	if text == "" || text == "-1" || text == strconv.FormatUint(1<<32-1, 10) {
		return nil
	}
	n, err := parseCount(text)
	if err != nil {
		h.add(h.at(o.element), "os_index: %v", err)
		return nil
	}
	return &n
}

// set reads a bitmap attribute. An infinite one, "0xf...f", is all CPUs.
func (h *hwloc) set(e *element, name string) (CPUSet, bool) {
	text, ok := e.attr[name]
	if !ok || text == "" {
		return nil, false
	}
	if strings.HasPrefix(text, "0xf...f") {
		return slices.Clone(h.placed), true
	}
	set, err := ParseCPUMask(text)
	if err != nil {
		h.add(h.at(e), "%s: %v", name, err)
		return nil, false
	}
	return set, true
}

// describe reads the names of machine and CPU.
func (h *hwloc) describe() {
	f := h.f
	infos := h.root.infos()
	for _, o := range h.objects {
		if o.kind == "Machine" || o.kind == "Package" || o.kind == "System" {
			for k, v := range o.infos() {
				if infos[k] == "" {
					infos[k] = v
				}
			}
		}
	}
	f.Arch = infos["Architecture"]
	f.Vendor = collapse(infos["CPUVendor"])
	f.Model = collapse(infos["CPUModel"])
	f.Family, f.ModelNumber, f.Stepping = infos["CPUFamilyNumber"], infos["CPUModelNumber"], infos["CPUStepping"]
	h.x86 = infos["Backend"] == "x86"
}

// cpus reads the PUs and the CPUs without one.
func (h *hwloc) cpus() {
	root := h.objects[0]
	seen := make(map[int]bool)
	for _, o := range h.objects {
		if o.kind != "PU" {
			continue
		}
		id := h.index(o)
		if id == nil || *id >= maxCPUs {
			h.add(h.at(o.element), "the PU has no os_index below %d, write the file again with lstopo --of xml", maxCPUs)
			continue
		}
		if seen[*id] {
			h.add(h.at(o.element), "PU %d occurs twice, keep one", *id)
			continue
		}
		seen[*id] = true
		h.placed = append(h.placed, *id)
	}
	h.placed = newCPUSet(h.placed)
	if len(h.placed) == 0 {
		h.add(h.at(root.element), "the topology has no PU, write it again without a filter")
		return
	}
	complete, _ := h.set(root.element, "complete_cpuset")
	online, haveOnline := h.set(root.element, "online_cpuset")
	for _, id := range complete.Union(h.placed) {
		c := CPU{ID: id, State: Hidden}
		switch {
		case haveOnline && !online.Contains(id):
			c.State = Offline // hwloc 1 only tells
		case h.placed.Contains(id):
			c.State = Online
		}
		h.f.CPUs = append(h.f.CPUs, c)
	}
	h.placed = h.f.placed()
}

// members returns the CPUs of an object. Offline and hidden ones have no place.
func (h *hwloc) members(o *object) (CPUSet, bool) {
	set, ok := h.set(o.element, "cpuset")
	if !ok {
		return nil, false
	}
	if h.listed += len(set); h.listed > maxListed {
		h.add(h.at(o.element), "the objects list more than %d CPUs, this is no output of lstopo", maxListed)
		return nil, false
	}
	for _, cpu := range set {
		if h.f.cpu(cpu) == nil || h.f.cpu(cpu).State == Hidden {
			h.add(h.at(o.element), "the %s has CPU %d in its cpuset, for which there is no PU, correct one", o.kind, cpu)
			return nil, false
		}
	}
	return set.Intersect(h.placed), true
}

// Kinds of groups in version 2 that say what a group is
// (include/private/private.h of hwloc).
const (
	groupIntelDie     = "104"
	groupS390Book     = "110"
	groupLinuxCluster = "222"
)

// part returns the list that an object belongs to, nil for objects that are no
// part of interest, such as groups that hwloc made up from distances.
func (h *hwloc) part(o *object) *[]Group {
	switch o.kind {
	case "Core":
		return &h.f.Cores
	case "Package":
		return &h.f.Sockets
	case "Die":
		return &h.f.Dies
	case "Group":
		subtype := o.attr["subtype"]
		if subtype == "" {
			subtype = o.infos()["Type"]
		}
		switch kind := o.attr["kind"]; {
		case subtype == "Cluster" || kind == groupLinuxCluster:
			return &h.f.Clusters
		case subtype == "Drawer" || kind == groupS390Book && o.attr["subkind"] == "1":
			return &h.f.Drawers
		case subtype == "Book" || kind == groupS390Book:
			return &h.f.Books
		case subtype == "Die" || kind == groupIntelDie:
			return &h.f.Dies
		}
	}
	return nil
}

func (h *hwloc) groups() {
	for _, o := range h.objects {
		list := h.part(o)
		if list == nil {
			continue
		}
		if set, ok := h.members(o); ok && len(set) > 0 {
			*list = append(*list, Group{ID: h.index(o), CPUs: set, At: h.at(o.element)})
		}
	}
	for _, p := range h.f.partitions() {
		sortGroups(*p.groups)
	}
}
