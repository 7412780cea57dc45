package study

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

// SystemSetting is something about machine and kernel that a study can set in
// its System: what a distribution's configuration, a sysctl or a boot parameter
// sets.
type SystemSetting struct {
	Name, Doc string
	// Values are what it can be set to; a number if there are none.
	Values []string
	// apply sets it. The value is one of Values, or a number.
	apply func(cfg *schedsim.Config, value string, number float64) error
}

var onOff = []string{"on", "off"}

// featureSetting is a setting that is a switch of the kernel.
func featureSetting(name, doc string, field func(k *schedsim.Kernel) *bool) SystemSetting {
	return SystemSetting{Name: name, Doc: doc, Values: onOff,
		apply: func(cfg *schedsim.Config, value string, _ float64) error {
			*field(&cfg.Kernel) = value == "on"
			return nil
		}}
}

// tunableSetting is a setting that is a number of the kernel.
func tunableSetting(name, doc string, field func(k *schedsim.Kernel) *int64) SystemSetting {
	return SystemSetting{Name: name, Doc: doc,
		apply: func(cfg *schedsim.Config, _ string, number float64) error {
			*field(&cfg.Kernel) = int64(number)
			return nil
		}}
}

// systemSettings are all of them. Kernel is set before the patches of an arm are
// applied.
var systemSettings = []SystemSetting{
	featureSetting("autogroup", "CONFIG_SCHED_AUTOGROUP with kernel.sched_autogroup_enabled",
		func(k *schedsim.Kernel) *bool { return &k.Autogroup }),
	{Name: "governor", Doc: "cpufreq governor; without, every core has its turbo clock at once and nothing is counted",
		Values: []string{"performance", "powersave", "schedutil", "ondemand"},
		apply: func(cfg *schedsim.Config, value string, _ float64) error {
			cfg.CPUFreq.Governor = value
			return nil
		}},
	{Name: "driver", Doc: "cpufreq driver, needs a governor; without, the machine's own",
		Values: []string{"intel_pstate", "intel_cpufreq", "acpi-cpufreq"},
		apply: func(cfg *schedsim.Config, value string, _ float64) error {
			cfg.CPUFreq.Driver = value
			return nil
		}},
	{Name: "hwp", Doc: "whether the hardware moves between P-states by itself, needs a governor", Values: onOff,
		apply: func(cfg *schedsim.Config, value string, _ float64) error {
			cfg.CPUFreq.HWP = value
			return nil
		}},
	{Name: "sampling_rate_us", Doc: "sampling_rate of the governor ondemand, needs it; without, the kernel's default",
		apply: func(cfg *schedsim.Config, _ string, number float64) error {
			cfg.CPUFreq.SamplingRate = time.Duration(number) * time.Microsecond
			return nil
		}},
	{Name: "hz", Doc: "CONFIG_HZ, timer interrupts a second",
		apply: func(cfg *schedsim.Config, _ string, number float64) error {
			cfg.Kernel.HZ = int(number)
			return nil
		}},
	{Name: "preempt", Doc: "the kernel's preemption model: with full, newidle balance stops after one task",
		Values: []string{"none", "voluntary", "full"},
		apply: func(cfg *schedsim.Config, value string, _ float64) error {
			cfg.Kernel.NewidlePullsOne = value == "full"
			return nil
		}},
	featureSetting("numa_balancing", "kernel.numa_balancing",
		func(k *schedsim.Kernel) *bool { return &k.NUMABalancing }),
	featureSetting("newidle_balance", "SD_BALANCE_NEWIDLE on every domain",
		func(k *schedsim.Kernel) *bool { return &k.NewidleBalance }),
	featureSetting("load_balance", "periodic and nohz balancing",
		func(k *schedsim.Kernel) *bool { return &k.LoadBalance }),
	featureSetting("wakeup_preemption", "sched_feat WAKEUP_PREEMPTION",
		func(k *schedsim.Kernel) *bool { return &k.WakeupPreemption }),
	featureSetting("ttwu_queue", "sched_feat TTWU_QUEUE",
		func(k *schedsim.Kernel) *bool { return &k.TTWUQueue }),
	featureSetting("wa_idle", "sched_feat WA_IDLE",
		func(k *schedsim.Kernel) *bool { return &k.WAIdle }),
	featureSetting("wa_weight", "sched_feat WA_WEIGHT",
		func(k *schedsim.Kernel) *bool { return &k.WAWeight }),
	featureSetting("run_to_parity", "sched_feat RUN_TO_PARITY",
		func(k *schedsim.Kernel) *bool { return &k.RunToParity }),
	featureSetting("delay_dequeue", "sched_feat DELAY_DEQUEUE",
		func(k *schedsim.Kernel) *bool { return &k.DelayDequeue }),
	tunableSetting("sched_latency_ns", "kernel.sched_latency_ns",
		func(k *schedsim.Kernel) *int64 { return &k.SchedLatency }),
	tunableSetting("sched_min_granularity_ns", "kernel.sched_min_granularity_ns",
		func(k *schedsim.Kernel) *int64 { return &k.SchedMinGranularity }),
	tunableSetting("sched_wakeup_granularity_ns", "kernel.sched_wakeup_granularity_ns",
		func(k *schedsim.Kernel) *int64 { return &k.SchedWakeupGranularity }),
	tunableSetting("sched_migration_cost_ns", "kernel.sched_migration_cost_ns",
		func(k *schedsim.Kernel) *int64 { return &k.SchedMigrationCost }),
	tunableSetting("sched_base_slice_ns", "/sys/kernel/debug/sched/base_slice_ns",
		func(k *schedsim.Kernel) *int64 { return &k.SchedBaseSlice }),
	tunableSetting("numa_scan_delay_ms", "kernel.numa_balancing_scan_delay_ms",
		func(k *schedsim.Kernel) *int64 { return &k.NUMAScanDelay }),
	tunableSetting("numa_scan_period_min_ms", "kernel.numa_balancing_scan_period_min_ms",
		func(k *schedsim.Kernel) *int64 { return &k.NUMAScanPeriodMin }),
	tunableSetting("numa_scan_period_max_ms", "kernel.numa_balancing_scan_period_max_ms",
		func(k *schedsim.Kernel) *int64 { return &k.NUMAScanPeriodMax }),
	tunableSetting("numa_scan_size_mb", "kernel.numa_balancing_scan_size_mb",
		func(k *schedsim.Kernel) *int64 { return &k.NUMAScanSize }),
}

