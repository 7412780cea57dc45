package schedsim

import (
	"testing"
)

// pushed lets CPU 1 ask for the task that runs on CPU 0, and returns when it is
// done.
func pushed(t *testing.T) *Sched {
	k := V510(2)
	w := &script{tasks: []scripted{{ops: []Op{hog()}, cpus: pinned(0, 1)}, {ops: []Op{sleep(5000 * millisecond)}, cpus: pinned(1), cpu: 1}}}
	s := newKernelSched(t, k, testMachine(1, 2, 1), w, true)
	simulate(t, s, 21*millisecond)
	if s.cpus[0].curr != 0 {
		t.Fatalf("task %d runs on CPU 0", s.cpus[0].curr)
	}
	d := &s.cpus[1].domains[0]
	d.nrBalanceFailed = d.cacheNiceTries + 1 // as load_balance leaves it; or the task is cache hot
	s.cpus[0].activeBalance, s.cpus[0].pushCPU = true, 1
	s.smp = 1
	s.at(1)
	s.wakeStopper(0)
	simulate(t, s, millisecond)
	return s
}

// TestActiveBalance: the task that a migration thread takes the CPU from has one
// involuntary switch, and the thread one of its own.
func TestActiveBalance(t *testing.T) {
	s := pushed(t)
	task := &s.tasks[0]
	if task.cpu != 1 || s.cpus[1].curr != 0 || s.count.ActiveBalances != 1 {
		t.Errorf("task on CPU %d, %d active balances", task.cpu, s.count.ActiveBalances)
	}
	if task.nivcsw != 1 {
		t.Errorf("%d involuntary switches", task.nivcsw)
	}
	if s.count.HighClassSwitches != 1 {
		t.Errorf("%d switches of migration threads, want 1", s.count.HighClassSwitches)
	}
	if s.cpus[0].curr != none || s.cpus[0].activeBalance || s.cpus[0].stopTask != none {
		t.Errorf("%+v", s.cpus[0])
	}
	if err := s.verify(); err != nil {
		t.Error(err)
	}
}

// TestStopperWaker: an idle CPU that balances for others wakes the migration thread itself,
// through the wake list if its own cache is another one.
func TestStopperWaker(t *testing.T) {
	for smp, queued := range map[int32]int{1: 0, 2: 1} {
		w := &script{tasks: []scripted{{ops: []Op{hog()}, cpus: pinned(0)}}}
		s := newKernelSched(t, V61(4), testMachine(2, 2, 1), w, true)
		simulate(t, s, 10*millisecond)
		s.cpus[0].activeBalance, s.cpus[0].pushCPU = true, 3
		s.smp = smp
		s.wakeStopper(0)
		if got := len(s.cpus[0].wakeList); got != queued {
			t.Errorf("woken by CPU %d: %d on the wake list, want %d", smp, got, queued)
		}
	}
}

// TestStopperFirst: the migration thread runs before a deadline task.
func TestStopperFirst(t *testing.T) {
	k := V61(2)
	w := dlTasks([]SchedAttr{deadline(50*millisecond, 100*millisecond, 0)}, scripted{ops: []Op{hog()}, cpus: pinned(0)})
	s := newKernelSched(t, k, testMachine(1, 2, 1), w, true)
	simulate(t, s, 10*millisecond)
	s.cpus[0].activeBalance, s.cpus[0].pushCPU = true, 1
	s.smp = 1
	s.wakeStopper(0)
	simulate(t, s, 2*1e3)
	if got := s.cpus[0].curr; got != s.stoppers {
		t.Errorf("task %d runs", got)
	}
	simulate(t, s, millisecond)
	if got := s.cpus[0].curr; got != 0 || s.count.ActiveBalances != 0 || s.tasks[0].nivcsw != 1 {
		t.Errorf("task %d runs, %d active balances, %d involuntary switches", got, s.count.ActiveBalances, s.tasks[0].nivcsw)
	}
}

// TestSugovTask: schedutil's thread is a task that preempts a real-time one,
// works FreqWork and sleeps.
func TestSugovTask(t *testing.T) {
	m := scalingMachine(1, 1, 1)
	m.Arch, m.Vendor = "arm64", "arm"
	k := V510(1)
	w := &script{tasks: []scripted{{ops: []Op{run(30 * millisecond), sleep(30 * millisecond)}}}}
	s, err := newSched(&Config{Machine: m, Kernel: k, Workload: w, Seed: 1, CPUFreq: CPUFreq{Governor: "schedutil", Driver: "cppc_cpufreq"}})
	if err != nil {
		t.Fatal(err)
	}
	w.Start(s)
	simulate(t, s, 1000*millisecond)
	if s.count.SugovWakeups < 10 {
		t.Errorf("%d changes", s.count.SugovWakeups)
	}
	if s.count.HighClassSwitches != s.count.SugovWakeups {
		t.Errorf("%d switches for %d changes", s.count.HighClassSwitches, s.count.SugovWakeups)
	}
	thread := &s.tasks[s.sugovs]
	if thread.Name != "sugov:0" || thread.nvcsw != 0 || s.ents[thread.se].sumExec < s.count.SugovWakeups*s.cost.FreqWork/2 {
		t.Errorf("%s: %d switches, ran %d ns", thread.Name, thread.nvcsw, s.ents[thread.se].sumExec)
	}
}

// TestSchedIdleCPU: a CPU that runs only SCHED_IDLE tasks is one to wake on, from
// 5.4 on.
func TestSchedIdleCPU(t *testing.T) {
	for _, tc := range []struct {
		kernel func(int) Kernel
		want   bool
	}{{V310, false}, {V418, false}, {V59, true}, {V510, true}, {V612, true}} {
		w := &script{tasks: []scripted{
			scripted{ops: []Op{hog()}, cpus: pinned(0)}.as(SchedAttr{Policy: PolicyIdle}),
			{ops: []Op{hog()}, cpus: pinned(1), cpu: 1},
			{ops: []Op{hog()}, cpu: 1, start: 11 * millisecond},
		}}
		k := tc.kernel(2)
		s := newKernelSched(t, k, testMachine(1, 2, 1), w, true)
		simulate(t, s, 10*millisecond)
		if got := s.SchedIdleCPU(0); got != tc.want || s.SchedIdleCPU(1) {
			t.Errorf("%s: %v and %v", k.Version, got, s.SchedIdleCPU(1))
		}
		simulate(t, s, 1100*1e3)
		if got := s.cpus[0].curr == 2; got != tc.want {
			t.Errorf("%s: the task that woke beside a hog has the other CPU: %v, want %v", k.Version, got, tc.want)
		}
	}
}
