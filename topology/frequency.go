package topology

// Frequency describes the clock of the cores.
type Frequency struct {
	MinMHz, BaseMHz, MaxMHz Quantity
	// Turbo is sorted by ActiveCores; TurboInfo says where the table is from.
	// Its Value is the last bin, the frequency with all cores active.
	Turbo     []TurboBin
	TurboInfo Quantity
	Control   FrequencyControl
}

// TurboBin is the highest frequency while at most ActiveCores cores of a
// socket are in C0 or C1.
type TurboBin struct {
	ActiveCores int
	MHz         int
}

// FrequencyControl says how Linux sets the clock of a core on the machine.
type FrequencyControl struct {
	// Driver is Linux' scaling driver: "intel_pstate", "acpi-cpufreq",
	// "powernv-cpufreq", "pseries" (the hypervisor sets the clock) or
	// "cppc_cpufreq".
	Driver string
	// HWP says that the hardware itself moves between the limits that the
	// driver sets (hardware-controlled P-states).
	HWP bool
	// PerCore says that each core has a clock of its own. Otherwise all cores
	// of a socket run at the highest frequency that one of them asks for.
	PerCore bool
	// Kind and Source are those of the three above.
	Kind   Kind
	Source string
	Note   string
	// Step is the distance of neighbouring P-states, MHz.
	Step Quantity
	// Transition is the time from a request to the new clock, ns.
	Transition Quantity
}

// At returns the frequency in MHz of a socket's busy cores while activeCores
// of its cores are active, by the turbo table: the first bin that holds that
// many cores. Fewer than one core counts as one, more than the table lists as
// its last bin. Without a table it is the maximum frequency.
//
// The result is a ceiling: what a governor asks for, power and temperature
// limits and AVX licences are not in it.
func (f Frequency) At(activeCores int) int {
	if len(f.Turbo) == 0 {
		return int(f.MaxMHz.Value)
	}
	for _, bin := range f.Turbo {
		if activeCores <= bin.ActiveCores {
			return bin.MHz
		}
	}
	return f.Turbo[len(f.Turbo)-1].MHz
}
