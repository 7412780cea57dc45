package schedsim

import (
	"fmt"
	"testing"
)

// oneTask is a simulation of a task of a process, not started, and its state.
func oneTask(t *testing.T, patches ...Patch) (*Sched, *Task, *numaTask) {
	t.Helper()
	w := &processes{
		script: script{tasks: hogs(2)},
		proc:   []process{{private: []Region{{Bytes: 4096, Nodes: []float64{1}}}, threads: []int{0, 1}}},
	}
	s := newNUMASched(t, numaMachine(2, 2, 1), w, patches...)
	return s, &s.tasks[0], &s.mem.tasks[0]
}

// TestScanPeriods: the shortest, the first and the longest period by resident set
// and group, as the integer formulas of v4.18 give them.
func TestScanPeriods(t *testing.T) {
	for _, tc := range []struct {
		mb, tasks, private, shared     int64
		windows, least, start, longest int64
	}{
		{100, 0, 0, 0, 1, 1000, 1000, 60000},
		{100, 32, 500, 500, 1, 1000, 16015, 960959},
		{100, 64, 200, 800, 1, 1000, 51212, 3072767},
		{100, 64, 900, 100, 1, 1000, 6457, 387452},
		{1024, 0, 0, 0, 4, 250, 250, 15000},
		{1024, 32, 500, 500, 4, 250, 4003, 240239},
		{1024, 64, 200, 800, 4, 250, 12803, 768191},
		{1024, 64, 900, 100, 4, 250, 1614, 96863},
		{4096, 0, 0, 0, 16, 100, 100, 3750},
		{4096, 32, 500, 500, 16, 100, 1601, 60059},
		{4096, 64, 900, 100, 16, 100, 645, 24215},
		{24576, 0, 0, 0, 96, 100, 100, 625},
		{24576, 64, 200, 800, 96, 100, 5121, 32007},
		{65536, 0, 0, 0, 256, 100, 100, 234},
		{65536, 32, 500, 500, 256, 100, 1601, 3747},
		{65536, 64, 900, 100, 256, 100, 645, 1511},
	} {
		t.Run(fmt.Sprintf("%d-%d-%d", tc.mb, tc.tasks, tc.shared), func(t *testing.T) {
			s, task, nt := oneTask(t)
			s.mem.mm(task).rss = tc.mb << 20 / s.mem.basePage
			if tc.tasks > 0 {
				nt.group = 0
				s.mem.groups[0].tasks = int32(tc.tasks)
				f := s.mem.groupFaultsOf(0)
				f[s.mem.at(numaMem, 0, 0)], f[s.mem.at(numaMem, 1, 1)] = tc.shared, tc.private
			}
			got := [4]int64{s.taskNrScanWindows(task), s.taskScanMin(task), s.TaskScanStart(task), s.taskScanMax(task)}
			if want := [4]int64{tc.windows, tc.least, tc.start, tc.longest}; got != want {
				t.Errorf("windows, min, start, max %v, want %v", got, want)
			}
		})
	}
}

