package topology

import (
	"fmt"
	"slices"
	"strings"
)

const archX86 = "x86_64"

// domainArchs are the architectures that there are levels for.
var domainArchs = []string{archX86, "ppc64", "ppc64le", "arm64"}

// level is one row of the kernel's topology table: a way to cut the machine
// into sets of CPUs. Each online CPU has one span a level.
type level struct {
	name string
	// flags are those that the table gives; newDomain adds the usual ones.
	flags DomainFlags
	// distance is the SLIT distance of a NUMA level, whose spans may overlap,
	// and 0 for any other level.
	distance int
	// part is the span's index for each CPU, -1 for those without one, and
	// spans the CPUs of each span, ascending.
	part  []int
	spans [][]int
	// asymmetric has the flags of each span that come of cores of different
	// capacity.
	asymmetric []DomainFlags
	// rings has the groups of each span, and at says for each CPU which of
	// them is its own. NUMA levels have none: their groups differ by CPU.
	rings [][][]int
	at    []int
}

func (l *level) span(cpu int) []int { return l.spans[l.part[cpu]] }

// domainBuilder builds the domains of a machine under one kernel.
type domainBuilder struct {
	m      *Machine
	r      *domainRules
	online []int // ascending
	// debug: the kernel was booted with sched_debug. Up to v5.10 it then also
	// looks at the distances from nodes after node 0, and adds a level for
	// each that is larger than all before.
	debug bool
	// table has the lowest level first.
	table []level
	// overlap is what building NUMA groups keeps from CPU to CPU.
	overlap overlapState
}

// newDomainBuilder puts the topology table together.
func newDomainBuilder(m *Machine, r *domainRules, debug bool) (*domainBuilder, error) {
	if len(m.Distances) != m.Nodes() {
		return nil, fmt.Errorf("topology: machine %s has %d nodes but distances for %d, correct one of the two", m.ID, m.Nodes(), len(m.Distances))
	}
	// Machines from files are sound; one that a program made may not be. A
	// cluster may be larger than a last-level cache.
	for _, c := range m.crossings() {
		if c.part == "core" {
			return nil, fmt.Errorf("topology: machine %s: %s, correct its CPUs", m.ID, c)
		}
	}
	b := &domainBuilder{m: m, r: r, online: m.OnlineCPUs(), debug: debug}
	if err := b.addLevels(); err != nil {
		return nil, err
	}
	b.markAsymmetry()
	for i := range b.table {
		if b.table[i].distance == 0 {
			b.linkGroups(i)
		}
	}
	b.overlap.covered = make([]int, len(m.CPUs))
	return b, nil
}

func (b *domainBuilder) addLevels() error {
	var err error
	switch b.m.Arch {
	case archX86:
		b.table = b.x86Levels()
	case "ppc64", "ppc64le":
		b.table = b.powerpcLevels()
	case "arm64":
		if b.table, err = b.arm64Levels(); err != nil || b.r.arm64.flat {
			return err
		}
	default:
		return fmt.Errorf("topology: no sched domains for architecture %q, use a machine of %s", b.m.Arch, strings.Join(domainArchs, ", "))
	}
	if b.r.nodeLevel {
		b.table = append(b.table, b.partition("NODE", 0, byNode))
	}
	for _, d := range b.numaDistances() {
		b.table = append(b.table, b.numaLevel(d))
	}
	return nil
}

// part names one set of a partition. It is two numbers, as most sets lie
// within a node.
type part [2]int

func byCore(c CPU) part { return part{c.Node, c.Core} }
func byL2(c CPU) part   { return part{c.Node, c.L2} }
func byLLC(c CPU) part  { return part{c.Node, c.LLC} }
func byNode(c CPU) part { return part{c.Node, 0} }

// partition is a level whose spans do not overlap.
func (b *domainBuilder) partition(name string, flags DomainFlags, by func(CPU) part) level {
	l := level{name: name, flags: flags, part: slices.Repeat([]int{-1}, len(b.m.CPUs))}
	index := map[part]int{}
	for _, cpu := range b.online {
		key := by(b.m.CPUs[cpu])
		i, ok := index[key]
		if !ok {
			i = len(l.spans)
			index[key] = i
			l.spans = append(l.spans, nil)
		}
		l.part[cpu] = i
		l.spans[i] = append(l.spans[i], cpu)
	}
	return l
}
