package schedsim

import (
	"testing"
	"time"
)

// sampled runs one pinned hog under ondemand for a second of warm-up and
// another that is counted.
func sampled(t *testing.T, work int64, rate time.Duration) (s *Sched, hog Counters) {
	t.Helper()
	w := &script{tasks: hogs(1)}
	w.tasks[0].cpus = pinned(0)
	f := ondemand
	f.SamplingRate = rate
	s = newFreqSched(t, scalingMachine(1, 1, 1), w, f)
	s.cost.FreqWork = work
	simulate(t, s, time.Second)
	before := s.count
	simulate(t, s, time.Second)
	after := s.count
	return s, Counters{
		KworkerWakeups:    after.KworkerWakeups - before.KworkerWakeups,
		KworkerSwitches:   after.KworkerSwitches - before.KworkerSwitches,
		InvoluntarySwitch: after.InvoluntarySwitch - before.InvoluntarySwitch,
		VoluntarySwitches: after.VoluntarySwitches - before.VoluntarySwitches,
		Wakeups:           after.Wakeups - before.Wakeups,
	}
}

// TestKworkerSwitches: a sample on a busy CPU makes two switches: the hog is
// preempted, and the kworker sleeps. Only the first is the workload's.
func TestKworkerSwitches(t *testing.T) {
	for rate, want := range map[time.Duration]int64{4 * time.Millisecond: 250, 8 * time.Millisecond: 125, 10 * time.Millisecond: 83} {
		_, n := sampled(t, 20_000, rate)
		// The hook runs at ticks: every one, every second, every third.
		if n.KworkerWakeups < want-2 || n.KworkerWakeups > want+2 {
			t.Errorf("every %v: %d samples a second, want %d", rate, n.KworkerWakeups, want)
		}
		if n.KworkerSwitches != n.KworkerWakeups || n.InvoluntarySwitch != n.KworkerWakeups {
			t.Errorf("every %v: %d samples, %d switches of kworkers and %d of the hog", rate, n.KworkerWakeups, n.KworkerSwitches, n.InvoluntarySwitch)
		}
		if n.VoluntarySwitches != 0 || n.Wakeups != 0 {
			t.Errorf("every %v: the workload has %d switches and %d wakeups too many", rate, n.VoluntarySwitches, n.Wakeups)
		}
	}
}

// TestKworkerLoad: what a kworker adds to its CPU's load, against the steady
// states of load tracking for a task of weight 1024 that runs once in 4 ms. On
// top of its work it waits for the switch to it.
func TestKworkerLoad(t *testing.T) {
	for work, want := range map[int64]int64{10_000: 2, 20_000: 4, 40_000: 9, 50_000: 12} {
		s, _ := sampled(t, work, 4*time.Millisecond)
		load, n := int64(0), int64(0)
		for range 400 {
			simulate(t, s, 100*time.Microsecond)
			load += s.ents[s.tasks[s.kworkers].se].avg.load
			n++
		}
		got := float64(load) / float64(n)
		if got < float64(want)-1 || got > float64(want)+2 {
			t.Errorf("%d ns every 4 ms: load %.1f, want about %d", work, got, want)
		}
	}
}

// TestKworkersAreNoTasks: they take no task of the workload's and no number of
// one, never leave their CPU, and are counted apart.
func TestKworkersAreNoTasks(t *testing.T) {
	w := newChaos(24, true)
	s := newFreqSched(t, testMachine(2, 2, 2), w, ondemand)
	simulate(t, s, 300*time.Millisecond)
	if s.born < int32(w.n) || s.born > int32(w.max) || s.kworkers != int32(w.max) {
		t.Errorf("%d tasks born, the first kworker is %d", s.born, s.kworkers)
	}
	for _, ci := range s.online {
		k := &s.tasks[s.kworkers+ci]
		if k.cpu != ci || !k.kthread || k.nivcsw != 0 {
			t.Errorf("kworker of CPU %d: %+v", ci, k)
		}
	}
	if s.count.KworkerWakeups < 100 || s.count.KworkerSwitches == 0 {
		t.Errorf("%d wakeups, %d switches", s.count.KworkerWakeups, s.count.KworkerSwitches)
	}
	_, _, ns := s.frequencyTotals()
	if perRun := ns / s.count.KworkerWakeups; perRun < s.cost.FreqWork/2 || perRun > 6*s.cost.FreqWork {
		t.Errorf("a run takes %d ns", perRun)
	}
}

// TestNoSampleInIdle: a CPU that sleeps without a tick takes no sample, and
// keeps what it asked for last.
func TestNoSampleInIdle(t *testing.T) {
	w := &script{tasks: []scripted{{ops: []Op{run(100 * time.Millisecond)}, cpus: pinned(0), once: true}}}
	s := newFreqSched(t, scalingMachine(1, 1, 1), w, ondemand)
	simulate(t, s, 300*time.Millisecond)
	before := s.count.KworkerWakeups
	simulate(t, s, time.Second)
	if before < 20 || s.count.KworkerWakeups != before {
		t.Errorf("%d samples, then %d while asleep", before, s.count.KworkerWakeups-before)
	}
	if got := s.freq.policies[0].cur; got < 3_000_000 {
		t.Errorf("asks for %d kHz", got)
	}
}
