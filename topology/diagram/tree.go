package diagram

import (
	"fmt"
	"slices"
	"strings"

	"github.com/schedlab/schedlab/topology"
)

// The kinds of parts, which are also the classes of their boxes.
const (
	socketPart = "socket"
	nodePart   = "node"
	llcPart    = "llc"
	l2Part     = "l2"
	corePart   = "core"
)

// part is a box with the boxes inside it.
type part struct {
	kind string
	// index is that of the socket or node; of a core it is the kind of core.
	index    int
	cpus     []int // ascending; of a core in the order of its threads
	children []*part
	// caches says what caches the CPUs of the part share with nobody else:
	// "L3 27.5 MiB".
	caches string
	// shape is equal for parts that differ in nothing but numbers.
	shape int
	// like is the part in whose place this one is not drawn in detail, nil if
	// it is.
	like *part
}

// tree is all parts of a machine.
type tree struct {
	m    *topology.Machine
	tops []*part
	// memory lists the nodes without CPUs, by index; offline the CPUs that
	// are switched off.
	memory, offline []int
	// stray are caches whose CPUs are those of no part.
	stray []string
	// cores names each kind of core that differs, with its caches.
	cores []coreLegend
	// nodesShown tells whether nodes are boxes; they are not where they cut
	// other parts.
	nodesShown bool
}

// coreLegend is a kind of core that the legend explains.
type coreLegend struct {
	kind   int
	caches string
	cores  int
}

// level cuts the machine into parts of one kind.
type level struct {
	kind  string
	index func(topology.CPU) int
}

var (
	socketLevel = level{socketPart, func(c topology.CPU) int { return c.Socket }}
	nodeLevel   = level{nodePart, func(c topology.CPU) int { return c.Node }}
	llcLevel    = level{llcPart, func(c topology.CPU) int { return c.LLC }}
	l2Level     = level{l2Part, func(c topology.CPU) int { return c.L2 }}
	coreLevel   = level{corePart, func(c topology.CPU) int { return c.Core }}
)

// newTree sorts the CPUs of a machine into parts.
func newTree(m *topology.Machine) *tree {
	t := &tree{m: m}
	var online []topology.CPU
	hasCPUs := make([]bool, m.Nodes())
	for _, c := range m.CPUs {
		switch c.State {
		case topology.Online:
			online = append(online, c)
			hasCPUs[c.Node] = true
		case topology.Offline:
			t.offline = append(t.offline, c.ID)
		}
	}
	for i, has := range hasCPUs {
		if !has {
			t.memory = append(t.memory, i)
		}
	}
	levels := nesting(online)
	t.nodesShown = slices.ContainsFunc(levels, func(l level) bool { return l.kind == nodePart })
	t.tops = parts(online, levels)
	t.placeCaches()
	t.lastLevel()
	t.findShapes()
	for _, p := range t.tops {
		t.addCores(p)
	}
	return t
}

// nesting returns the levels from the largest parts to the smallest. Cores are
// inside level-2 caches, those inside last-level caches and those inside
// sockets; nodes may be anywhere between cores and the machine.
func nesting(online []topology.CPU) []level {
	switch {
	case inside(online, nodeLevel, llcLevel) && !inside(online, llcLevel, nodeLevel):
		return []level{socketLevel, llcLevel, nodeLevel, l2Level, coreLevel}
	case inside(online, nodeLevel, socketLevel) && inside(online, llcLevel, nodeLevel):
		return []level{socketLevel, nodeLevel, llcLevel, l2Level, coreLevel}
	case inside(online, socketLevel, nodeLevel):
		return []level{nodeLevel, socketLevel, llcLevel, l2Level, coreLevel}
	}
	return []level{socketLevel, llcLevel, l2Level, coreLevel}
}

// inside tells whether each part of one level lies in one part of another.
func inside(online []topology.CPU, inner, outer level) bool {
	at := map[int]int{}
	for _, c := range online {
		o, ok := at[inner.index(c)]
		if ok && o != outer.index(c) {
			return false
		}
		at[inner.index(c)] = outer.index(c)
	}
	return true
}

