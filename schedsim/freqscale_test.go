package schedsim

import (
	"testing"
	"time"

	"github.com/schedlab/schedlab/topology"
)

// TestScaleMHz: which clock arch_scale_freq_capacity calls 1024, by architecture
// and version; 0 where there is no frequency invariance.
func TestScaleMHz(t *testing.T) {
	for _, tc := range []struct {
		version, arch, vendor string
		want                  int64
	}{
		{"v5.10", "x86_64", "intel", 3000}, // the four-core turbo
		{"v5.6", "x86_64", "intel", 0},
		{"v4.18", "x86_64", "intel", 0},
		{"v6.1", "x86_64", "intel", 3000},
		{"v5.10", "x86_64", "amd", 0},
		{"v5.11", "x86_64", "amd", 3000},
		{"v5.10", "arm64", "arm", 3600},
		{"v5.10", "ppc64", "ibm", 0},
		{"v5.10", "ppc64le", "ibm", 0},
	} {
		m := scalingMachine(1, 8, 1)
		m.Arch, m.Vendor = tc.arch, tc.vendor
		m.Frequency.Turbo = []topology.TurboBin{{ActiveCores: 2, MHz: 3600}, {ActiveCores: 4, MHz: 3000}, {ActiveCores: 8, MHz: 2500}}
		s := &Sched{m: m, version: versionNumber(tc.version), k: &Kernel{Version: tc.version}}
		if got := s.scaleMHz(); got != tc.want {
			t.Errorf("%s %s %s: %d MHz, want %d", tc.version, tc.arch, tc.vendor, got, tc.want)
		}
	}
}

// TestFreqScale: at the lowest clock load tracking's time runs by the ratio to
// the highest, so that a hog's utilisation grows as slowly; on a machine without
// invariance it does not.
func TestFreqScale(t *testing.T) {
	util := func(vendor string) (scale, util int64) {
		m := scalingMachine(1, 1, 1)
		m.Vendor = vendor
		f := CPUFreq{Governor: "powersave", Driver: "acpi-cpufreq"}
		s := newFreqSched(t, m, &script{tasks: hogs(1)}, f)
		simulate(t, s, 8*time.Millisecond) // to the second tick
		s.cfs[0].avg = schedAvg{lastUpdate: s.clockPelt(0)}
		simulate(t, s, 144*time.Millisecond)
		return s.cpus[0].freqScale, s.cfs[0].avg.util
	}
	// 144 ms at 800/3600 are 32 ms, at which a hog's utilisation is 495.
	if scale, u := util("intel"); scale != 800*1024/3600 || u < 470 || u > 500 {
		t.Errorf("scale %d, utilisation %d, want %d and about 495", scale, u, 800*1024/3600)
	}
	// 144 ms are 4.3 half-lives.
	if scale, u := util("amd"); scale != 1024 || u < 960 || u > 985 {
		t.Errorf("without invariance: scale %d, utilisation %d, want 1024 and about 973", scale, u)
	}
}
