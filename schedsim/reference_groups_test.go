package schedsim

import (
	"testing"
	"time"
)

// TestReferenceGroups runs the scenarios with task groups that real 6.1 kernels
// ran. 6.1 schedules these cases by the same code as 5.10. Switches of
// hackbench-group are not compared: here its receivers run once a message, on the
// slow virtual CPUs of the reference they find several.
func TestReferenceGroups(t *testing.T) {
	in := func(group int32, ops ...Op) scripted {
		return joined(group, scripted{ops: ops, cpus: pinned(0)})
	}
	us := func(n int) Op { return run(time.Duration(n) * time.Microsecond) }
	post := func(ch int32) Op { return Op{Kind: OpSend, Arg: ch, Sync: true} }
	var hackbench []scripted
	for i := range int32(8) {
		hackbench = append(hackbench,
			joined(1, scripted{ops: []Op{us(80), post(i), post(i), us(40)}}),
			joined(1, scripted{ops: []Op{recv(i), us(50)}}))
	}
	for _, tc := range []struct {
		name    string
		cpus    int
		weights []int64
		tasks   []scripted
		names   []string
		length  time.Duration
		// Slack beyond the spread of the boots.
		share, switches float64
	}{
		{"groups-one-three", 2, []int64{100, 100}, []scripted{in(1, hog()), in(2, hog()), in(2, hog()), in(2, hog())},
			[]string{"t_a1", "t_b1", "t_b2", "t_b3"}, 3 * time.Second, .01, 3},
		{"groups-weight", 2, []int64{100, 300}, []scripted{in(1, hog()), in(2, hog())},
			[]string{"t_a1", "t_b1"}, 3 * time.Second, .01, 3},
		{"hackbench-group", 4, []int64{100}, hackbench,
			[]string{"t_s0", "t_r0", "t_s1", "t_r1", "t_s2", "t_r2", "t_s3", "t_r3"}, 4 * time.Second, .05, -1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			reference := readReferenceFile(t, "testdata/reference-groups-6.1.csv")
			s := newGroupSched(t, V510(tc.cpus), tc.cpus, tc.tasks, 8, func(s *Sched) {
				for _, w := range tc.weights {
					s.NewGroup("group", 0, SharesFromWeight(w))
				}
			})
			simulate(t, s, tc.length)
			for i, name := range tc.names {
				o := reference[tc.name+"/"+name]
				if o == nil {
					t.Fatalf("no reference for %s", name)
				}
				if got := s.shareOf(i); !within(got, o.share, tc.share) {
					t.Errorf("%s: share of a CPU %.3f, real kernels %s", name, got, spread(o.share))
				}
				if got := float64(s.tasks[i].nivcsw) / tc.length.Seconds(); tc.switches >= 0 && !within(got, o.involuntary, tc.switches) {
					t.Errorf("%s: involuntary switches a second %.3f, real kernels %s", name, got, spread(o.involuntary))
				}
			}
		})
	}
}

// idlePrevTest is the test that 5.11 added: an idle previous CPU is as good as the
// waker's.
var idlePrevTest = Patch{Name: "idle-prev", Apply: func(k *Kernel) {
	base := k.WakeAffineIdle
	k.WakeAffineIdle = func(s *Sched, thisCPU, prevCPU int, sync bool) int {
		if cpu := base(s, thisCPU, prevCPU, sync); cpu != -1 {
			return cpu
		}
		if s.IdleCPU(prevCPU) {
			return prevCPU
		}
		return -1
	}
}}

// TestReferenceIdlePrev: six threads of a group with a small weight are woken from
// CPU 0, with a short daemon of the root group on each other CPU of two sockets.
// Real kernels pull them to the waker's CPU at 99.4 to 99.6 % of the wakeups for
// which they ask wake_affine, with the test for an idle previous CPU at 3.2 to 3.8 %,
// and with all tasks in the root group at 0 to 0.3 %.
func TestReferenceIdlePrev(t *testing.T) {
	for _, tc := range []struct {
		name     string
		group    bool
		patches  []Patch
		low, top float64
	}{
		{"group", true, nil, .98, 1},
		{"group-idle-prev", true, []Patch{idlePrevTest}, .01, .05},
		{"flat", false, nil, 0, .005},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			group := int32(0)
			if tc.group {
				group = 1
			}
			src := scripted{cpus: pinned(0)}
			for i := range int32(6) {
				src.ops = append(src.ops, Op{Kind: OpSend, Arg: i})
			}
			src.ops = append(src.ops, run(1500*time.Microsecond), sleep(8*ms))
			w := &withGroups{script: &script{channels: 6, tasks: []scripted{joined(group, src)}}, make: func(s *Sched) {
				s.NewGroup("a", 0, SharesFromWeight(3))
			}}
			for i := range int32(6) {
				w.tasks = append(w.tasks, joined(group, scripted{ops: []Op{recv(i), run(700 * time.Microsecond)}, cpu: 1 + int(i)}))
			}
			for i := 1; i < 16; i++ {
				w.tasks = append(w.tasks, scripted{cpus: pinned(i), cpu: i, start: time.Duration((i-1)%8+1) * ms,
					ops: []Op{run(100 * time.Microsecond), sleep(9 * ms)}})
			}
			k := V510(16).With(tc.patches...)
			k.Autogroup = false
			asked := int64(0)
			idle := k.WakeAffineIdle
			k.WakeAffineIdle = func(s *Sched, thisCPU, prevCPU int, sync bool) int {
				asked++
				return idle(s, thisCPU, prevCPU, sync)
			}
			m := testMachine(2, 8, 1)
			for i := range m.CPUs {
				m.CPUs[i].Node = 0 // one node, as QEMU builds it
			}
			m.Distances = m.Distances[:1]
			m.Distances[0] = m.Distances[0][:1]
			m.Transfer.Remote[10] = m.Transfer.Remote[20]
			s, err := newSched(&Config{Machine: m, Kernel: k, Workload: w, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			w.Start(s)
			simulate(t, s, 6*time.Second)
			pulled := float64(s.count.WakeAffinePulls) / float64(asked)
			if pulled < tc.low || pulled > tc.top || asked < 1000 {
				t.Errorf("%.1f %% of %d wakeups pulled to the waker's CPU, want %g to %g", 100*pulled, asked, 100*tc.low, 100*tc.top)
			}
		})
	}
}
