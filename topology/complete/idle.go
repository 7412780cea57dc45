package complete

import (
	"strings"

	"github.com/schedlab/schedlab/topology"
)

// idleStates takes over cpuidle's table, or that of the nearest machine. The
// mean exit latency is never in a dump.
func (b *builder) idleStates() {
	for _, table := range b.f.Idle {
		var states []topology.IdleState
		for _, s := range table.States {
			if s.ExitLatency == nil || s.TargetResidency == nil {
				continue
			}
			const ns = 1000 // in a microsecond
			state := topology.IdleState{
				Name:          s.Name,
				ExitLatency:   *s.ExitLatency * ns,
				ExitInfo:      b.measured(float64(*s.ExitLatency*ns), "ns"),
				ResidencyInfo: b.measured(float64(*s.TargetResidency*ns), "ns"),
			}
			state.TargetResidency = *s.TargetResidency * ns
			if k := len(states); k > 0 && (state.ExitLatency <= states[k-1].ExitLatency || state.TargetResidency < states[k-1].TargetResidency) {
				b.m.Notes = append(b.m.Notes, "idle state "+s.Name+" is not deeper than the one before it; it is left out")
				continue
			}
			state.MeanExit = b.meanExit(state)
			states = append(states, state)
		}
		if len(states) > 0 {
			b.m.IdleStates = states
			return
		}
	}
	for _, s := range b.near[0].IdleStates {
		at := func(get func(topology.IdleState) topology.Quantity) func(*topology.Machine) topology.Quantity {
			return func(n *topology.Machine) topology.Quantity {
				if other := stateNamed(n, s.Name); other != nil {
					return get(*other)
				}
				return topology.Quantity{}
			}
		}
		s.ExitInfo = b.from(b.near[0], s.ExitInfo, at(func(s topology.IdleState) topology.Quantity { return s.ExitInfo }))
		s.ResidencyInfo = b.from(b.near[0], s.ResidencyInfo, at(func(s topology.IdleState) topology.Quantity { return s.ResidencyInfo }))
		s.MeanExit = b.from(b.near[0], s.MeanExit, at(func(s topology.IdleState) topology.Quantity { return s.MeanExit }))
		b.m.IdleStates = append(b.m.IdleStates, s)
	}
}

// stateNamed returns the idle state of a machine with a name, nil if it has
// none.
func stateNamed(m *topology.Machine, name string) *topology.IdleState {
	for i := range m.IdleStates {
		if strings.EqualFold(m.IdleStates[i].Name, name) {
			return &m.IdleStates[i]
		}
	}
	return nil
}

// meanExit is the mean exit latency of the state of that name on the nearest
// machine that has one, or else in proportion to the worst case.
func (b *builder) meanExit(s topology.IdleState) topology.Quantity {
	for _, n := range b.near {
		if other := stateNamed(n, s.Name); other != nil && n.Arch == b.m.Arch {
			return b.from(n, other.MeanExit, func(m *topology.Machine) topology.Quantity {
				if o := stateNamed(m, s.Name); o != nil {
					return o.MeanExit
				}
				return topology.Quantity{}
			})
		}
	}
	states := b.near[0].IdleStates
	deepest := states[len(states)-1]
	q := deepest.MeanExit
	if deepest.ExitLatency > 0 {
		q.Value = float64(s.ExitLatency) * deepest.MeanExit.Value / float64(deepest.ExitLatency)
	}
	q.Kind, q.Source, q.Uncertainty = topology.Assumed, b.cite(b.near[0]), 100
	q.Note = "in proportion to the worst case, as " + deepest.Name + " has it"
	return q
}
