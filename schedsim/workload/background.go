package workload

import (
	"fmt"

	"github.com/schedlab/schedlab/schedsim"
)

// BackgroundParams are the system beside a benchmark: what runs on a machine on which
// nothing else is started. The kworkers of the governor ondemand are the kernel's
// (schedsim.CPUFreq).
type BackgroundParams struct {
	// Daemons is how many services wake up now and then, each in a session, and so
	// in an autogroup, of its own: systemd gives each service one (setsid).
	Daemons int
	// DaemonPeriodNS is the mean time between the wakeups of a daemon, DaemonWorkNS
	// the mean work of one; both are drawn from an exponential distribution. ns.
	DaemonPeriodNS, DaemonWorkNS float64
	// VMStatPeriodNS is how often the kworker of each CPU runs vmstat_update and
	// what else is queued at that pace; 0 for never. The kernel's is a second
	// (sysctl_stat_interval). It is a task of the root group, bound to its CPU.
	VMStatPeriodNS float64
	// VMStatWorkNS is the work of one run, ns.
	VMStatWorkNS float64
}

// DefaultBackground is an idle server of 2020 after boot. All but the period of
// vmstat is assumed.
func DefaultBackground() BackgroundParams {
	return BackgroundParams{
		Daemons: 10, DaemonPeriodNS: 100e6, DaemonWorkNS: 200e3,
		VMStatPeriodNS: 1e9, VMStatWorkNS: 20e3,
	}
}

// Roles of background tasks. Those of a workload are not negative.
const (
	RoleDaemon  int32 = -1
	RoleKworker int32 = -2
)

// background is a workload with the system beside it.
type background struct {
	schedsim.Workload
	p        BackgroundParams
	kworkers int // at most
}

// WithBackground returns w with the system beside it, on a machine of up to cpus
// CPUs. The tasks of the system are created behind the first ones of w, which are the
// same as without.
func WithBackground(w schedsim.Workload, p BackgroundParams, cpus int) (schedsim.Workload, error) {
	for _, v := range []float64{p.DaemonPeriodNS, p.DaemonWorkNS, p.VMStatPeriodNS, p.VMStatWorkNS} {
		if !(v >= 0 && v <= 1e15) {
			return nil, fmt.Errorf("workload: background: a time is negative or too long: %+v", p)
		}
	}
	switch {
	case p.Daemons < 0 || p.Daemons > 4096:
		return nil, fmt.Errorf("workload: background: %d daemons, give 0 to 4096", p.Daemons)
	case p.Daemons > 0 && p.DaemonPeriodNS < 1e5:
		return nil, fmt.Errorf("workload: background: a daemon wakes every %g ns, give at least 100000", p.DaemonPeriodNS)
	case p.VMStatPeriodNS > 0 && p.VMStatPeriodNS < 1e5:
		return nil, fmt.Errorf("workload: background: kworkers run every %g ns, give at least 100000, or 0 for none", p.VMStatPeriodNS)
	}
	b := &background{Workload: w, p: p}
	if p.VMStatPeriodNS > 0 {
		b.kworkers = cpus
	}
	if p.Daemons == 0 && b.kworkers == 0 {
		return w, nil
	}
	return b, nil
}

// MaxTasks implements schedsim.Workload.
func (b *background) MaxTasks() int { return b.Workload.MaxTasks() + b.p.Daemons + b.kworkers }

// Start implements schedsim.Workload.
func (b *background) Start(s *schedsim.Sched) {
	b.Workload.Start(s)
	cpus := s.Machine().OnlineCPUs()
	for i := range b.p.Daemons {
		r := schedsim.StreamFor(s.Seed(), RoleDaemon, int32(i))
		t := s.SpawnSettled("daemon", RoleDaemon, cpus[r.IntN(len(cpus))], int64(r.Float64()*b.p.DaemonPeriodNS))
		s.SetSession(t, s.NewSession())
		t.Rand = r
	}
	if len(cpus) > b.kworkers {
		cpus = cpus[:b.kworkers]
	}
	for i, cpu := range cpus {
		r := schedsim.StreamFor(s.Seed(), RoleKworker, int32(i))
		t := s.SpawnSettled("kworker", RoleKworker, cpu, int64(r.Float64()*b.p.VMStatPeriodNS))
		s.SetSession(t, 0)
		s.SetAffinity(t, cpu)
		t.Rand = r
	}
}

// Next implements schedsim.Workload.
func (b *background) Next(s *schedsim.Sched, t *schedsim.Task) schedsim.Op {
	switch t.Role {
	case RoleDaemon:
		return schedsim.Op{
			Kind: schedsim.OpSleep, Work: exponential(t, b.p.DaemonWorkNS),
			Arg64: exponential(t, b.p.DaemonPeriodNS),
		}
	case RoleKworker:
		return schedsim.Op{Kind: schedsim.OpSleep, Work: int64(b.p.VMStatWorkNS), Arg64: int64(b.p.VMStatPeriodNS)}
	}
	return b.Workload.Next(s, t)
}

// Spin implements schedsim.Spinner, for a workload that is one.
func (b *background) Spin() schedsim.SpinParams {
	if w, ok := b.Workload.(schedsim.Spinner); ok {
		return w.Spin()
	}
	return schedsim.SpinParams{}
}

// Metrics implements schedsim.Meter, for a workload that is one.
func (b *background) Metrics(s *schedsim.Sched) []schedsim.Metric {
	if w, ok := b.Workload.(schedsim.Meter); ok {
		return w.Metrics(s)
	}
	return nil
}