// SystemSettings lists what a study can set in its System.
func SystemSettings() []SystemSetting { return slices.Clone(systemSettings) }

// parse checks a value.
func (s *SystemSetting) parse(value string) (float64, error) {
	if len(s.Values) > 0 {
		if !slices.Contains(s.Values, value) {
			return 0, fmt.Errorf("%s is %q, use one of %s", s.Name, value, strings.Join(s.Values, ", "))
		}
		return 0, nil
	}
	n, err := strconv.ParseFloat(value, 64)
	if err != nil || !(n >= 0) || n > 1e15 {
		return 0, fmt.Errorf("%s is %q, which is not a number of at least 0", s.Name, value)
	}
	return n, nil
}

// systemSetting returns the setting of a name, or nil.
func systemSetting(name string) *SystemSetting {
	for i := range systemSettings {
		if systemSettings[i].Name == name {
			return &systemSettings[i]
		}
	}
	return nil
}

// checkSystem looks at one setting of a study.
func checkSystem(name, value string) error {
	s := systemSetting(name)
	if s == nil {
		var known []string
		for _, s := range systemSettings {
			known = append(known, s.Name)
		}
		return fmt.Errorf("no system setting %q, use some of %s", name, strings.Join(known, ", "))
	}
	_, err := s.parse(value)
	return err
}

// applySystem sets everything in the order of systemSettings.
func applySystem(cfg *schedsim.Config, system map[string]string) error {
	for name, value := range system {
		if err := checkSystem(name, value); err != nil {
			return fmt.Errorf("study: system: %w", err)
		}
	}
	for i := range systemSettings {
		s := &systemSettings[i]
		value, ok := system[s.Name]
		if !ok {
			continue
		}
		number, err := s.parse(value)
		if err == nil {
			err = s.apply(cfg, value, number)
		}
		if err != nil {
			return fmt.Errorf("study: system: %w", err)
		}
	}
	return nil
}