// TestUpdateTaskScanPeriod has the cases worked out by hand: slots of a tenth of
// the period, rounded up; ratios in tenths, rounded down.
func TestUpdateTaskScanPeriod(t *testing.T) {
	for _, tc := range []struct {
		name                                string
		period                              int64
		remote, local, failed, shared, priv int64
		want                                int64
		kept                                bool // localities are not cleared
	}{
		{"all private", 1000, 50, 50, 0, 0, 100, 1300, false},             // ps 10: 3 slots of 100
		{"8 tenths private", 1000, 100, 0, 0, 20, 80, 1100, false},        // ps 8: 1
		{"7 tenths private", 1000, 100, 0, 0, 30, 70, 1100, false},        // ps 7: 0 counts as 1
		{"9 tenths local", 1000, 10, 90, 0, 90, 10, 1200, false},          // ps 1, lr 9: 2
		{"7 tenths local", 2000, 30, 70, 0, 100, 0, 2200, false},          // lr 7: 1 slot of 200
		{"shared and remote", 2000, 100, 0, 0, 100, 0, 1000, false},       // -7 slots: 600, but min 1000
		{"6 tenths private", 5000, 50, 50, 0, 40, 60, 4500, false},        // max(5, 6): -1 slot of 500
		{"half and half", 5000, 50, 50, 0, 50, 50, 4000, false},           // -2 slots
		{"slot rounded up", 1234, 0, 100, 0, 0, 100, 1234 + 3*124, false}, // ceil(123.4)
		{"6.9 tenths", 10000, 31, 69, 0, 31, 69, 9000, false},             // 6: -1
		{"at the most", 55000, 0, 100, 0, 0, 100, 60000, false},
		{"no faults", 1000, 0, 0, 0, 0, 0, 2000, true},
		{"private and remote only", 1000, 100, 0, 0, 0, 100, 2000, true}, // local+shared is 0
		{"a page stayed", 1000, 0, 100, 1, 50, 50, 2000, true},
		{"doubled to the most", 40000, 0, 0, 0, 0, 0, 60000, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, task, nt := oneTask(t)
			nt.scanPeriod, nt.scanPeriodMax = tc.period, s.taskScanMax(task)
			nt.locality = [3]int64{tc.remote, tc.local, tc.failed}
			next := s.mem.mm(task).nextScan
			s.updateTaskScanPeriod(task, tc.shared, tc.priv)
			if nt.scanPeriod != tc.want {
				t.Errorf("period %d, want %d", nt.scanPeriod, tc.want)
			}
			wantNext := next
			if tc.kept {
				wantNext = s.jiffies + (tc.want*250+999)/1000
			}
			if got := s.mem.mm(task).nextScan; got != wantNext {
				t.Errorf("next scan at %d, want %d", got, wantNext)
			}
			if cleared := nt.locality == [3]int64{}; cleared == tc.kept && tc.remote+tc.local > 0 {
				t.Errorf("localities %v", nt.locality)
			}
		})
	}
}

