package scenario

import (
	"strings"
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

// What a scenario needs of the model beyond plain fair tasks. Each is an interface
// that a simulation has or has not.
type (
	nicer interface {
		SetNice(t *schedsim.Task, nice int)
	}
	grouper interface {
		NewGroup(name string, parent int, shares int64) int
		MoveTask(t *schedsim.Task, group int)
	}
	limiter interface {
		SetBandwidth(group int, quota, period, burst time.Duration) error
	}
	sessioner interface {
		NewSession() int
		SetSession(t *schedsim.Task, session int)
	}
)

// NotModelled is the error of a scenario that needs what the model has not.
type NotModelled struct{ Needs []string }

func (e *NotModelled) Error() string {
	return "scenario: not modelled: needs " + strings.Join(e.Needs, ", ")
}

// policies is whether tasks can yield and take another policy or nice value.
const policies = true

// attrOf is the policy that an operation takes. The nice value is kept.
func attrOf(op Op, nice int) schedsim.SchedAttr {
	switch op.Kind {
	case FIFO:
		return schedsim.SchedAttr{Policy: schedsim.PolicyFIFO, Priority: op.N, Nice: nice}
	case RR:
		return schedsim.SchedAttr{Policy: schedsim.PolicyRR, Priority: op.N, Nice: nice}
	case Batch:
		return schedsim.SchedAttr{Policy: schedsim.PolicyBatch, Nice: nice}
	case Idle:
		return schedsim.SchedAttr{Policy: schedsim.PolicyIdle, Nice: nice}
	case Nice:
		return schedsim.SchedAttr{Nice: op.N}
	}
	return schedsim.SchedAttr{Nice: nice}
}

// setPolicy gives a task that did not run yet a policy.
func setPolicy(s *schedsim.Sched, t *schedsim.Task, op Op, nice int) {
	s.SetScheduler(t, attrOf(op, nice))
}

// announce makes the policies known that tasks will change to.
func announce(s *schedsim.Sched, p *program) {
	p.attrs = map[Op]int32{}
	for i := range p.sc.Tasks {
		t := &p.sc.Tasks[i]
		for _, op := range t.Ops[t.Once:] {
			if _, ok := p.attrs[op]; !ok && op.Kind >= Nice && op.Kind <= Other {
				p.attrs[op] = s.Attr(attrOf(op, t.Nice))
			}
		}
	}
}

// whileRunning is an operation that changes how a running task is scheduled.
func whileRunning(p *program, _ *schedsim.Task, o *Op) schedsim.Op {
	if o.Kind == Yield {
		return schedsim.Op{Kind: schedsim.OpYield, Work: int64(syscallCost)}
	}
	return schedsim.Op{Kind: schedsim.OpSetScheduler, Arg: p.attrs[*o], Work: int64(syscallCost)}
}

// needs lists what the model lacks for a scenario.
func needs(sc *Scenario) []string {
	s := any((*schedsim.Sched)(nil))
	var list []string
	add := func(what string) {
		for _, w := range list {
			if w == what {
				return
			}
		}
		list = append(list, what)
	}
	_, nice := s.(nicer)
	_, group := s.(grouper)
	_, limit := s.(limiter)
	_, session := s.(sessioner)
	for _, g := range sc.Groups {
		if !group {
			add("task groups")
		}
		if g.Quota > 0 && !limit {
			add("bandwidth control")
		}
	}
	if sc.Autogroup && !session {
		add("sessions")
	}
	for i := range sc.Tasks {
		t := &sc.Tasks[i]
		if t.Nice != 0 && !nice {
			add("nice values")
		}
		for j, op := range t.Ops {
			switch op.Kind {
			case Nice:
				if !nice || !policies {
					add("nice values")
				}
			case FIFO, RR, Batch, Idle, Other:
				if !policies {
					add("scheduling policies")
				}
			case Yield:
				if !policies {
					add("yield")
				}
			}
			if j >= t.Once && (op.Kind >= JoinGroup || op.Kind >= FIFO && !policies) {
				add("changes of policy, group or session while running")
			}
		}
	}
	return list
}

// sharesOf is the cgroup v1 shares of a cgroup v2 weight, to the nearest.
func sharesOf(weight int64) int64 { return (weight*1024 + 50) / 100 }
