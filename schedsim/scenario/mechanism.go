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

// policies is whether tasks can yield and take another policy or nice value. It is a
// constant, and the three functions below are for it, as the types of these calls are
// not there without them.
const policies = false

// announce makes the policies known that tasks will change to.
func announce(*schedsim.Sched, *program) {}

// setPolicy gives a task that did not run yet a policy.
func setPolicy(*schedsim.Sched, *schedsim.Task, Op, int) { panic("scenario: no policies") }

// whileRunning is an operation that changes how a running task is scheduled.
func whileRunning(*program, *schedsim.Task, *Op) schedsim.Op { panic("scenario: no policies") }

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
