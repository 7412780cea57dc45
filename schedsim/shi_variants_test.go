package schedsim

import "testing"

// Without one of its patches, the series is the sum of the others.
func TestNoRunnableLoadPatch(t *testing.T) {
	whole := V310(1).With(RunnableLoad)
	for i := 3; i <= len(runnableLoadPatches); i++ {
		p := noRunnableLoadPatch(i)
		t.Run(p.Name, func(t *testing.T) {
			k := V310(1)
			for j := range runnableLoadPatches {
				if j+1 != i {
					k = k.With(runnableLoadPatch(j + 1))
				}
			}
			without := whole.With(p)
			if without.RunnableLoad != k.RunnableLoad || without.Err() != nil {
				t.Errorf("%+v (%v), want %+v", without.RunnableLoad, without.Err(), k.RunnableLoad)
			}
			if without.RunnableLoad == whole.RunnableLoad {
				t.Error("nothing was taken out")
			}
			if bare := V310(1).With(p); bare.RunnableLoad != V310(1).RunnableLoad {
				t.Errorf("base becomes %+v", bare.RunnableLoad)
			}
		})
	}
}

// A CPU's load has the sleepers' as well, and a task's h_load is its load where it
// is in the root group.
func TestRunnableLoadVariants(t *testing.T) {
	k := V310(8).With(RunnableLoad, RunnableLoadBlocked)
	s := newUnit(t, k, 1, false)
	l := &s.cfsV310[0]
	l.runnable, l.blocked = 300, 500
	if got := s.weightedCPULoad(0); got != 800 {
		t.Errorf("load %d, want 800", got)
	}
	s.k.RunnableLoad.Blocked = false
	if got := s.weightedCPULoad(0); got != 300 {
		t.Errorf("load %d without the variant, want 300", got)
	}
	task := &s.tasks[0]
	s.ents[task.se].avg.load = 150
	s.cfs[0].hLoadJiffy = -1
	if got := s.taskHLoad(task); got != 0 {
		t.Errorf("h_load %d with patch 7, want 0", got)
	}
	s.k.RunnableLoad.HLoadFixed = true
	s.cfs[0].hLoadJiffy = -1
	if got := s.taskHLoad(task); got != 150*300/301 {
		t.Errorf("h_load %d, want %d", got, 150*300/301)
	}
}
