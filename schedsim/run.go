package schedsim

import (
	"context"
	"time"

	"github.com/schedlab/schedlab/topology"
)

// Config is everything that determines a run.
type Config struct {
	Machine  *topology.Machine
	Kernel   Kernel
	Workload Workload
	Seed     uint64
	// Costs overrides DefaultCosts.
	Costs *Costs
	// Age, Warmup and Measure are simulated in this order; only Measure
	// counts.
	//
	// How tasks are split over the sockets changes by load balancing only,
	// and slowly: the interval of a busy CPU in a NUMA domain of 80 CPUs is
	// 1.28 s, and a move of cache-hot tasks takes four attempts. A benchmark
	// runs for minutes. While a run is aged, every balance interval is shorter
	// by AgingFactor, so that the same decisions follow one another sooner;
	// nothing else differs.
	Age, Warmup, Measure time.Duration
	// CPUFreq chooses the governor that sets the clock of the cores.
	CPUFreq CPUFreq
	// Shadow is another kernel that is asked at each wakeup without acting.
	Shadow *Kernel
	// Slices divides Measure into so many parts, each with a rate of its own in the
	// result, if the workload is a Pacer.
	Slices int
	// Stretch says that Measure is a stretch of the run, to be looked at: a workload
	// that ends by itself need not come to its end. There is no figure then.
	Stretch bool
	// Host is what runs the machine as its guest, nil if it is real.
	Host *Host
	// TraceEvents is how many of the last scheduling decisions to keep.
	TraceEvents int
	// Check looks at the invariants while the run goes on: see Violation, with which it
	// ends if one does not hold. It changes nothing else, and takes two to four times as long.
	Check bool
}

// AgingFactor is how much shorter balance intervals are during Config.Age. It
// is the busy_factor of v5.10's domains: busy CPUs then balance as often as
// idle ones.
const AgingFactor = 16

// Run simulates cfg. The result depends on nothing else. A cancelled context
// ends it with the context's error.
func Run(ctx context.Context, cfg Config) (Result, error) {
	r, _, err := RunTrace(ctx, cfg)
	return r, err
}

// RunTrace is Run, with the last Config.TraceEvents decisions, oldest first.
func RunTrace(ctx context.Context, cfg Config) (Result, []TraceEvent, error) {
	r, s, err := execute(ctx, cfg)
	if err != nil {
		return Result{}, nil, err
	}
	return r, s.kept(&cfg), nil
}

// RunNamed is RunTrace, with the name of every task, by TaskID.
func RunNamed(ctx context.Context, cfg Config) (Result, []TraceEvent, []string, error) {
	r, s, err := execute(ctx, cfg)
	if err != nil {
		return Result{}, nil, nil, err
	}
	return r, s.kept(&cfg), s.taskNames(), nil
}

// execute runs cfg to its end.
func execute(ctx context.Context, cfg Config) (Result, *Sched, error) {
	s, err := newSched(&cfg)
	if err != nil {
		return Result{}, nil, err
	}
	s.w.Start(s)
	if s.startErr != nil {
		return Result{}, nil, s.startErr
	}
	if cfg.Age > 0 {
		s.aging = AgingFactor
		if err := s.runFor(ctx, int64(cfg.Age)); err != nil {
			return Result{}, nil, err
		}
		s.aging = 1
	}
	if err := s.runFor(ctx, int64(cfg.Warmup)); err != nil {
		return Result{}, nil, err
	}
	if err := s.checkFinished(false, 0); err != nil {
		return Result{}, nil, err
	}
	measuredFrom := s.now
	s.w.Measured(s, false)
	warmupEvents := s.count.Events
	s.accountIdle()
	s.resetCounters()
	s.socketShare, s.socketSamples = 0, 0
	s.runnable, s.runnableSamples = 0, 0
	s.restartDebug()
	if f := s.freq; f != nil {
		f.c0, f.cycles, f.kworkerNS = s.frequencyTotals()
	}
	slices, err := s.measure(ctx, &cfg)
	if err != nil {
		return Result{}, nil, err
	}
	if !cfg.Stretch {
		if err := s.checkFinished(true, int64(cfg.Measure)); err != nil {
			return Result{}, nil, err
		}
	}
	s.accountIdle()
	if f := s.freq; f != nil {
		c0, cycles, kworkerNS := s.frequencyTotals()
		s.count.C0NS, s.count.C0Cycles, s.count.KworkerNS = c0-f.c0, cycles-f.cycles, kworkerNS-f.kworkerNS
	}
	if s.checks != nil {
		if err := s.checks.whole(); err != nil {
			return Result{}, nil, err
		}
	}
	r := Result{
		MeasuredNS:  s.now - measuredFrom,
		Counters:    s.count,
		TraceHash:   s.trace.hash,
		TotalEvents: warmupEvents + s.count.Events,
	}
	if s.startErr != nil { // an operation that the kernel refuses
		return Result{}, nil, s.startErr
	}
	value, unit := s.w.Measured(s, true)
	if cfg.Stretch {
		return r, s, nil
	}
	r.Throughput, r.Unit = value, unit
	r.Slices = slices
	if s.socketSamples > 0 {
		r.SocketShare = s.socketShare / float64(s.socketSamples)
	}
	if r.Metrics, err = s.metrics(&r, len(cfg.Machine.OnlineCPUs())); err != nil {
		return Result{}, nil, err
	}
	return r, s, nil
}

// runFor dispatches events for a simulated time.
func (s *Sched) runFor(ctx context.Context, ns int64) error {
	end := s.now + ns
	for {
		// The context is looked at now and then, not at each event.
		if err := ctx.Err(); err != nil {
			return err
		}
		if s.startErr != nil {
			return s.startErr // of a group that a task asked for in vain
		}
		for range 4096 {
			slot, at := s.q.next()
			if at > end {
				s.now = end
				return nil
			}
			s.step()
			if s.checks != nil {
				if err := s.checks.after(slot); err != nil {
					return err
				}
			}
			if s.finished {
				return nil
			}
		}
	}
}
