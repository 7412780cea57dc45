package picture

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/schedlab/schedlab/reports/plot"
	"github.com/schedlab/schedlab/schedsim/timeline"
	"github.com/schedlab/schedlab/topology"
)

// cpuOrder are the online CPUs of a machine, those that are near each other side by
// side, or some of them in that order.
func cpuOrder(m *topology.Machine, only []int) ([]int, error) {
	order := m.OnlineCPUs()
	for _, cpu := range only {
		if !slices.Contains(order, cpu) {
			return nil, fmt.Errorf("picture: %s has no CPU %d that is online", m.ID, cpu)
		}
	}
	if len(only) > 0 {
		order = slices.DeleteFunc(order, func(cpu int) bool { return !slices.Contains(only, cpu) })
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := &m.CPUs[i], &m.CPUs[j]
		return cmp.Or(cmp.Compare(a.Socket, b.Socket), cmp.Compare(a.Node, b.Node), cmp.Compare(a.LLC, b.LLC),
			cmp.Compare(a.Core, b.Core), cmp.Compare(a.Thread, b.Thread), cmp.Compare(i, j))
	})
	return order, nil
}

// cpuRows names the rows of CPUs, in groups of sockets where all have as many.
func cpuRows(m *topology.Machine, order []int) plot.CPURows {
	r := plot.CPURows{Names: make([]string, len(order))}
	bySocket := make(map[int]int)
	for i, cpu := range order {
		r.Names[i] = strconv.Itoa(cpu)
		bySocket[m.CPUs[cpu].Socket]++
	}
	n := len(order) / len(bySocket)
	for _, have := range bySocket {
		if have != n {
			return r
		}
	}
	if len(bySocket) > 1 {
		r.Group = n
	}
	return r
}

// places are where the CPUs of a machine are.
func places(m *topology.Machine) []timeline.Place {
	out := make([]timeline.Place, len(m.CPUs))
	for i := range m.CPUs {
		c := &m.CPUs[i]
		out[i] = timeline.Place{Core: c.Core, LLC: c.LLC, Node: c.Node, Socket: c.Socket}
	}
	return out
}

// on names what CPUs are on: "CPU, by socket".
func on(r plot.CPURows) string {
	if r.Group > 0 {
		return "CPU, socket by socket"
	}
	return "CPU"
}
