package schedsim

import (
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/schedlab/schedlab/topology"
)

// maxRun bounds Config.Age, Warmup and Measure together: event times are 52
// bits of ns.
const maxRun = 50 * 24 * time.Hour

// check returns what is wrong with a Config, so that a run does not fail
// halfway.
func (cfg *Config) check() error {
	if cfg.Machine == nil {
		return errors.New("schedsim: Config.Machine is not set, use topology.Load")
	}
	if err := checkMachine(cfg.Machine); err != nil {
		return err
	}
	if err := checkKernel("Kernel", &cfg.Kernel); err != nil {
		return err
	}
	if cfg.Shadow != nil {
		if err := checkKernel("Shadow", cfg.Shadow); err != nil {
			return err
		}
	}
	if err := checkWorkload(cfg.Workload); err != nil {
		return err
	}
	if cfg.CPUFreq != (CPUFreq{}) {
		if _, err := cfg.CPUFreq.resolve(cfg.Machine); err != nil {
			return err
		}
		// Governors have been called by the scheduler since v4.7 only.
		if v := cfg.Kernel.Version; versionNumber(v) < 4007 && cfg.CPUFreq.Governor != "performance" {
			return fmt.Errorf("schedsim: Config.CPUFreq: %s samples by timers of its own in %s, which are not modelled, "+
				"use performance, or a kernel since v4.7", cfg.CPUFreq.Governor, v)
		}
	}
	if cfg.Host != nil {
		if err := cfg.Host.check(); err != nil {
			return err
		}
	}
	if cfg.Costs != nil {
		if err := checkCosts(cfg.Costs); err != nil {
			return err
		}
	}
	for _, d := range []time.Duration{cfg.Age, cfg.Warmup, cfg.Measure} {
		if d < 0 || d > maxRun/3 {
			return fmt.Errorf("schedsim: Config.Age, Warmup or Measure is %v, give 0 to %v", d, maxRun/3)
		}
	}
	if cfg.Slices < 0 {
		return fmt.Errorf("schedsim: Config.Slices is %d, give 0 or more", cfg.Slices)
	}
	if cfg.TraceEvents < 0 {
		return fmt.Errorf("schedsim: Config.TraceEvents is %d, give 0 or more", cfg.TraceEvents)
	}
	return nil
}

// checkMachine looks at what a machine built by hand may lack; those of
// topology.Load are whole.
func checkMachine(m *topology.Machine) error {
	switch {
	case len(m.CPUs) == 0:
		return fmt.Errorf("schedsim: machine %s has no CPUs", m.ID)
	case len(m.CPUs) > maxCPUs:
		return fmt.Errorf("schedsim: machine %s has %d CPUs, the engine takes up to %d", m.ID, len(m.CPUs), maxCPUs)
	case len(m.IdleStates) == 0:
		return fmt.Errorf("schedsim: machine %s has no idle states, give at least one", m.ID)
	case len(m.OnlineCPUs()) == 0:
		return fmt.Errorf("schedsim: machine %s has no CPU online", m.ID)
	case m.Frequency.At(m.CoresPerSocket()) <= 0 || m.Frequency.At(1) <= 0:
		return fmt.Errorf("schedsim: machine %s has no frequency, give a maximum or turbo bins", m.ID)
	case len(m.Distances) != m.Nodes():
		return fmt.Errorf("schedsim: machine %s has %d nodes and %d rows of distances, give one a node", m.ID, m.Nodes(), len(m.Distances))
	}
	for i, q := range m.SMTThroughput {
		if !sane(q.Value) {
			return fmt.Errorf("schedsim: machine %s: the throughput of %d threads is %v, give %g to %g",
				m.ID, i+1, q.Value, minThroughput, maxThroughput)
		}
	}
	threads := make([]int, m.Cores())
	for i, c := range m.CPUs {
		if c.ID != i {
			return fmt.Errorf("schedsim: machine %s: CPU %d is numbered %d", m.ID, i, c.ID)
		}
		if c.State != topology.Online {
			continue
		}
		if c.Core < 0 || c.L2 < 0 || c.LLC < 0 || c.Node < 0 || c.Socket < 0 {
			return fmt.Errorf("schedsim: machine %s: CPU %d is placed nowhere", m.ID, i)
		}
		threads[c.Core]++
		if threads[c.Core] > len(m.SMTThroughput) {
			return fmt.Errorf("schedsim: machine %s has %d threads on core %d and a throughput for %d",
				m.ID, threads[c.Core], c.Core, len(m.SMTThroughput))
		}
	}
	return checkLines(m)
}

