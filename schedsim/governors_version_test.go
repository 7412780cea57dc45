package schedsim_test

import (
	"fmt"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/topology"
)

// governors by the names in testdata/model-version-cpufreq.txt.
var governors = []struct {
	name string
	f    schedsim.CPUFreq
}{
	{"performance", schedsim.CPUFreq{Governor: "performance"}},
	{"intel_pstate-powersave", schedsim.CPUFreq{Governor: "powersave"}},
	{"intel_pstate-powersave-hwp", schedsim.CPUFreq{Governor: "powersave", HWP: "on"}},
	{"intel_cpufreq-powersave", schedsim.CPUFreq{Governor: "powersave", Driver: "intel_cpufreq"}},
	{"intel_cpufreq-schedutil", schedsim.CPUFreq{Governor: "schedutil", Driver: "intel_cpufreq"}},
	{"intel_cpufreq-schedutil-hwp", schedsim.CPUFreq{Governor: "schedutil", Driver: "intel_cpufreq", HWP: "on"}},
	{"intel_cpufreq-ondemand", schedsim.CPUFreq{Governor: "ondemand", Driver: "intel_cpufreq"}},
	{"intel_cpufreq-ondemand-4ms", schedsim.CPUFreq{Governor: "ondemand", Driver: "intel_cpufreq", SamplingRate: 4 * time.Millisecond}},
	{"acpi-cpufreq-ondemand", schedsim.CPUFreq{Governor: "ondemand", Driver: "acpi-cpufreq"}},
}

// governedRuns are one run of tbench and one of random operations under a
// governor, on a machine with turbo bins.
func governedRuns(t testing.TB, f schedsim.CPUFreq) []schedsim.Config {
	m := schedsim.SmallMachine(2, 4, 2)
	m.Frequency.MaxMHz.Value = 3600
	m.Frequency.Turbo = []topology.TurboBin{{ActiveCores: 1, MHz: 3600}, {ActiveCores: 2, MHz: 3200}, {ActiveCores: 4, MHz: 2800}}
	runs := []schedsim.Config{tbench(t, searching), tbench(t, searching)}
	runs[1].Workload = schedsim.RandomWorkload(14)
	for i := range runs {
		runs[i].Machine, runs[i].CPUFreq = m, f
	}
	return runs
}

// TestModelVersionOfGovernors is TestModelVersion for each governor.
func TestModelVersionOfGovernors(t *testing.T) {
	const file = "testdata/model-version-cpufreq.txt"
	got := fmt.Sprintf("ModelVersion %s\n", schedsim.ModelVersion)
	for _, g := range governors {
		for i, load := range []string{"tbench", "mixed"} {
			got += fmt.Sprintf("%s %s %016x\n", g.name, load, result(t, governedRuns(t, g.f)[i]).TraceHash)
		}
	}
	if *schedsim.Update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("runs differ from %s:\n%swant\n%sIf that is meant, change ModelVersion, then run the test with -update.", file, got, want)
	}
}

// TestGovernorsRepeat: the same configuration gives the same run, and two
// governors give two.
func TestGovernorsRepeat(t *testing.T) {
	seen := map[uint64]string{}
	for _, g := range governors {
		a, b := result(t, governedRuns(t, g.f)[0]), result(t, governedRuns(t, g.f)[0])
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%s: two runs differ:\n%+v\n%+v", g.name, a, b)
		}
		if other := seen[a.TraceHash]; other != "" {
			t.Errorf("%s is the same run as %s", g.name, other)
		}
		seen[a.TraceHash] = g.name
	}
}

// TestBusyMHz: the mean clock lies between the lowest and the highest, is that
// of the bins under the governor performance, and is not counted without one.
func TestBusyMHz(t *testing.T) {
	for _, g := range governors {
		r := result(t, governedRuns(t, g.f)[0])
		mhz := r.Counters.BusyMHz()
		if mhz < 799.9 || mhz > 3600 {
			t.Errorf("%s: %.0f MHz", g.name, mhz)
		}
		if idle := r.Counters.IdleNS + r.Counters.C0NS - 16*r.MeasuredNS; idle < -16000 || idle > 16000 {
			t.Errorf("%s: idle time and time in C0 differ from the run by %d ns", g.name, idle)
		}
		if g.name == "performance" && mhz < 2800 || g.name == "intel_cpufreq-powersave" && mhz > 800 {
			t.Errorf("%s: %.0f MHz", g.name, mhz)
		}
	}
	if r := result(t, tbench(t, 4)); r.Counters.BusyMHz() != 0 || r.Counters.FreqChanges != 0 {
		t.Errorf("%.0f MHz without a governor", r.Counters.BusyMHz())
	}
}
