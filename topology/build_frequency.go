package topology

import (
	"fmt"
	"slices"
)

func (b *builder) frequency(m *Machine, f *machineFile) {
	lo := b.quantity("frequency.min", f.Frequency.Min, "MHz")
	base := b.quantity("frequency.base", f.Frequency.Base, "MHz")
	hi := b.quantity("frequency.max", f.Frequency.Max, "MHz")
	if !(0 < lo.Value && lo.Value <= base.Value && base.Value <= hi.Value) && !b.reported("frequency") {
		b.add("frequency", "min %v, base %v, max %v do not ascend from above 0, correct them", lo.Value, base.Value, hi.Value)
	}
	t := f.Frequency.Turbo
	info := b.provenance("frequency.turbo", t.Unit, "MHz", t.Kind, t.Uncertainty, t.Source, t.Note)
	if t.Scope != "socket" {
		b.add("frequency.turbo.scope", "unknown scope %q, write socket", t.Scope)
	}
	cores := m.CoresPerSocket()
	if len(t.Bins) == 0 {
		b.add("frequency.turbo.bins", "is missing, give at least the bin of all %d cores", cores)
		return
	}
	var bins []TurboBin
	for i, bin := range t.Bins {
		path := fmt.Sprintf("frequency.turbo.bins.%d", i)
		switch {
		case bin.ActiveCores < 1 || int(bin.ActiveCores) > cores:
			b.add(path+".active_cores", "%d is out of range, give 1 to %d, the cores of a socket", bin.ActiveCores, cores)
		case i > 0 && bin.ActiveCores <= t.Bins[i-1].ActiveCores:
			b.add(path+".active_cores", "%d follows %d, sort the bins by cores", bin.ActiveCores, t.Bins[i-1].ActiveCores)
		}
		switch {
		case bin.Value < 1 || float64(bin.Value) > hi.Value:
			b.add(path+".value", "%d MHz is out of range, give 1 to frequency.max, %v", bin.Value, hi.Value)
		case i > 0 && bin.Value > t.Bins[i-1].Value:
			b.add(path+".value", "%d MHz with more cores than %d MHz, correct one: more cores never run faster", bin.Value, t.Bins[i-1].Value)
		}
		bins = append(bins, TurboBin{ActiveCores: int(bin.ActiveCores), MHz: int(bin.Value)})
	}
	last := bins[len(bins)-1]
	if last.ActiveCores < cores {
		b.add("frequency.turbo.bins", "end at %d cores, add the bin of all %d", last.ActiveCores, cores)
	}
	info.Value = float64(last.MHz)
	m.Frequency = Frequency{MinMHz: lo, BaseMHz: base, MaxMHz: hi, Turbo: bins, TurboInfo: info,
		Control: b.control(f.Frequency.Control)}
}

// drivers are the scaling drivers that a machine may name.
var drivers = []string{"intel_pstate", "acpi-cpufreq", "powernv-cpufreq", "pseries", "cppc_cpufreq"}

func (b *builder) control(f controlFile) FrequencyControl {
	const path = "frequency.control"
	b.kindAndSource(path, f.Kind, f.Source)
	if !slices.Contains(drivers, f.Driver) {
		b.add(path+".driver", "unknown driver %q, use one of %v", f.Driver, drivers)
	}
	switch {
	case f.HWP == nil:
		b.add(path+".hwp", "is missing, write true if the hardware moves between P-states by itself, false if not")
		return FrequencyControl{}
	case *f.HWP && f.Driver != "intel_pstate":
		b.add(path+".hwp", "is true with %s, correct one of them: only intel_pstate has HWP", f.Driver)
	}
	if f.Clock != "core" && f.Clock != "socket" {
		b.add(path+".clock", "unknown clock %q, write core or socket, whichever has a clock of its own", f.Clock)
	}
	return FrequencyControl{
		Driver: f.Driver, HWP: *f.HWP, PerCore: f.Clock == "core",
		Kind: f.Kind, Source: f.Source, Note: f.Note,
		Step:       b.quantity(path+".step", f.Step, "MHz"),
		Transition: b.quantity(path+".transition", f.Transition, "ns"),
	}
}
