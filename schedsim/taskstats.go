package schedsim

// TaskStats are what a task used and where its averages are: of
// /proc/PID/sched and getrusage.
type TaskStats struct {
	// ExecNS is how long it was current (sum_exec_runtime, up to now), ns.
	ExecNS int64
	// Voluntary and Involuntary are its switches (nr_voluntary_switches and
	// nr_involuntary_switches).
	Voluntary, Involuntary int64
	// LoadAvg, RunnableAvg and UtilAvg are se.avg: of a fair task that sleeps or waits
	// for its CPU as they would be if it woke or ran now, else as of their last update.
	LoadAvg, RunnableAvg, UtilAvg int64
}

// TaskStats returns the figures of a task that was created.
func (s *Sched) TaskStats(t *Task) TaskStats {
	e := &s.ents[t.se]
	c := &s.cpus[t.cpu]
	avg := e.avg
	if t.state == taskSleeping && avg.lastUpdate != 0 && c.curr == none {
		if avg.accumulate(s.now-c.lostIdle, 0, 0, false) {
			avg.average(s.weightOf(t.se))
		}
	}
	if t.state == taskRunning && t.class == classFair && e.onRQ && c.curr != t.ID && s.pelt == peltScaledClock {
		now := c.peltClock + (s.now-c.peltAt)*c.freqScale>>10 - c.lostIdle
		if avg.accumulate(now, 1, 1, false) {
			avg.average(s.weightOf(t.se))
		}
	}
	st := TaskStats{
		ExecNS:    e.sumExec,
		Voluntary: int64(t.nvcsw), Involuntary: int64(t.nivcsw),
		LoadAvg: avg.load, RunnableAvg: avg.runnable, UtilAvg: avg.util,
	}
	if c.curr == t.ID {
		st.ExecNS += max(s.now-e.execStart, 0)
	}
	return st
}
