package topology

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// numberingWords says what a scheme does, for somebody who has not seen its
// name.
func (m *Machine) numberingWords() string {
	smt := m.ThreadsPerCore() > 1
	switch m.Numbering.Scheme {
	case ThreadsLast:
		if smt {
			return "one thread of each core first, socket by socket, then the next threads in the same order"
		}
		return "core by core, socket by socket"
	case Adjacent:
		if smt {
			return "the threads of a core one after the other, core by core, socket by socket"
		}
		return "core by core, socket by socket"
	case OddEven:
		if smt {
			return "from socket to socket in turn, one thread of each core first, then the next threads in the same order"
		}
		return "from socket to socket in turn"
	}
	return "no scheme, the place of each CPU is listed"
}

// writeNumbering says in which order the CPUs are numbered and which numbers
// the parts of each size have.
func (m *Machine) writeNumbering(buf *bytes.Buffer) {
	n := m.Numbering
	buf.WriteByte('\n')
	writeWrapped(buf, "CPU numbering: ", "  ", fmt.Sprintf("%s, %s (%s; %s)",
		n.Scheme, m.numberingWords(), n.Kind, sourceAndNote(n.Source, n.Note)))
	t := textTable{align: "lrrl"}
	t.row("part", "number", "CPUs each", "CPUs")
	add := func(name string, sets [][]int) {
		t.row(name, strconv.Itoa(len(sets)), sizes(sets), someSets(sets))
	}
	add("core", m.sets(func(c CPU) int { return c.Core }))
	if m.L2s() < m.Cores() {
		add("L2 or cluster", m.sets(func(c CPU) int { return c.L2 }))
	}
	add("last-level cache", m.sets(func(c CPU) int { return c.LLC }))
	add("node with CPUs", m.sets(func(c CPU) int { return c.Node }))
	add("socket", m.sets(func(c CPU) int { return c.Socket }))
	t.write(buf)
}

// sizes writes how many CPUs each set has: "2", or "1-2" if they differ.
func sizes(sets [][]int) string {
	if len(sets) == 0 {
		return "0"
	}
	lo, hi := len(sets[0]), len(sets[0])
	for _, s := range sets {
		lo, hi = min(lo, len(s)), max(hi, len(s))
	}
	if lo == hi {
		return strconv.Itoa(lo)
	}
	return fmt.Sprintf("%d-%d", lo, hi)
}

// setsWidth is the room for CPU lists in a line.
const setsWidth = 38

// someSets writes all sets if they fit in a line, and otherwise the first few
// and the last.
func someSets(sets [][]int) string {
	lists := make([]string, len(sets))
	for i, s := range sets {
		lists[i] = FormatCPUList(s)
	}
	if all := strings.Join(lists, "  "); len(all) <= setsWidth || len(lists) <= 2 {
		return all
	}
	last := "  ..  " + lists[len(lists)-1]
	first := lists[0]
	for _, l := range lists[1 : len(lists)-1] {
		if len(first)+2+len(l)+len(last) > setsWidth {
			break
		}
		first += "  " + l
	}
	return first + last
}

// writeCoreKinds lists the types of core of a machine that has several.
func (m *Machine) writeCoreKinds(buf *bytes.Buffer) {
	if len(m.CoreKinds) == 0 {
		return
	}
	buf.WriteString("\nCore kinds (cpu_capacity: 1024 is the fastest):\n")
	t := textTable{align: "lrrl"}
	t.row("name", "cpu_capacity", "max MHz", "CPUs")
	for i, k := range m.CoreKinds {
		t.row(k.Name, known(k.Capacity), known(k.MaxMHz), FormatCPUList(m.selectCPUs(func(c CPU) bool { return c.Kind == i })))
	}
	t.write(buf)
}

// known writes a number of which 0 means that it is not known.
func known(n int) string {
	if n == 0 {
		return "?"
	}
	return strconv.Itoa(n)
}

// writeCaches lists the caches by instance, which the summary has in total.
func (m *Machine) writeCaches(buf *bytes.Buffer) {
	buf.WriteString("\nCaches:\n")
	t := textTable{align: "lrrrrll"}
	t.row("name", "size", "instances", "CPUs each", "ns", "from", "shared by")
	for _, c := range m.Caches {
		instances := m.Instances(c)
		shared := c.SharedBy
		if shared == "listed" {
			shared = "CPUs " + someSets(instances)
		}
		latency, from := "", ""
		if c.Latency != (Quantity{}) {
			latency, from = number(c.Latency.Value), howKnown(c.Latency)
		}
		t.row(c.Name(), FormatSize(c.SizeKiB), strconv.Itoa(len(instances)), sizes(instances), latency, from, shared)
	}
	t.write(buf)
}

// LastLevelCache is one last-level cache.
type LastLevelCache struct {
	CPUs    []int // that share it, ascending
	SizeKiB int   // 0 where it is not known
}

// LastLevelCaches returns the last-level caches in the order of their first
// CPUs.
func (m *Machine) LastLevelCaches() []LastLevelCache {
	sizeOf := map[string]int{}
	// Of several caches with the same CPUs the last in the list is the
	// largest.
	for _, c := range m.Caches {
		for _, cpus := range m.Instances(c) {
			sizeOf[FormatCPUList(cpus)] = c.SizeKiB
		}
	}
	var all []LastLevelCache
	for _, cpus := range m.sets(func(c CPU) int { return c.LLC }) {
		all = append(all, LastLevelCache{cpus, sizeOf[FormatCPUList(cpus)]})
	}
	slices.SortFunc(all, func(a, b LastLevelCache) int { return a.CPUs[0] - b.CPUs[0] })
	return all
}
