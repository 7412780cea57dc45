package schedsim

import (
	"testing"
	"time"
)

// TestAutogroup: sessions share a CPU, not tasks; without autogroup tasks do. A
// cgroup takes precedence, and so does the root's session.
func TestAutogroup(t *testing.T) {
	for _, tc := range []struct {
		name     string
		on       bool
		sessions []int // of the tasks; 2 is a second one
		cgroup   []int // 1 is "a" if autogroup is off
		want     []float64
	}{
		{"one-session", true, []int{1, 1, 1}, nil, []float64{1. / 3, 1. / 3, 1. / 3}},
		{"two-sessions", true, []int{1, 2, 2, 2}, nil, []float64{1. / 2, 1. / 6, 1. / 6, 1. / 6}},
		{"off", false, []int{1, 2, 2, 2}, nil, []float64{1. / 4, 1. / 4, 1. / 4, 1. / 4}},
		// A daemon in the root group beside a session with two tasks.
		{"root", true, []int{1, 1, 0}, nil, []float64{1. / 4, 1. / 4, 1. / 2}},
		{"cgroup", true, []int{1, 1, 2}, []int{0, 1, 1}, []float64{1. / 2, 1. / 4, 1. / 4}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			w := &script{tasks: hogs(len(tc.sessions))}
			s := newTestSched(t, testMachine(1, 1, 1), w, !tc.on)
			s.NewSession()
			a := s.NewGroup("a", 0, 1024)
			for i, session := range tc.sessions {
				s.SetSession(&s.tasks[i], session)
				if tc.cgroup != nil {
					s.MoveTask(&s.tasks[i], tc.cgroup[i]*a)
				}
			}
			simulate(t, s, 6*time.Second)
			for i, want := range tc.want {
				if got := s.shareOf(i); !around(got, want, .015) {
					t.Errorf("task %d: %.3f of the CPU, want %.3f", i, got, want)
				}
			}
			if err := s.verify(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestSessionIsInherited: children are in their parent's session, and a task that
// leaves its cgroup is in it again.
func TestSessionIsInherited(t *testing.T) {
	w := &script{tasks: []scripted{
		{ops: []Op{run(time.Millisecond), {Kind: OpFork, Arg: 1}, hog()}},
		{ops: []Op{hog()}, child: true},
	}}
	s := newTestSched(t, testMachine(1, 2, 1), w, false)
	session := s.NewSession()
	a := s.NewGroup("a", 0, 1024)
	s.SetSession(&s.tasks[0], session)
	simulate(t, s, 100*time.Millisecond)
	child := &s.tasks[1]
	want := s.SessionGroup(session)
	if child.session != int32(session) || int(child.group) != want || want == 0 {
		t.Fatalf("child in session %d, group %d, want %d, %d", child.session, child.group, session, want)
	}
	s.MoveTask(child, a)
	if int(child.group) != a {
		t.Errorf("group %d, want the cgroup %d", child.group, a)
	}
	s.MoveTask(child, 0)
	if int(child.group) != want {
		t.Errorf("group %d, want the session's %d", child.group, want)
	}
	if name := s.GroupStats(want).Name; name != "/autogroup-2" {
		t.Errorf("the session's group is %q", name)
	}
	if got := s.SessionGroup(99); got != 0 {
		t.Errorf("group %d of a session that is not there", got)
	}
}
