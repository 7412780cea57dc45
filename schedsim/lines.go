package schedsim

import (
	"fmt"

	"github.com/schedlab/schedlab/topology"
)

// lineLatency holds the one-way latencies of a cache line, ns.
type lineLatency struct {
	smt, l2, llc int64
	// far is by place and place: see cpu.place.
	far    []int64
	places int32
}

// place is what the latency of a line to another last-level cache depends on.
type place struct{ llc, node, socket int }

// buildLines precomputes the latencies between places, so that a look-up is a
// few comparisons and at most one load.
func (s *Sched) buildLines() {
	tr := &s.m.Transfer
	l := &s.line
	l.smt, l.llc = int64(tr.SMTSibling.Value), int64(tr.SameLLC.Value)
	l.l2 = l.llc
	if tr.SameL2.Value > 0 {
		l.l2 = int64(tr.SameL2.Value)
	} else {
		// A shared L2 makes no difference: only a core has one to itself.
		for _, ci := range s.online {
			s.cpus[ci].l2 = s.cpus[ci].core
		}
	}
	s.probeNS = int64(s.cost.ProbeLines * tr.SameLLC.Value)

	places, at := placesOf(s.m)
	for _, ci := range s.online {
		s.cpus[ci].place = at[ci]
	}
	l.places = int32(len(places))
	l.far = make([]int64, 0, len(places)*len(places))
	for _, a := range places {
		for _, b := range places {
			l.far = append(l.far, int64(placeLatency(s.m, a, b).Value))
		}
	}
}

// placesOf returns the places of the online CPUs, and by CPU which one is its.
func placesOf(m *topology.Machine) (places []place, at []int32) {
	index := map[place]int32{}
	at = make([]int32, len(m.CPUs))
	for i := range m.CPUs {
		t := &m.CPUs[i]
		if t.State != topology.Online {
			continue
		}
		p := place{t.LLC, t.Node, t.Socket}
		k, ok := index[p]
		if !ok {
			k = int32(len(places))
			index[p] = k
			places = append(places, p)
		}
		at[i] = k
	}
	return places, at
}

// placeLatency is the latency of a line between two places. Places of one
// socket and node differ in the last-level cache; those of one socket only, such
// as dies of a package, may have a latency for their distance or not; those of
// two sockets always have one.
func placeLatency(m *topology.Machine, a, b place) topology.Quantity {
	tr := &m.Transfer
	switch {
	case a.llc == b.llc:
		return tr.SameLLC
	case a.socket == b.socket && a.node == b.node:
		return tr.SameSocket
	}
	remote, ok := tr.Remote[m.Distances[a.node][b.node]]
	if !ok && a.socket == b.socket {
		return tr.SameSocket
	}
	return remote
}

// checkLines reports a latency that the machine's places need and that it does
// not have.
func checkLines(m *topology.Machine) error {
	places, _ := placesOf(m)
	for _, a := range places {
		for _, b := range places {
			if a == b || placeLatency(m, a, b).Value > 0 {
				continue
			}
			what := fmt.Sprintf("Remote[%d]", m.Distances[a.node][b.node])
			if a.socket == b.socket {
				what = "SameSocket"
			}
			return fmt.Errorf("schedsim: machine %s has no transfer latency from cache %d to %d, give Transfer.%s",
				m.ID, a.llc, b.llc, what)
		}
	}
	return nil
}

// lineNS is the one-way latency of a cache line between two CPUs.
func (s *Sched) lineNS(from, to int32) int64 {
	a, b := &s.cpus[from], &s.cpus[to]
	switch {
	case from == to:
		return 0
	case a.core == b.core:
		return s.line.smt
	case a.l2 == b.l2:
		return s.line.l2
	case a.place == b.place:
		return s.line.llc
	default:
		return s.line.far[a.place*s.line.places+b.place]
	}
}

// transfer returns the stall for pulling lines over from one CPU to another,
// one after another.
func (s *Sched) transfer(from, to int32, lines float64) int64 {
	return int64(lines * float64(s.lineNS(from, to)))
}