// checkKernel reports a patch that does not apply, and the first decision point
// that has no function although the version takes that decision, or has one
// although it does not.
func checkKernel(field string, k *Kernel) error {
	if k.err != nil {
		return fmt.Errorf("%w (Config.%s)", k.err, field)
	}
	base := V510(1)
	for _, v := range versions {
		if v.name == releaseOf(k.Version) {
			base = v.kernel(1)
		}
	}
	v, has := reflect.ValueOf(k).Elem(), reflect.ValueOf(&base).Elem()
	for i := range v.NumField() {
		f, name := v.Field(i), v.Type().Field(i).Name
		switch {
		case f.Kind() != reflect.Func || f.IsNil() == has.Field(i).IsNil():
		case f.IsNil():
			return fmt.Errorf("schedsim: Config.%s has no %s, start from LookupKernel", field, name)
		default:
			return fmt.Errorf("schedsim: Config.%s has a %s, a decision that %s does not take", field, name, k.Version)
		}
	}
	if k.HZ < 1 || k.HZ > 10000 {
		return fmt.Errorf("schedsim: Config.%s.HZ is %d, give 1 to 10000", field, k.HZ)
	}
	return checkNUMA(field, k)
}

func checkWorkload(w Workload) error {
	switch {
	case w == nil:
		return errors.New("schedsim: Config.Workload is not set")
	case w.MaxTasks() < 1:
		return fmt.Errorf("schedsim: workload %s: MaxTasks is %d, want at least 1", w.Name(), w.MaxTasks())
	case w.MaxTasks() > maxTasks:
		return fmt.Errorf("schedsim: workload %s: MaxTasks is %d, the engine takes up to %d", w.Name(), w.MaxTasks(), maxTasks)
	case w.Channels() < 0:
		return fmt.Errorf("schedsim: workload %s: Channels is %d, want 0 or more", w.Name(), w.Channels())
	case w.Channels() > maxChannels:
		return fmt.Errorf("schedsim: workload %s: Channels is %d, the engine takes up to %d", w.Name(), w.Channels(), maxChannels)
	}
	l := w.Locality()
	for _, lines := range []float64{l.TransferLines, l.RefillLines} {
		if !(lines >= 0 && lines <= maxLines) {
			return fmt.Errorf("schedsim: workload %s: Locality of %v lines, give 0 to %g", w.Name(), lines, maxLines)
		}
	}
	if l.SMTThroughput != 0 && !sane(l.SMTThroughput) {
		return fmt.Errorf("schedsim: workload %s: Locality.SMTThroughput is %v, give 0 for the machine's, or %g to %g",
			w.Name(), l.SMTThroughput, minThroughput, maxThroughput)
	}
	return nil
}

// maxLines is 64 GB of memory in cache lines.
const maxLines = 1e9

// A core's throughput with several busy threads, relative to one.
const minThroughput, maxThroughput = 0.1, 16.0

func sane(throughput float64) bool { return throughput >= minThroughput && throughput <= maxThroughput }

// maxCost is far above the cost of any kernel operation, in ns or lines; it
// keeps sums of costs from overflowing.
const maxCost = 1e9

func checkCosts(c *Costs) error {
	v := reflect.ValueOf(c).Elem()
	for i := range v.NumField() {
		value := 0.0
		if f := v.Field(i); f.CanInt() {
			value = float64(f.Int())
		} else {
			value = f.Float()
		}
		if !(value >= 0 && value <= maxCost) {
			return fmt.Errorf("schedsim: Costs.%s is %v, give 0 to %g", v.Type().Field(i).Name, value, maxCost)
		}
	}
	return nil
}