// TestScanReset is the table of who resets the scan period, before and with the
// patch as posted and as merged. The task prefers node 0 unless the case says
// otherwise; its period is 7777 before.
func TestScanReset(t *testing.T) {
	const period, start = 7777, 1000
	paths := map[string]func(s *Sched, task, other *Task){
		"load balance": func(s *Sched, task, other *Task) { s.moveTask(task, 2) },
		"active": func(s *Sched, task, other *Task) {
			// The current task is pushed away, as by the migration thread.
			s.takeOff(task.cpu)
			s.putOn(task, 2)
			s.schedule(0)
		},
		"swap": func(s *Sched, task, other *Task) {
			s.k.NUMAMigrateScanReset(s, task)
			s.migrateSwap(task, other)
		},
		"swapped": func(s *Sched, task, other *Task) {
			s.k.NUMAMigrateScanReset(s, other)
			s.migrateSwap(other, task)
		},
		"numa move": func(s *Sched, task, other *Task) {
			s.k.NUMAMigrateScanReset(s, task)
			s.migrateTaskTo(task, 3)
		},
		"numa move fails": func(s *Sched, task, other *Task) {
			s.k.NUMAMigrateScanReset(s, task)
			s.migrateTaskTo(task, task.cpu)
		},
		"wakeup": func(s *Sched, task, other *Task) {
			s.takeOff(task.cpu)
			task.state = taskWaking
			s.setTaskCPU(task, 2)
			s.activate(0, task)
			s.schedule(0)
		},
		"same node": func(s *Sched, task, other *Task) { s.migrateTaskTo(task, 1) },
	}
	for _, tc := range []struct {
		path                   string
		preferred, seq         int32
		base, posted, accepted bool
	}{
		{"load balance", 0, 3, false, true, true},
		{"load balance", 1, 3, false, true, false},   // to the preferred node
		{"load balance", none, 3, false, true, true}, // has none
		{"load balance", 1, 0, false, true, true},    // before the first pass is over
		{"active", 0, 3, false, true, true},
		{"swap", 0, 3, true, true, true},
		{"swap", 1, 3, true, true, false},
		{"swapped", 0, 3, false, true, true},
		{"swapped", 1, 3, false, true, false},
		{"numa move", 0, 3, true, true, true},
		{"numa move", 1, 3, true, true, false},
		{"numa move fails", 0, 3, true, false, false},
		{"wakeup", 0, 3, false, true, true},
		{"wakeup", 1, 3, false, true, false},
		{"same node", 0, 3, false, false, false},
	} {
		for _, arm := range []struct {
			name    string
			patches []Patch
			want    bool
		}{
			{"base", nil, tc.base},
			{"posted", []Patch{ScanReset}, tc.posted},
			{"merged", []Patch{ScanResetMerged}, tc.accepted},
			{"off", []Patch{ScanReset, NoNUMABalancing}, false},
		} {
			if arm.name == "off" && tc.base {
				continue // task_numa_migrate is not called at all
			}
			t.Run(fmt.Sprintf("%s-%d-%d-%s", tc.path, tc.preferred, tc.seq, arm.name), func(t *testing.T) {
				w := &processes{script: script{tasks: hogs(3)}}
				w.tasks[1].cpu = 2
				w.proc = []process{{private: []Region{{Bytes: 4096, Nodes: []float64{1}}}, threads: []int{0, 1, 2}}}
				s := newNUMASched(t, numaMachine(2, 2, 1), w, arm.patches...)
				s.k.LoadBalance, s.k.NewidleBalance = false, false
				for i := range w.tasks {
					s.tasks[i].allowed = maskOf(4, []int{int(s.tasks[i].cpu)}) // stay for now
				}
				simulate(t, s, 1e6)
				task, other := &s.tasks[0], &s.tasks[1]
				if s.cpus[0].curr != 0 || s.cpus[2].curr != 1 {
					task = &s.tasks[2]
				}
				if tc.path == "load balance" {
					// One that waits.
					task = &s.tasks[0]
					if s.cpus[0].curr == task.ID {
						task = &s.tasks[2]
					}
				}
				for i := range w.tasks {
					s.tasks[i].allowed = nil
					nt := &s.mem.tasks[i]
					nt.scanPeriod, nt.hasFaults, nt.scanSeq = period, true, tc.seq
				}
				s.setNUMA(task, tc.preferred)
				paths[tc.path](s, task, other)
				want := int64(period)
				if arm.want {
					want = start
				}
				if got := s.NUMAScanPeriod(task); got != want {
					t.Errorf("period %d, want %d", got, want)
				}
				if err := s.verify(); err != nil {
					t.Error(err)
				}
				if err := s.verifyNUMA(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// TestScanResetFork: a new task is placed without migrate_task_rq, and has no
// faults.
func TestScanResetFork(t *testing.T) {
	w := newNUMAChaos(8)
	s := newNUMASched(t, numaMachine(2, 4, 1), w, ScanReset)
	calls := 0
	inner := s.k.UpdateScanPeriod
	s.k.UpdateScanPeriod = func(s *Sched, t *Task, cpu int) {
		calls++
		if s.NUMAScanSeq(t) > 0 && s.ents[t.se].sumExec == 0 {
			panic("a task that never ran has accounted a pass")
		}
		inner(s, t, cpu)
	}
	simulate(t, s, 300e6)
	if s.count.NUMACrossNode != int64(calls) || calls == 0 {
		t.Errorf("%d calls, %d moves across nodes", calls, s.count.NUMACrossNode)
	}
}

// TestScanResetShadow: with the base as acting kernel and the patch as its shadow
// the run is the base's, and moves that the patch would reset are counted.
func TestScanResetShadow(t *testing.T) {
	m := numaMachine(2, 4, 2)
	run := func(shadow bool) *Sched {
		w := newNUMAChaos(20)
		k := V418(len(m.CPUs))
		cfg := Config{Machine: m, Kernel: k, Workload: w, Seed: 1}
		if shadow {
			other := k.With(ScanReset)
			cfg.Shadow = &other
		}
		s, err := newSched(&cfg)
		if err != nil {
			t.Fatal(err)
		}
		w.Start(s)
		simulate(t, s, 2500e6)
		return s
	}
	a, b := run(false), run(true)
	if a.trace.hash != b.trace.hash {
		t.Error("the shadow changes the run")
	}
	if c := &b.count; c.ShadowDecisions != c.NUMACrossNode || c.ShadowDiffers == 0 {
		t.Errorf("%d decisions of %d moves, %d differ", c.ShadowDecisions, c.NUMACrossNode, c.ShadowDiffers)
	}
}
