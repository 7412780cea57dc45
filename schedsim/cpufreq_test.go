package schedsim

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/schedlab/schedlab/topology"
)

// scalingMachine is testMachine with clocks from 800 to 3600 MHz, whatever the
// number of active cores.
func scalingMachine(sockets, cores, threads int) *topology.Machine {
	m := testMachine(sockets, cores, threads)
	m.Frequency.MaxMHz.Value = 3600
	return m
}

// Governors of these tests. HWP is off unless it says so.
var (
	performance = CPUFreq{Governor: "performance"}
	active      = CPUFreq{Governor: "powersave"}
	activeHWP   = CPUFreq{Governor: "powersave", HWP: "on"}
	passiveHWP  = CPUFreq{Governor: "schedutil", Driver: "intel_cpufreq", HWP: "on"}
	schedutil   = CPUFreq{Governor: "schedutil", Driver: "intel_cpufreq"}
	ondemand    = CPUFreq{Governor: "ondemand", Driver: "intel_cpufreq", SamplingRate: 4 * time.Millisecond}
)

// newFreqSched builds a simulation of w, all tasks in the root group.
func newFreqSched(t testing.TB, m *topology.Machine, w Workload, f CPUFreq) *Sched {
	t.Helper()
	k := V510(len(m.CPUs))
	k.Autogroup = false
	s, err := newSched(&Config{Machine: m, Kernel: k, Workload: w, Seed: 1, CPUFreq: f})
	if err != nil {
		t.Fatal(err)
	}
	w.Start(s)
	return s
}

// clockMHz is the clock of a CPU.
func (s *Sched) clockMHz(ci int32) int64 {
	return s.freq.clocks[s.freq.clockOf[s.cpus[ci].core]].mhz
}

// TestCPUFreqConfig: what Linux would refuse is an error that says what to do.
func TestCPUFreqConfig(t *testing.T) {
	power, arm, amd, plain := testMachine(1, 2, 1), testMachine(1, 2, 1), testMachine(1, 2, 1), testMachine(1, 2, 1)
	power.Arch, power.Frequency.Control.Driver = "ppc64", "pseries"
	arm.Arch, arm.Frequency.Control.Driver = "arm64", "cppc_cpufreq"
	amd.Vendor, amd.Frequency.Control.Driver = "amd", "acpi-cpufreq"
	plain.Frequency.Control.Driver = ""
	intel := testMachine(1, 2, 1)
	noStep, noMin := testMachine(1, 2, 1), testMachine(1, 2, 1)
	noStep.Frequency.Control.Step.Value = 0
	noMin.Frequency.MinMHz.Value = 0
	for _, tc := range []struct {
		name string
		m    *topology.Machine
		f    CPUFreq
		want string // "" if it is fine
	}{
		{"active", intel, active, ""},
		{"passive", intel, schedutil, ""},
		{"acpi", intel, CPUFreq{Governor: "ondemand", Driver: "acpi-cpufreq"}, ""},
		{"amd", amd, CPUFreq{Governor: "ondemand"}, ""},
		{"arm", arm, CPUFreq{Governor: "schedutil"}, ""},
		{"powernv", power, CPUFreq{Governor: "ondemand", Driver: "powernv-cpufreq"}, ""},
		{"no-governor", intel, CPUFreq{HWP: "on"}, "without Governor"},
		{"unknown-governor", intel, CPUFreq{Governor: "userspace"}, "use one of performance, powersave"},
		{"active-schedutil", intel, CPUFreq{Governor: "schedutil"}, "use Driver intel_cpufreq"},
		{"active-ondemand", intel, CPUFreq{Governor: "ondemand"}, "intel_pstate=passive"},
		{"pseries", power, performance, "hypervisor"},
		{"no-driver", plain, performance, "names no driver"},
		{"driver-of-intel", amd, CPUFreq{Governor: "schedutil", Driver: "intel_cpufreq"}, "use one of acpi-cpufreq"},
		{"driver-of-power", intel, CPUFreq{Governor: "schedutil", Driver: "powernv-cpufreq"}, "use one of intel_pstate"},
		{"hwp-of-amd", amd, CPUFreq{Governor: "schedutil", HWP: "on"}, "has no HWP"},
		{"hwp-perhaps", intel, CPUFreq{Governor: "powersave", HWP: "maybe"}, `"maybe"`},
		{"rate-of-schedutil", intel, CPUFreq{Governor: "schedutil", Driver: "intel_cpufreq", SamplingRate: 1}, "SamplingRate is ondemand's"},
		{"negative-rate", intel, CPUFreq{Governor: "ondemand", Driver: "intel_cpufreq", SamplingRate: -1}, "give 0 to 1 s"},
		{"no-step", noStep, active, "P-states"},
		{"no-minimum", noMin, active, "minimum"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := tc.f.resolve(tc.m)
			if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want %q", err, tc.want)
			}
		})
	}
}

