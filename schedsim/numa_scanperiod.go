package schedsim

// How often a task scans, in ms, and how that follows from its faults.

// taskNrScanWindows is how many pieces of scan_size the resident set has.
func (s *Sched) taskNrScanWindows(t *Task) int64 {
	pages := s.k.NUMAScanSize << 20 / s.mem.basePage
	rss := s.mem.mm(t).rss
	if rss == 0 {
		rss = pages
	}
	return (rss + pages - 1) / pages
}

// taskScanMin is task_scan_min.
func (s *Sched) taskScanMin(t *Task) int64 {
	windows := int64(1)
	if s.k.NUMAScanSize < maxScanWindow {
		windows = maxScanWindow / s.k.NUMAScanSize
	}
	return max(1000/windows, s.k.NUMAScanPeriodMin/s.taskNrScanWindows(t))
}

// groupScale scales a period with the tasks of the group and the share of its
// faults that is shared.
func (s *Sched) groupScale(t *Task, period int64) int64 {
	g := s.mem.tasks[t.ID].group
	if g == none {
		return period
	}
	shared, private := s.mem.groupFaultsKind(g)
	return scalePeriod(period, int64(s.mem.groups[g].tasks), shared, private)
}

func scalePeriod(period, refcount, shared, private int64) int64 {
	return period * refcount * (shared + 1) / (private + shared + 1)
}

// TaskScanStart is task_scan_start, in ms: the period of a task that is to find
// its place anew. In a group it is longer, and it may be longer than the one that
// the task has.
func (s *Sched) TaskScanStart(t *Task) int64 {
	smin := s.taskScanMin(t)
	return max(smin, s.groupScale(t, smin))
}

// taskScanMax is task_scan_max.
func (s *Sched) taskScanMax(t *Task) int64 {
	smax := s.k.NUMAScanPeriodMax / s.taskNrScanWindows(t)
	return max(s.taskScanMin(t), smax, s.groupScale(t, smax))
}

// The period changes by tenths: with seven tenths of the faults private, or
// local, and more it grows.
const (
	numaPeriodSlots     = 10
	numaPeriodThreshold = 7
)

// updateTaskScanPeriod is update_task_scan_period, once a pass over the memory.
func (s *Sched) updateTaskScanPeriod(t *Task, shared, private int64) {
	nt := &s.mem.tasks[t.ID]
	remote, local, failed := nt.locality[0], nt.locality[1], nt.locality[2]
	if local+shared == 0 || failed > 0 {
		// Nothing to see, or too fast for the migration of pages. The counts are
		// not cleared: a task with one failure comes here at each pass from then
		// on.
		nt.scanPeriod = min(nt.scanPeriodMax, nt.scanPeriod<<1)
		s.mem.mm(t).nextScan = s.jiffies + s.msecsToJiffies(nt.scanPeriod)
		s.count.NUMAPeriodDoubled++
		return
	}
	nt.scanPeriod = min(max(nt.scanPeriod+periodChange(nt.scanPeriod, remote, local, shared, private),
		s.taskScanMin(t)), s.taskScanMax(t))
	nt.locality = [3]int64{}
}

// periodChange is by how much a period changes.
func periodChange(period, remote, local, shared, private int64) int64 {
	slot := (period + numaPeriodSlots - 1) / numaPeriodSlots
	lr, ps := int64(0), int64(0)
	if local+remote > 0 {
		lr = local * numaPeriodSlots / (local + remote)
	}
	if private+shared > 0 {
		ps = private * numaPeriodSlots / (private + shared)
	}
	switch {
	case ps >= numaPeriodThreshold:
		return max(ps-numaPeriodThreshold, 1) * slot
	case lr >= numaPeriodThreshold:
		return max(lr-numaPeriodThreshold, 1) * slot
	}
	return -(numaPeriodThreshold - max(lr, ps)) * slot
}
