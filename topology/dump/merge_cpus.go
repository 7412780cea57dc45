package dump

import (
	"fmt"
	"math"
)

// cpus joins the CPUs with their states and frequencies.
func (m *merger) cpus() {
	var ids CPUSet
	m.out.Partial = true
	for _, f := range m.in {
		for _, c := range f.CPUs {
			ids = append(ids, c.ID)
		}
		if len(f.CPUs) > 0 && !f.Partial {
			m.out.Partial = false
		}
	}
	ids = newCPUSet(ids)
	if len(ids) == 0 {
		m.out.Partial = false
	}
	states := m.by(trustPlaces)
	told := make(map[string]bool)
	for _, id := range ids {
		c := CPU{ID: id, State: Unknown}
		var from *Facts
		for _, f := range states {
			o := f.cpu(id)
			switch {
			case o == nil:
			case weak(c.State) && (!weak(o.State) || o.State == Hidden):
				c.State, from = o.State, f
			case !weak(c.State) && !weak(o.State) && c.State != o.State && !told[source(f)]:
				told[source(f)] = true
				m.conflict(fmt.Sprintf("state of CPU %d", id), from, string(c.State), f, string(o.State))
			}
		}
		m.out.CPUs = append(m.out.CPUs, c)
	}
	m.placed = m.out.placed()
	m.frequency("lowest MHz", func(c *CPU) **float64 { return &c.MinMHz })
	m.frequency("highest MHz", func(c *CPU) **float64 { return &c.MaxMHz })
	m.frequency("base MHz", func(c *CPU) **float64 { return &c.BaseMHz })
	m.frequency("", func(c *CPU) **float64 { return &c.CurrentMHz })
	for i := range m.out.CPUs {
		c := &m.out.CPUs[i]
		for _, f := range m.by(trustMHz) {
			if o := f.cpu(c.ID); o != nil && c.Capacity == nil {
				c.Capacity = o.Capacity
			}
		}
	}
}

// weak tells whether a state may be overruled by any other.
func weak(s State) bool { return s == Unknown || s == Hidden }

// frequency joins one frequency of all CPUs. Without a name the inputs may
// differ, because it changes all the time. Some inputs round to MHz.
func (m *merger) frequency(name string, field func(*CPU) **float64) {
	told := make(map[*Facts]bool)
	for i := range m.out.CPUs {
		c := &m.out.CPUs[i]
		var from *Facts
		for _, f := range m.by(trustMHz) {
			o := f.cpu(c.ID)
			if o == nil || *field(o) == nil {
				continue
			}
			have, got := *field(c), *field(o)
			switch {
			case have == nil:
				*field(c), from = got, f
			case name != "" && math.Abs(*have-*got) > 1 && !told[f]:
				told[f] = true
				m.conflict(fmt.Sprintf("%s of CPU %d", name, c.ID), from, fmt.Sprint(*have), f, fmt.Sprint(*got))
			}
		}
	}
}
