package dump

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Merge joins what several inputs say about one machine, and lists in what they
// differ.
//
// Each field is taken from the input that knows it best. An input that covers
// all CPUs comes before one that covers a part, and among those the order is:
//
//   - cores, clusters, dies, sockets, books, drawers, and which CPUs share a
//     cache: sysfs, hwloc, lscpu -e and -p, /proc/cpuinfo. What the kernel says
//     itself comes first. A summary of lscpu has no places.
//   - sizes of caches: sysfs, hwloc, lscpu -C, the summary, which rounds.
//   - nodes and their CPUs: sysfs, numactl, the summary, lscpu -e and -p, hwloc,
//     which leaves out nodes without memory. A node that the best input lacks is
//     added if it has no CPUs.
//   - memory and distances: sysfs, numactl, hwloc.
//   - frequencies: sysfs, lscpu -e, hwloc, the summary.
//   - types of cores: sysfs, hwloc, the summary. A type gets what others add to
//     it: hwloc has names where sysfs has capacities.
//   - names: the summary, sysfs with /proc/cpuinfo, hwloc, /proc/cpuinfo alone.
//   - totals: those of the summary, as hearsay.
//
// Inputs that name different CPUs, offline and hidden ones aside, cannot be of
// one machine: then, and if the joined Facts do not pass Check, the Facts are
// nil and a Conflict is fatal.
func Merge(facts ...*Facts) (*Facts, []Conflict) {
	m := &merger{out: &Facts{merged: true}}
	for _, f := range facts {
		if !slices.Contains(m.in, f) {
			m.in = append(m.in, f)
		}
	}
	switch len(m.in) {
	case 0:
		return nil, nil
	case 1:
		return m.in[0], nil
	}
	m.sources()
	m.sameCPUs()
	if m.fatal() {
		return nil, m.conflicts
	}
	m.cpus()
	m.names()
	m.counts()
	m.partitions()
	m.caches()
	m.nodes()
	m.distances()
	m.coreTypes()
	m.power()
	if err := m.out.Check(); err != nil {
		m.conflicts = append(m.conflicts, Conflict{
			Field: "consistency", Fatal: true,
			Taken: Claim{"the merged inputs", strings.ReplaceAll(err.Error(), "\n", "; ")},
		})
		return nil, m.conflicts
	}
	m.out.noteCounts()
	m.out.noteSharing()
	return m.out, m.conflicts
}

type merger struct {
	in        []*Facts
	out       *Facts
	conflicts []Conflict
	placed    CPUSet
}

// class is a kind of input with respect to trust.
type class int

const (
	fromSysfs class = iota
	fromHwloc
	fromTable
	fromCaches
	fromSummary
	fromNumactl
	fromCPUInfo
)

func (f Format) class() class {
	switch f {
	case Sysfs:
		return fromSysfs
	case HwlocXML1, HwlocXML2, HwlocXML3:
		return fromHwloc
	case LscpuExtended, LscpuExtJSON, LscpuParse:
		return fromTable
	case LscpuCaches, LscpuCachesJSON:
		return fromCaches
	case LscpuSummary, LscpuJSON:
		return fromSummary
	case Numactl:
		return fromNumactl
	}
	return fromCPUInfo
}

// The orders of trust that the comment of Merge gives.
var (
	trustPlaces = []class{fromSysfs, fromHwloc, fromTable, fromSummary, fromNumactl, fromCPUInfo}
	trustSizes  = []class{fromSysfs, fromHwloc, fromCaches, fromSummary, fromTable, fromCPUInfo}
	trustNodes  = []class{fromSysfs, fromNumactl, fromSummary, fromTable, fromHwloc}
	trustMemory = []class{fromSysfs, fromNumactl, fromHwloc}
	trustMHz    = []class{fromSysfs, fromTable, fromHwloc, fromSummary, fromCPUInfo}
	trustTypes  = []class{fromSysfs, fromHwloc, fromSummary, fromCPUInfo}
	trustNames  = []class{fromSummary, fromSysfs, fromHwloc, fromCPUInfo}
	trustCounts = []class{fromSummary, fromTable, fromSysfs, fromHwloc, fromNumactl, fromCPUInfo}
)

// rank returns the place of an input in an order; of one with several sources,
// the best.
func rank(f *Facts, order []class) int {
	best := len(order)
	for _, s := range f.Sources {
		if i := slices.Index(order, s.Format.class()); i >= 0 {
			best = min(best, i)
		}
	}
	return best
}

// by returns the inputs in an order of trust.
func (m *merger) by(order []class) []*Facts {
	sorted := slices.Clone(m.in)
	slices.SortStableFunc(sorted, func(a, b *Facts) int { return cmp.Compare(rank(a, order), rank(b, order)) })
	return sorted
}

func (m *merger) fatal() bool {
	return slices.ContainsFunc(m.conflicts, func(c Conflict) bool { return c.Fatal })
}

// conflict records a difference between two inputs.
func (m *merger) conflict(field string, taken *Facts, value string, left *Facts, other string) {
	m.conflicts = append(m.conflicts, Conflict{
		Field: field, Taken: Claim{source(taken), value}, Left: Claim{source(left), other},
	})
}

func source(f *Facts) string {
	var names []string
	for _, s := range f.Sources {
		names = append(names, s.String())
	}
	return strings.Join(names, " + ")
}

func (m *merger) sources() {
	for _, f := range m.in {
		for _, s := range f.Sources {
			if !slices.Contains(m.out.Sources, s) {
				m.out.Sources = append(m.out.Sources, s)
			}
		}
		for _, n := range f.Notes {
			m.out.note("", "%s", n)
		}
	}
}

// sameCPUs looks for CPUs that one input has and another, complete one has not.
func (m *merger) sameCPUs() {
	for i, a := range m.in {
		for _, b := range m.in[i+1:] {
			if !sameMachine(a, b) || !sameMachine(b, a) {
				m.conflicts = append(m.conflicts, Conflict{
					Field: "CPUs", Fatal: true,
					Taken: Claim{source(a), sayCPUs(a)}, Left: Claim{source(b), sayCPUs(b)},
				})
			}
		}
	}
}

// sameMachine tells whether b has all CPUs of a.
func sameMachine(a, b *Facts) bool {
	if len(a.CPUs) == 0 || b.Partial {
		return true
	}
	if len(b.CPUs) == 0 {
		n := b.Counts.CPUs
		return n == nil || a.Partial || *n == len(a.CPUs) || *n == len(a.placed())
	}
	for _, id := range a.placed() {
		if b.cpu(id) == nil {
			return false
		}
	}
	return true
}

func sayCPUs(f *Facts) string {
	if len(f.CPUs) == 0 {
		return fmt.Sprintf("%d", *f.Counts.CPUs)
	}
	text := fmt.Sprintf("%d: %s", len(f.placed()), f.placed())
	if off := f.inState(Offline); len(off) > 0 {
		text += " and offline " + off.String()
	}
	return text
}
