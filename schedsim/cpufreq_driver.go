package schedsim

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/schedlab/schedlab/topology"
)

type governor uint8

const (
	governorPerformance governor = iota
	governorPowersave
	governorSchedutil
	governorOndemand
)

var governors = []string{"performance", "powersave", "schedutil", "ondemand"}

// scalingDriver is what a scaling driver of v5.10 lets a governor do.
type scalingDriver struct {
	name   string
	arch   []string
	vendor string // "" for any
	// active: the driver brings its own performance and powersave and takes
	// no other governor.
	active bool
	hwp    bool
	// fastSwitch: a request can be made from scheduler context.
	fastSwitch bool
	// nominal: cpuinfo.max_freq is the nominal frequency. boost: a request
	// for that lets the hardware go above it.
	nominal, boost bool
	// shared: the CPUs that follow one policy.
	shared policySpan
}

type policySpan uint8

const (
	policyCPU   policySpan = iota // a policy a CPU, even if they share a clock
	policyCore                    // the threads of a core
	policyClock                   // all that share a clock
)

// scalingDrivers are as in drivers/cpufreq of v5.10. acpi-cpufreq has a policy a
// CPU where the hardware coordinates them, as on the machines that are modelled.
var scalingDrivers = []scalingDriver{
	{name: "intel_pstate", arch: []string{archX86}, vendor: "intel", active: true, hwp: true},
	{name: "intel_cpufreq", arch: []string{archX86}, vendor: "intel", hwp: true, fastSwitch: true},
	{name: "acpi-cpufreq", arch: []string{archX86}, fastSwitch: true, nominal: true, boost: true},
	{name: "powernv-cpufreq", arch: []string{"ppc64", "ppc64le"}, fastSwitch: true, shared: policyCore},
	{name: "cppc_cpufreq", arch: []string{"arm64", "aarch64"}, nominal: true, shared: policyClock},
}

// scaling is a CPUFreq made definite for a machine.
type scaling struct {
	driver   *scalingDriver
	governor governor
	hwp      bool
}

// resolve fills in what the machine says and refuses what Linux would refuse.
func (f *CPUFreq) resolve(m *topology.Machine) (scaling, error) {
	control := &m.Frequency.Control
	fail := func(format string, args ...any) (scaling, error) {
		return scaling{}, fmt.Errorf("schedsim: Config.CPUFreq on machine %s: %s", m.ID, fmt.Sprintf(format, args...))
	}
	if f.Governor == "" {
		return fail("Driver, HWP or SamplingRate is set without Governor, give one of %s", strings.Join(governors, ", "))
	}
	i := slices.Index(governors, f.Governor)
	if i < 0 {
		return fail("no model of governor %q, use one of %s", f.Governor, strings.Join(governors, ", "))
	}
	name := f.Driver
	if name == "" {
		name = control.Driver
	}
	var fits []string
	var driver *scalingDriver
	for j := range scalingDrivers {
		d := &scalingDrivers[j]
		if slices.Contains(d.arch, m.Arch) && (d.vendor == "" || d.vendor == m.Vendor) {
			fits = append(fits, d.name)
			if d.name == name {
				driver = d
			}
		}
	}
	switch {
	case name == "pseries":
		return fail("the hypervisor sets the clock of a pseries guest, leave CPUFreq zero")
	case name == "":
		return fail("the machine names no driver, give Driver: one of %s", strings.Join(fits, ", "))
	case driver == nil && len(fits) == 0:
		return fail("there is no driver for architecture %q, leave CPUFreq zero", m.Arch)
	case driver == nil:
		return fail("driver %q does not run on %s %s, use one of %s", name, m.Arch, m.Vendor, strings.Join(fits, ", "))
	}
	s := scaling{driver: driver, governor: governor(i), hwp: driver.hwp && control.HWP}
	if driver.active && s.governor > governorPowersave {
		return fail("intel_pstate in active mode has performance and powersave, use Driver intel_cpufreq (intel_pstate=passive) for %s", f.Governor)
	}
	switch {
	case f.HWP == "off":
		s.hwp = false
	case f.HWP == "on" && driver.hwp:
		s.hwp = true
	case f.HWP == "on":
		return fail("driver %s has no HWP, leave HWP empty or use intel_pstate or intel_cpufreq", name)
	case f.HWP != "":
		return fail("HWP is %q, give on, off or nothing", f.HWP)
	}
	switch {
	case f.SamplingRate != 0 && s.governor != governorOndemand:
		return fail("SamplingRate is ondemand's, leave it 0 with governor %s", f.Governor)
	case f.SamplingRate < 0 || f.SamplingRate > time.Second:
		return fail("SamplingRate is %v, give 0 to 1 s", f.SamplingRate)
	}
	return s, checkFrequency(m)
}

// checkFrequency looks at what a machine needs for a governor to move in.
func checkFrequency(m *topology.Machine) error {
	f := &m.Frequency
	lo, hi, step := f.MinMHz.Value, f.MaxMHz.Value, f.Control.Step.Value
	switch {
	case !(lo >= 1 && lo <= hi && hi <= maxMHz):
		return fmt.Errorf("schedsim: machine %s has clocks from %v to %v MHz, give a minimum of 1 or more and a maximum above it", m.ID, lo, hi)
	case !(step >= 1 && step <= maxMHz):
		return fmt.Errorf("schedsim: machine %s has P-states %v MHz apart, give 1 or more", m.ID, step)
	case !(f.Control.Transition.Value >= 0 && f.Control.Transition.Value <= maxCost):
		return fmt.Errorf("schedsim: machine %s changes its clock in %v ns, give 0 to %g", m.ID, f.Control.Transition.Value, maxCost)
	}
	return nil
}

// maxMHz is above every clock; it keeps sums of cycles from overflowing.
const maxMHz = 100e3
