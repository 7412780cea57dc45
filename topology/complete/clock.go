package complete

import (
	"math"

	"github.com/schedlab/schedlab/topology"
)

// frequency takes over the limits that the dumps tell, and scales the turbo
// table of the nearest machine to them.
func (b *builder) frequency() {
	m, near := b.m, b.near[0]
	f := &m.Frequency
	var lo, base, hi float64
	if b.f.MinMHz != nil {
		lo = *b.f.MinMHz
	}
	if b.f.MaxMHz != nil {
		hi = *b.f.MaxMHz
	}
	for _, c := range b.f.CPUs {
		if c.MinMHz != nil && (lo == 0 || *c.MinMHz < lo) {
			lo = *c.MinMHz
		}
		if c.BaseMHz != nil {
			base = max(base, *c.BaseMHz)
		}
		if c.MaxMHz != nil {
			hi = max(hi, *c.MaxMHz)
		}
	}
	minOf := func(n *topology.Machine) topology.Quantity { return n.Frequency.MinMHz }
	baseOf := func(n *topology.Machine) topology.Quantity { return n.Frequency.BaseMHz }
	maxOf := func(n *topology.Machine) topology.Quantity { return n.Frequency.MaxMHz }
	f.MinMHz, f.BaseMHz, f.MaxMHz = b.carried(minOf), b.carried(baseOf), b.carried(maxOf)
	if hi > 0 {
		f.MaxMHz = b.measured(hi, "MHz")
		// In proportion, so that the three still ascend.
		scale := hi / maxOf(near).Value
		f.BaseMHz.Value = math.Round(f.BaseMHz.Value * scale)
		f.MinMHz.Value = math.Round(f.MinMHz.Value * scale)
		f.BaseMHz.Note, f.MinMHz.Note = "scaled to the maximum", "scaled to the maximum"
	}
	if base > 0 && base <= f.MaxMHz.Value {
		f.BaseMHz = b.measured(base, "MHz")
	}
	if lo > 0 && lo <= f.BaseMHz.Value {
		f.MinMHz = b.measured(lo, "MHz")
	} else if lo > 0 && lo <= f.MaxMHz.Value {
		f.MinMHz, f.BaseMHz.Value = b.measured(lo, "MHz"), lo
	}
	f.MinMHz.Value = min(f.MinMHz.Value, f.BaseMHz.Value)

	f.TurboInfo = b.from(near, near.Frequency.TurboInfo, func(n *topology.Machine) topology.Quantity { return n.Frequency.TurboInfo })
	f.TurboInfo.Note = "shape of the other machine's table, scaled to this one's maximum and cores"
	f.Turbo = scaledTurbo(near, m.CoresPerSocket(), f.MaxMHz.Value)
	if boost := b.f.Boost; boost != nil && !*boost {
		f.Turbo = []topology.TurboBin{{ActiveCores: m.CoresPerSocket(), MHz: int(f.MaxMHz.Value)}}
		f.TurboInfo.Note = "boost is switched off"
	}
	f.TurboInfo.Value = float64(f.Turbo[len(f.Turbo)-1].MHz)
	b.control()
}

// scaledTurbo is the turbo table of a machine for another number of cores and
// another maximum.
func scaledTurbo(n *topology.Machine, cores int, hi float64) []topology.TurboBin {
	var bins []topology.TurboBin
	for _, bin := range n.Frequency.Turbo {
		active := (bin.ActiveCores*cores + n.CoresPerSocket() - 1) / n.CoresPerSocket()
		mhz := int(math.Round(float64(bin.MHz) * hi / n.Frequency.MaxMHz.Value))
		if k := len(bins); k > 0 && (bins[k-1].ActiveCores == active || bins[k-1].MHz == mhz) {
			bins = bins[:k-1]
		}
		bins = append(bins, topology.TurboBin{ActiveCores: active, MHz: mhz})
	}
	return bins
}

// drivers are the scaling drivers by the names that sysfs gives them.
var drivers = map[string]string{
	"intel_pstate": "intel_pstate", "intel_cpufreq": "intel_pstate",
	"acpi-cpufreq": "acpi-cpufreq", "powernv-cpufreq": "powernv-cpufreq", "cppc_cpufreq": "cppc_cpufreq",
}

// control takes over how the clock is set, from sysfs as far as it tells.
func (b *builder) control() {
	near := b.near[0]
	c := near.Frequency.Control
	c.Kind, c.Source, c.Note = topology.Assumed, b.cite(near), ""
	c.Step = b.carried(func(n *topology.Machine) topology.Quantity { return n.Frequency.Control.Step })
	c.Transition = b.carried(func(n *topology.Machine) topology.Quantity { return n.Frequency.Control.Transition })
	if len(b.f.Scaling) > 0 {
		s := b.f.Scaling[0]
		driver, known := drivers[s.Driver]
		switch {
		case known:
			c.Driver, c.Note = driver, "the driver is read on the machine"
			if driver != "intel_pstate" {
				c.HWP = false
			}
		case s.Driver != "":
			b.m.Notes = append(b.m.Notes, "scaling driver "+s.Driver+" is not modelled, "+c.Driver+" is taken for it")
		}
	}
	if b.f.HWP != nil && c.Driver == "intel_pstate" {
		c.HWP = *b.f.HWP
	}
	b.m.Frequency.Control = c
}