// TestTransitionDelay: cpufreq_policy_transition_delay_us of each driver, and
// the sampling rate that ondemand makes of it.
func TestTransitionDelay(t *testing.T) {
	const us, ms = int64(1000), int64(1000000)
	for _, tc := range []struct {
		driver  string
		hwp     bool
		latency int64
		want    int64
	}{
		{"intel_cpufreq", false, 20 * us, 500 * us},
		{"intel_cpufreq", true, 20 * us, 5 * ms},
		{"acpi-cpufreq", false, 5 * us, 5 * ms},
		{"acpi-cpufreq", false, 20 * us, 10 * ms}, // 20 ms, but for the cap
		{"acpi-cpufreq", false, 0, 1 * ms},
		{"powernv-cpufreq", false, 100 * us, 1 * ms},
		{"cppc_cpufreq", false, 300 * us, 300 * us},
	} {
		sc := scaling{driver: &scalingDriver{name: tc.driver}, hwp: tc.hwp}
		if got := sc.transitionDelay(tc.latency); got != tc.want {
			t.Errorf("%s, HWP %v, latency %d ns: %d ns, want %d", tc.driver, tc.hwp, tc.latency, got, tc.want)
		}
	}
	f := ondemand
	f.SamplingRate = 0
	for hz, want := range map[int]int64{100: 20 * ms, 250: 8 * ms, 1000: 2 * ms} {
		k := V510(1)
		k.HZ = hz
		s, err := newSched(&Config{Machine: testMachine(1, 1, 1), Kernel: k, Workload: &script{tasks: hogs(1)}, CPUFreq: f})
		if err != nil {
			t.Fatal(err)
		}
		if s.freq.delay != want {
			t.Errorf("HZ %d: sampled every %d ns, want %d", hz, s.freq.delay, want)
		}
	}
}

func TestPstate(t *testing.T) {
	f := &cpufreq{minKHz: 800_000, maxKHz: 3_650_000, stepKHz: 100_000}
	for _, tc := range []struct{ kHz, low, high, close int64 }{
		{0, 800, 800, 800},
		{800_000, 800, 800, 800},
		{800_001, 900, 800, 800},
		{850_000, 900, 800, 900},
		{2_149_000, 2200, 2100, 2100},
		{2_151_000, 2200, 2100, 2200},
		{3_600_000, 3600, 3600, 3600},
		{3_601_000, 3650, 3600, 3600},
		{3_650_000, 3650, 3650, 3650},
		{9_000_000, 3650, 3650, 3650},
	} {
		if l, h, c := f.pstate(tc.kHz, relationL), f.pstate(tc.kHz, relationH), f.pstate(tc.kHz, relationC); l != tc.low || h != tc.high || c != tc.close {
			t.Errorf("%d kHz: %d, %d, %d MHz, want %d, %d, %d", tc.kHz, l, h, c, tc.low, tc.high, tc.close)
		}
	}
}

// TestTargetPstate: get_target_pstate by hand, with P-states 8 to 36. A quarter
// on top of 36 is 45.
func TestTargetPstate(t *testing.T) {
	f := &cpufreq{minKHz: 800_000, maxKHz: 3_600_000, stepKHz: 100_000}
	for _, tc := range []struct {
		busy float64
		avg  int64 // MHz
		want int64
	}{
		{1, 800, 36},   // 45, but there are 36
		{.8, 800, 35},  // 45 * 204/256 = 35.8
		{.5, 800, 22},  // 45 * 128/256
		{.5, 2200, 22}, // as it was
		{.5, 3200, 27}, // 22 + (32-22)/2
		{.01, 800, 8},  // the floor
		{.1, 3600, 22}, // 45 * 25/256 = 4.4, at least 8; 8 + (36-8)/2
	} {
		if got := f.targetPstate(int64(tc.busy*1e6), 1e6, tc.avg); got != tc.want {
			t.Errorf("busy %v at %d MHz: P-state %d, want %d", tc.busy, tc.avg, got, tc.want)
		}
	}
}

