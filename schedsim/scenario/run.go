package scenario

import (
	"context"
	"errors"
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

// traceEvents bounds the decisions of a run.
const traceEvents = 1 << 19

// leadTime is how long the machine is idle before a scenario starts. The start
// moves against the tick from run to run, by an interval that is no fraction of it.
const (
	leadTime = 300 * time.Millisecond
	leadStep = 1370 * time.Microsecond
	// tail is how long it runs on, for the tasks to end: their moves meanwhile are counted.
	tail = 200 * time.Millisecond
)

// Simulate runs a scenario once on the model. Runs differ in number: in when the
// scenario starts and on which CPU its first task sleeps. A scenario that the model
// cannot run is an error of type *NotModelled.
func Simulate(ctx context.Context, sc *Scenario, g *Guest, kernel schedsim.Kernel, number int) (*Outcome, error) {
	if lack := needs(sc); lack != nil {
		return nil, &NotModelled{lack}
	}
	p := &program{sc: sc, guest: g, seed: number, lead: leadTime + time.Duration(number)*leadStep}
	kernel.Autogroup = sc.Autogroup
	costs := g.Costs
	_, events, err := schedsim.RunTrace(ctx, schedsim.Config{
		Machine: g.Machine, Kernel: kernel, Workload: p, Seed: uint64(number), Costs: &costs, Host: g.host(),
		Warmup: p.lead + sc.Duration, Measure: tail, TraceEvents: traceEvents,
	})
	switch {
	case p.failed != nil:
		return nil, p.failed
	case err != nil:
		return nil, err
	case len(events) == traceEvents:
		return nil, errors.New("scenario: more decisions than the trace holds, make the scenario shorter")
	}
	out := &Outcome{Wall: sc.Duration, Attempts: p.counters.WakeAffineAttempts, Pulls: p.counters.WakeAffinePulls}
	out.Placement, out.Migrations = place(g.Machine, events, p.start+int64(sc.Duration), p.tasks, p.others)
	for i, st := range p.final {
		out.Tasks = append(out.Tasks, TaskOutcome{
			Name: sc.Tasks[i].Name, Iterations: p.turns[i],
			CPU: time.Duration(st.ExecNS), Wall: sc.Duration,
			Voluntary: st.Voluntary, Involuntary: st.Involuntary,
			Load: st.LoadAvg, Runnable: st.RunnableAvg, Util: st.UtilAvg,
		})
	}
	return out, nil
}
