package schedsim

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/schedlab/schedlab/topology"
)

// sized is a workload that says anything about its size.
type sized struct {
	script
	tasks, channels int
}

func (w *sized) MaxTasks() int { return w.tasks }
func (w *sized) Channels() int { return w.channels }

// TestConfig: a Config that cannot run is an error that names the field.
func TestConfig(t *testing.T) {
	good := func() Config {
		m := testMachine(1, 2, 2)
		return Config{Machine: m, Kernel: V510(4), Workload: &script{tasks: hogs(1)}, Measure: time.Millisecond}
	}
	if _, err := Run(context.Background(), good()); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name  string
		spoil func(c *Config)
		want  string
	}{
		{"no-machine", func(c *Config) { c.Machine = nil }, "Config.Machine"},
		{"empty-machine", func(c *Config) { c.Machine = &topology.Machine{ID: "m"} }, "m has no CPUs"},
		{"too-many-cpus", func(c *Config) { c.Machine = testMachine(4, 512, 2) }, "4096 CPUs"},
		{"no-idle-state", func(c *Config) { c.Machine.IdleStates = nil }, "idle states"},
		{"no-frequency", func(c *Config) { c.Machine.Frequency.MaxMHz.Value = 0 }, "frequency"},
		{"no-distances", func(c *Config) { c.Machine.Distances = nil }, "distances"},
		{"no-smt-throughput", func(c *Config) { c.Machine.SMTThroughput = nil }, "threads on core 0"},
		{"misnumbered", func(c *Config) { c.Machine.CPUs[1].ID = 7 }, "CPU 1"},
		{"architecture", func(c *Config) { c.Machine.Arch = "vax" }, "vax"},
		{"no-kernel", func(c *Config) { c.Kernel = Kernel{} }, "Config.Kernel has no SelectTaskRQFair"},
		{"half-a-kernel", func(c *Config) { c.Kernel.FindIdlestCPU = nil }, "Config.Kernel has no FindIdlestCPU"},
		{"half-a-shadow", func(c *Config) { c.Shadow = &Kernel{} }, "Config.Shadow has no SelectTaskRQFair"},
		{"no-hz", func(c *Config) { c.Kernel.HZ = 0 }, "HZ is 0"},
		{"unknown-version", func(c *Config) { c.Kernel.Version = "v2.4" }, "v2.4"},
		{"old-governor", func(c *Config) { c.Kernel, c.CPUFreq = V310(4), ondemand }, "ondemand samples by timers of its own in v3.10"},
		{"no-workload", func(c *Config) { c.Workload = nil }, "Config.Workload"},
		{"no-tasks", func(c *Config) { c.Workload = &sized{} }, "MaxTasks is 0"},
		{"many-tasks", func(c *Config) { c.Workload = &sized{tasks: maxTasks + 1} }, "takes up to 524288"},
		{"many-channels", func(c *Config) { c.Workload = &sized{tasks: 1, channels: maxChannels + 1} }, "takes up to 4194304"},
		{"negative-channels", func(c *Config) { c.Workload = &sized{tasks: 1, channels: -1} }, "Channels is -1"},
		{"negative-lines", func(c *Config) { c.Workload = &script{tasks: hogs(1), loc: Locality{RefillLines: -1}} }, "-1 lines"},
		{"no-throughput", func(c *Config) { c.Workload = &script{tasks: hogs(1), loc: Locality{SMTThroughput: 1e-6}} }, "SMTThroughput"},
		{"machine-throughput", func(c *Config) { c.Machine.SMTThroughput[1].Value = 0 }, "throughput of 2 threads"},
		{"not-a-number", func(c *Config) { c.Workload = &script{tasks: hogs(1), loc: Locality{TransferLines: math.NaN()}} }, "NaN lines"},
		{"negative-cost", func(c *Config) { c.Costs = &Costs{Tick: -1} }, "Costs.Tick is -1"},
		{"cost-nan", func(c *Config) { c.Costs = &Costs{QueueLines: math.NaN()} }, "Costs.QueueLines"},
		{"huge-cost", func(c *Config) { c.Costs = &Costs{Switch: math.MaxInt64} }, "Costs.Switch"},
		{"negative-time", func(c *Config) { c.Warmup = -1 }, "Warmup"},
		{"half-a-year", func(c *Config) { c.Measure = 4400 * time.Hour }, "Measure"},
		{"negative-trace", func(c *Config) { c.TraceEvents = -1 }, "TraceEvents"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := good()
			tc.spoil(&c)
			_, err := Run(context.Background(), c)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want one about %q", err, tc.want)
			}
		})
	}
}

func TestLookups(t *testing.T) {
	if _, err := LookupKernel("v5.10", 80); err != nil {
		t.Error(err)
	}
	if _, err := LookupKernel("v9", 80); err == nil || !strings.Contains(err.Error(), "v5.10") {
		t.Errorf("error %v, want the known versions", err)
	}
	for _, p := range Patches() {
		if q, err := LookupPatch(p.Name); err != nil || q.Name != p.Name {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
	if _, err := LookupPatch("nest"); err == nil || !strings.Contains(err.Error(), "idle-candidate") {
		t.Errorf("error %v, want the known patches", err)
	}
}

// TestWith: a patch changes a copy.
func TestWith(t *testing.T) {
	k := V510(8)
	a := k.With(IdleCandidate)
	b := a.With(NoIdleCoreSearch)
	c := a.With(Patch{Name: "c", Apply: func(k *Kernel) { k.HZ = 1000 }})
	if k.String() != "v5.10" || a.String() != "v5.10+idle-candidate" ||
		b.String() != "v5.10+idle-candidate+no-idle-core-search" || c.String() != "v5.10+idle-candidate+c" {
		t.Errorf("%v, %v, %v, %v", k, a, b, c)
	}
	if a.HZ != 250 || c.HZ != 1000 {
		t.Errorf("HZ %d and %d", a.HZ, c.HZ)
	}
}

// FuzzConfig: whatever the numbers, a run ends with a result or an error.
func FuzzConfig(f *testing.F) {
	f.Add(uint8(1), uint8(2), uint8(2), 250, int64(1200), int64(600), 25.0, 1.25, int64(1e6), uint64(1))
	f.Add(uint8(2), uint8(1), uint8(1), 1000, int64(0), int64(0), 0.0, 0.0, int64(2e6), uint64(9))
	f.Add(uint8(0), uint8(0), uint8(0), 0, int64(-1), int64(1e9), -1.0, 1e300, int64(-1), uint64(0))
	f.Fuzz(func(t *testing.T, sockets, cores, threads uint8, hz int, sw, ttwu int64, lines, smt float64, ns int64, seed uint64) {
		m := testMachine(int(sockets%3), int(cores%5), int(threads%3))
		k := V510(len(m.CPUs))
		k.HZ = hz
		w := newChaos(4, false)
		w.loc = Locality{TransferLines: lines, RefillLines: lines, SMTThroughput: smt}
		costs := DefaultCosts(m)
		costs.Switch, costs.TTWU = sw, ttwu
		s, err := newSched(&Config{Machine: m, Kernel: k, Workload: w, Costs: &costs, Seed: seed, Measure: time.Duration(ns)})
		if err != nil {
			return
		}
		w.Start(s)
		for range 500 {
			s.step()
		}
		if err := s.verify(); err != nil {
			t.Error(err)
		}
	})
}
