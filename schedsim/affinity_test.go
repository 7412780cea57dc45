package schedsim

import (
	"context"
	"strings"
	"testing"
	"time"
)

// binding is a script whose tasks bind themselves and each other: their masks are the CPUs of
// the same number, the last one is all.
type binding struct{ script }

func (w *binding) Start(s *Sched) {
	for _, ci := range s.online {
		s.Mask(int(ci))
	}
	s.Mask(0, 1, 2, 3, 99)
	w.script.Start(s)
}

// bind binds a task to the CPU of a number; task -1 is the one that asks.
func bind(task, cpu int) Op {
	return Op{Kind: OpSetAffinity, Arg: int32(cpu), Arg64: int64(task + 1), Work: 1000}
}

// TestBind: a task that is bound elsewhere while it runs, waits or sleeps is there soon, in all
// versions and classes, and its migration thread has moved it if it ran.
func TestBind(t *testing.T) {
	ms := time.Millisecond
	for _, k := range kernels(4) {
		for _, tc := range []struct {
			name  string
			tasks []scripted
			want  int32 // CPU of task 0
			moves bool  // by a migration thread
		}{
			{"itself", []scripted{{ops: []Op{run(ms), bind(-1, 2), hog()}}}, 2, true},
			{"another-that-runs", []scripted{{ops: []Op{hog()}, cpus: pinned(0)}, {ops: []Op{run(ms), bind(0, 2), hog()}, cpu: 1, cpus: pinned(1)}}, 2, true},
			{"one-that-waits", []scripted{{ops: []Op{hog()}, cpus: pinned(1), cpu: 1}, {ops: []Op{run(9 * ms), bind(0, 3), hog()}, cpu: 1, cpus: pinned(1), attr: SchedAttr{Policy: PolicyFIFO, Priority: 5}}}, 3, false},
			{"a-sleeper", []scripted{{ops: []Op{run(ms), sleep(20 * ms), hog()}, cpus: pinned(0)}, {ops: []Op{run(5 * ms), bind(0, 3), sleep(time.Hour)}, cpu: 1}}, 3, false},
			{"real-time", []scripted{{ops: []Op{run(ms), bind(-1, 3), hog()}, attr: SchedAttr{Policy: PolicyFIFO, Priority: 5}}}, 3, true},
			{"to-all", []scripted{{ops: []Op{run(ms), bind(-1, 4), hog()}, cpus: pinned(1), cpu: 1}}, 1, false},
		} {
			t.Run(k.Version+"/"+tc.name, func(t *testing.T) {
				w := &binding{script{tasks: tc.tasks}}
				s, err := newSched(&Config{Machine: testMachine(1, 4, 1), Kernel: k, Workload: w, Seed: 1, Check: true})
				if err != nil {
					t.Fatal(err)
				}
				w.Start(s)
				simulate(t, s, 60*ms)
				if err := s.checks.whole(); err != nil {
					t.Fatal(err)
				}
				if got := s.tasks[0].cpu; got != tc.want {
					t.Errorf("is on CPU %d, want %d", got, tc.want)
				}
				if moved := s.count.HighClassSwitches > 0; moved != tc.moves {
					t.Errorf("a migration thread ran: %v, want %v", moved, tc.moves)
				}
				if len(s.leaving) > 0 {
					t.Errorf("tasks %v still wait to leave", s.leaving)
				}
			})
		}
	}
}

// TestBindErrors: masks without CPUs and tasks that are not there end the run.
func TestBindErrors(t *testing.T) {
	for want, w := range map[string]Workload{
		"none of which is online":       &starter{script{tasks: hogs(2)}, func(s *Sched) { s.Mask(77) }},
		"binds task 6 to mask 0":        &binding{script{tasks: []scripted{{ops: []Op{bind(6, 0)}}}}},
		"binds task -1 to mask 9, of 1": &binding{script{tasks: []scripted{{ops: []Op{bind(-1, 9)}}}}},
	} {
		_, err := Run(context.Background(), Config{Machine: testMachine(1, 4, 1), Kernel: V510(4), Workload: w, Measure: 10 * time.Millisecond, Check: true})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// TestChildrenAreBound: a new task may run where its parent may (dup_task_struct).
func TestChildrenAreBound(t *testing.T) {
	w := &script{tasks: []scripted{
		{ops: []Op{{Kind: OpFork, Arg: 1, Work: 1000}, sleep(time.Hour)}, cpu: 2, cpus: pinned(2)}, {ops: []Op{hog()}, child: true},
	}}
	s := newTestSched(t, testMachine(1, 4, 1), w, false)
	simulate(t, s, 5*time.Millisecond)
	if c := &s.tasks[1]; c.cpu != 2 || c.Allowed(1) {
		t.Errorf("the child is on CPU %d, may use CPU 1: %v", c.cpu, c.Allowed(1))
	}
}
