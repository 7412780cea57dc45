package schedsim

// Wakeups of many by one: record_wakee and wake_wide, in kernels since 3.12. They
// are the same in all of them.

// waker is current of a CPU as wake_wide knows it. Of an idle CPU that is its idle
// task: a timer that wakes a task counts as a flip of whom it interrupted, be it a
// program or the idle task.
func (s *Sched) waker(cpu int) *Task {
	if t := s.Current(cpu); t != nil {
		return t
	}
	return &s.idleTasks[cpu]
}

// recordWakee counts how often a waker changes whom it wakes (record_wakee). The
// count is halved, once, by the first wakeup more than a second after the last
// time.
func (s *Sched) recordWakee(waker, t *Task) {
	if s.jiffies > waker.wakeeFlipDecay+int64(s.k.HZ) {
		waker.wakeeFlips >>= 1
		waker.wakeeFlipDecay = s.jiffies
	}
	if waker.lastWakee != t.ID {
		waker.lastWakee = t.ID
		waker.wakeeFlips++
	}
}

// wakeWide is wake_wide: one of the two wakes so many others that pulling the
// wakee to the waker would crowd its LLC.
func wakeWide(s *Sched, waker, t *Task, thisCPU int) bool {
	master, slave := waker.wakeeFlips, t.wakeeFlips
	factor := int32(len(s.llcFrom[thisCPU])) // sd_llc_size
	if master < slave {
		master, slave = slave, master
	}
	return slave >= factor && master >= slave*factor
}