// parts cuts CPUs into parts of the first level, and these into parts of the
// others. A cache with one core, or one smaller cache, is not a part of its
// own.
func parts(cpus []topology.CPU, levels []level) []*part {
	var all []*part
	var members [][]topology.CPU
	at := map[int]int{}
	for _, c := range cpus {
		i, ok := at[levels[0].index(c)]
		if !ok {
			i = len(all)
			at[levels[0].index(c)] = i
			all = append(all, &part{kind: levels[0].kind, index: levels[0].index(c)})
			members = append(members, nil)
		}
		all[i].cpus = append(all[i].cpus, c.ID)
		members[i] = append(members[i], c)
	}
	for i, p := range all {
		if p.kind == corePart {
			slices.SortFunc(members[i], func(a, b topology.CPU) int { return a.Thread - b.Thread })
			for j, c := range members[i] {
				p.cpus[j] = c.ID
			}
			p.index = members[i][0].Kind
			continue
		}
		p.children = parts(members[i], levels[1:])
		if only := p.children[0]; len(p.children) == 1 && (p.kind == llcPart || p.kind == l2Part) && only.kind != nodePart {
			all[i] = only
		}
	}
	slices.SortStableFunc(all, func(a, b *part) int { return slices.Min(a.cpus) - slices.Min(b.cpus) })
	return all
}

// placeCaches names each cache in the smallest part that has all its CPUs and
// no others.
func (t *tree) placeCaches() {
	at := map[string]*part{}
	var visit func(p *part)
	visit = func(p *part) {
		list := listOf(p.cpus)
		// A cache is rather a socket's than its only node's.
		if outer := at[list]; outer == nil || outer.kind != socketPart || p.kind != nodePart {
			at[list] = p
		}
		for _, c := range p.children {
			visit(c)
		}
	}
	for _, p := range t.tops {
		visit(p)
	}
	for _, c := range t.m.Caches {
		text := c.Name() + " " + topology.FormatSize(c.SizeKiB)
		var stray []string
		for _, cpus := range t.m.Instances(c) {
			p := at[listOf(cpus)]
			switch {
			case p == nil:
				stray = append(stray, topology.FormatCPUList(cpus))
			case p.caches == "":
				p.caches = text
			default:
				p.caches += ", " + text
			}
		}
		if len(stray) > 0 {
			t.stray = append(t.stray, fmt.Sprintf("%s for each of %s", text, strings.Join(stray, " ")))
		}
	}
}

// lastLevel turns those level-2 caches that are last-level caches as well into
// such. A cluster without a cache stays one.
func (t *tree) lastLevel() {
	last := map[string]bool{}
	for _, c := range t.m.LastLevelCaches() {
		last[topology.FormatCPUList(c.CPUs)] = c.SizeKiB > 0
	}
	var visit func(p *part)
	visit = func(p *part) {
		if p.kind == l2Part && last[listOf(p.cpus)] {
			p.kind = llcPart
		}
		for _, c := range p.children {
			visit(c)
		}
	}
	for _, p := range t.tops {
		visit(p)
	}
}

// listOf writes CPU numbers in any order as an ascending list.
func listOf(cpus []int) string {
	return topology.FormatCPUList(slices.Sorted(slices.Values(cpus)))
}

// addCores notes each kind of core that is not in the legend yet.
func (t *tree) addCores(p *part) {
	if p.kind == corePart {
		i := slices.IndexFunc(t.cores, func(l coreLegend) bool { return l.kind == p.index && l.caches == p.caches })
		if i < 0 {
			i = len(t.cores)
			t.cores = append(t.cores, coreLegend{kind: p.index, caches: p.caches})
		}
		t.cores[i].cores++
	}
	for _, c := range p.children {
		t.addCores(c)
	}
}