// TestPerformance: the governor performance is what a run without a governor
// models, when the clock is the same for any number of active cores.
func TestPerformance(t *testing.T) {
	hash := func(f CPUFreq) uint64 {
		s := newFreqSched(t, testMachine(2, 4, 2), newChaos(14, false), f)
		simulate(t, s, 100*time.Millisecond)
		return s.trace.hash
	}
	want := hash(CPUFreq{})
	for _, f := range []CPUFreq{performance, {Governor: "performance", HWP: "on"}, {Governor: "performance", Driver: "intel_cpufreq"}} {
		if hash(f) != want {
			t.Errorf("%+v differs from no governor", f)
		}
	}
	if hash(active) == want {
		t.Error("powersave does not differ")
	}
}

// TestLowLoad: whatever the governor, a task that works for 0.5 % of the time
// runs at the lowest clock, and under the governor performance at the highest.
func TestLowLoad(t *testing.T) {
	for name, f := range map[string]CPUFreq{
		"performance": performance, "active": active, "hwp": activeHWP, "schedutil": schedutil, "ondemand": ondemand,
		"passive-hwp": passiveHWP, "lowest": {Governor: "powersave", Driver: "intel_cpufreq"},
	} {
		t.Run(name, func(t *testing.T) {
			w := &script{tasks: []scripted{{ops: []Op{run(10 * time.Microsecond), sleep(10 * time.Millisecond)}, cpus: pinned(0)}}}
			s := newFreqSched(t, scalingMachine(1, 2, 1), w, f)
			want := int64(800)
			if name == "performance" {
				want = 3600
			}
			simulate(t, s, 100*time.Millisecond) // the very first sample may see nothing but work
			for range 100 {
				simulate(t, s, 10*time.Millisecond)
				if got := s.clockMHz(0); got != want {
					t.Fatalf("%d MHz, want %d", got, want)
				}
			}
		})
	}
}

// ramp returns how long after a hog starts on an idle CPU the clock is up, in
// ms.
func ramp(t *testing.T, m *topology.Machine, f CPUFreq, start time.Duration) float64 {
	w := &script{tasks: []scripted{{ops: []Op{hog()}, cpus: pinned(0), start: start}}}
	s := newFreqSched(t, m, w, f)
	for s.now < bootTime+int64(start)+400e6 {
		s.step()
		if s.clockMHz(0) == s.mhz[0] {
			return float64(s.now-bootTime-int64(start)) / 1e6
		}
	}
	t.Fatalf("%+v: at %d MHz after 400 ms", f, s.clockMHz(0))
	return 0
}

// TestRamp: the time from idle to the highest clock when a task starts.
//
// Governors are called when a period of load tracking is over, at a tick. Its
// clock runs at 800/3600 at first, so that a period of 1 ms takes more than one
// tick of 4 ms: there are up to 8 ms between calls.
//
// intel_pstate's first window has the sleep in it; it ends at a call, and the
// next one 10 ms and up to one call later. ondemand needs one sample to end the
// window with the sleep and one that is busy, and then a kworker that runs 90 us
// at the low clock. HWP's clock grows by a third a millisecond: 6 steps from 800
// to 3600. schedutil follows the utilisation, which grows more slowly at a low
// clock: see rampSchedutil.
func TestRamp(t *testing.T) {
	for _, tc := range []struct {
		name   string
		f      CPUFreq
		lo, hi float64 // ms
	}{
		{"active", active, 10, 26},
		{"hwp", activeHWP, 5, 8},
		{"ondemand-4ms", ondemand, 4, 16.5},
		{"ondemand-default", CPUFreq{Governor: "ondemand", Driver: "intel_cpufreq"}, 8, 24.5},
		{"schedutil", schedutil, rampSchedutil - 8, rampSchedutil + 16},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, start := range []time.Duration{200 * time.Millisecond, 201700 * time.Microsecond, 203900 * time.Microsecond} {
				got := ramp(t, scalingMachine(1, 2, 1), tc.f, start)
				t.Logf("started at %v: %.2f ms", start, got)
				if got < tc.lo || got > tc.hi {
					t.Errorf("started at %v: %.2f ms, want %.1f to %.1f", start, got, tc.lo, tc.hi)
				}
			}
		})
	}
}

// rampSchedutil integrates what schedutil does in floating point: utilisation u
// approaches 1 with a half-life of 32 periods of 1.048576 ms, in time that runs
// at f/3600, and f is 1.25 * 3600 * u, taken up to the next 100 MHz. It is up
// when that is 3600. The task was woken, not forked: u starts at 0. In the model,
// as in the kernel, the scale is that of the last tick.
var rampSchedutil = func() float64 {
	const dt = 0.001 // ms
	u, f, t := 0.0, 800.0, 0.0
	for f < 3600 {
		t += dt
		u += (1 - u) * math.Ln2 / (32 * 1.048576) * dt * f / 3600
		f = min(max(math.Ceil(1.25*3600*u/100)*100, 800), 3600)
	}
	return t
}()
