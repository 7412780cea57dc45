package schedsim

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// damaged is chaos in which one operation, late in the run, breaks the simulator's state.
type damaged struct {
	mixed
	damage func(s *Sched, t *Task) bool // whether it found something to break
	calls  int
	done   bool
	events int64
}

func (w *damaged) Next(s *Sched, t *Task) Op {
	w.calls++
	if !w.done && w.calls > 3000 && w.damage(s, t) {
		w.done = true
		w.events = s.checks.events
	}
	return w.mixed.Next(s, t)
}

// TestChecksSeeDamage breaks one thing in a running machine: the check that is for it sees it,
// at that event if it is of one CPU, else at the next look at the whole machine.
func TestChecksSeeDamage(t *testing.T) {
	const oneCPU, machine = 0, wholeEvery
	// running is the cfs_rq that a fair task is on.
	running := func(s *Sched, t *Task) *cfsRQ { return &s.cfs[s.ents[t.se].cfs] }
	for _, tc := range []struct {
		name   string
		within int64 // events
		want   string
		damage func(s *Sched, t *Task) bool
	}{
		{"load", oneCPU, "load", func(s *Sched, t *Task) bool { s.cfs[t.cpu].load.weight++; return true }},
		{"h-nr-running", oneCPU, "h_nr_running", func(s *Sched, t *Task) bool { s.cfs[t.cpu].hNr++; return true }},
		{"nr-running", oneCPU, "nr_running", func(s *Sched, t *Task) bool { s.cpus[t.cpu].nrRunning++; return true }},
		{"weight", oneCPU, "weight", func(s *Sched, t *Task) bool {
			if t.class != classFair {
				return false
			}
			running(s, t).load.weight += 1024
			s.ents[t.se].load.weight += 1024
			return true
		}},
		{"min-vruntime", oneCPU, "goes back", func(s *Sched, t *Task) bool { s.cfs[t.cpu].minVruntime -= 1e9; return true }},
		{"order", oneCPU, "not in order", func(s *Sched, t *Task) bool {
			for i := range s.cfs {
				if q := s.cfs[i].queue; s.cfs[i].cpu == t.cpu && len(q) > 1 && q[0].vruntime != q[len(q)-1].vruntime {
					q[0], q[len(q)-1] = q[len(q)-1], q[0]
					return true
				}
			}
			return false
		}},
		{"timeline", oneCPU, "timeline", func(s *Sched, t *Task) bool {
			for i := range s.cfs {
				if q := s.cfs[i].timeline; s.cfs[i].cpu == t.cpu && len(q) > 1 && q[0].deadline != q[len(q)-1].deadline {
					q[0], q[len(q)-1] = q[len(q)-1], q[0]
					return true
				}
			}
			return false
		}},
		{"avg-vruntime", oneCPU, "avg_vruntime", func(s *Sched, t *Task) bool { s.cfs[t.cpu].avgVruntime++; return s.eevdf }},
		{"lost-entity", oneCPU, "", func(s *Sched, t *Task) bool {
			q := &s.cfs[t.cpu]
			if len(q.queue) > 0 {
				q.queue = q.queue[:len(q.queue)-1]
				return true
			}
			return false
		}},
		{"buddy", oneCPU, "buddy", func(s *Sched, t *Task) bool { return s.setWrongBuddy(t) }},
		{"unlisted", oneCPU, "tasks and groups are queued", func(s *Sched, t *Task) bool {
			p := &s.cpus[t.cpu]
			if len(p.fairTasks) > 1 {
				p.fairTasks = p.fairTasks[:len(p.fairTasks)-1]
				return true
			}
			return false
		}},
		{"affinity", oneCPU, "may not use", func(s *Sched, t *Task) bool {
			t.allowed = maskOf(len(s.cpus), []int{int(t.cpu+1) % len(s.cpus)})
			return true
		}},
		{"charged-too-much", oneCPU, "is charged", func(s *Sched, t *Task) bool { s.ents[t.se].sumExec++; return true }},
		{"not-charged", oneCPU, "is charged", func(s *Sched, t *Task) bool {
			for _, ci := range s.online {
				if id := s.cpus[ci].curr; id != none && id != t.ID && s.now > s.ents[s.tasks[id].se].execStart {
					s.ents[s.tasks[id].se].execStart = s.now
					s.checks.mark(ci)
					return true
				}
			}
			return false
		}},
		{"idle-count", oneCPU, "are idle", func(s *Sched, t *Task) bool { s.nrIdle++; return true }},
		{"overloaded-count", oneCPU, "two tasks or more", func(s *Sched, t *Task) bool { s.nrOverloaded++; return true }},
		{"real-time-first", oneCPU, "goes before it", func(s *Sched, t *Task) bool {
			for _, ci := range s.online {
				p := &s.cpus[ci]
				if p.needResched && p.curr != none && p.stopTask == none && s.rt[ci].queued && s.tasks[p.curr].class == classFair && len(s.dl[ci].queue) == 0 {
					p.needResched = false
					s.checks.mark(ci)
					return true
				}
			}
			return false
		}},
		{"next-event", oneCPU, "its event is at", func(s *Sched, t *Task) bool {
			for _, ci := range s.online {
				if p := &s.cpus[ci]; ci != t.cpu && p.act == actRun {
					s.q.set(ci, p.end()+1)
					s.checks.mark(ci)
					return true
				}
			}
			return false
		}},
		{"lost-waiter", machine, "in 0 places", func(s *Sched, t *Task) bool {
			for i := range s.channels {
				if ch := &s.channels[i]; ch.waiter != none {
					ch.waiter = s.tasks[ch.waiter].nextWaiter
					return true
				}
			}
			return false
		}},
		{"lost-timer", machine, "in 0 places", func(s *Sched, t *Task) bool {
			if h := s.timers.heap; len(h) > 2 {
				s.timers.heap = h[:len(h)-1]
				return true
			}
			return false
		}},
		{"lost-wakeup", machine, "a lost wakeup", func(s *Sched, t *Task) bool {
			for i := range s.channels {
				if ch := &s.channels[i]; ch.waiter != none {
					ch.pending++
					s.checks.next = s.checks.events // a later message would wake it
					return true
				}
			}
			return false
		}},
		{"idle-time", machine, "not charged to any task", func(s *Sched, t *Task) bool { s.count.IdleNS--; return true }},
		{"group-load", machine, "load_avg", func(s *Sched, t *Task) bool { s.groups[2].loadAvg++; return s.pelt != peltV310 }},
		{"throttle-count", oneCPU, "that no group holds back", func(s *Sched, t *Task) bool {
			if t.class != classFair {
				return false
			}
			running(s, t).throttleCount++
			return true
		}},
		{"nohz-count", machine, "nohz", func(s *Sched, t *Task) bool { s.nohzCount++; return true }},
		{"speed", machine, "runs at", func(s *Sched, t *Task) bool { s.cores[0].speed--; s.checks.next = s.checks.events; return true }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			k := V510(4)
			if tc.name == "timeline" || tc.name == "avg-vruntime" {
				k = V612(4)
			}
			w := &damaged{mixed: *newMixed(24, false), damage: tc.damage}
			_, err := Run(context.Background(), Config{
				Machine: testMachine(2, 2, 1), Kernel: k, Workload: w, Seed: 3, Measure: 2 * time.Second, Check: true,
			})
			v := (*Violation)(nil)
			if !errors.As(err, &v) {
				t.Fatalf("found %v, error %v", w.done, err)
			}
			if !w.done || v.Event > w.events+1+tc.within || !strings.Contains(v.What, tc.want) {
				t.Errorf("broken at event %d, error %v, want one about %q", w.events+1, err, tc.want)
			}
			if len(v.Recent) == 0 || !strings.Contains(err.Error(), "invariant broken at event") {
				t.Errorf("error %v", err)
			}
		})
	}
}

// setWrongBuddy lets a hint of a queue point to an entity of another CPU.
func (s *Sched) setWrongBuddy(t *Task) bool {
	for ci := range s.cpus {
		if q := &s.cfs[ci]; int32(ci) != t.cpu && len(q.queue) > 0 {
			s.cfs[t.cpu].next = q.queue[0].se
			return true
		}
	}
	s.cfs[t.cpu].next = none
	return false
}

// TestCheckChangesNothing: a run is the same with the checks and without.
func TestCheckChangesNothing(t *testing.T) {
	for _, k := range kernels(8) {
		var got [2]Result
		for i, check := range []bool{false, true} {
			r, err := Run(context.Background(), Config{
				Machine: testMachine(2, 2, 2), Kernel: k, Workload: newMixed(20, true), Seed: 5,
				Warmup: 20 * time.Millisecond, Measure: 100 * time.Millisecond, Check: check,
			})
			if err != nil {
				t.Fatalf("%s: %v", k.Version, err)
			}
			got[i] = r
		}
		if got[0].TraceHash != got[1].TraceHash || got[0].Counters != got[1].Counters {
			t.Errorf("%s: %+v without, %+v with checks", k.Version, got[0], got[1])
		}
	}
}
