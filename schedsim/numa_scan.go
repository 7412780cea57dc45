package schedsim

// The scanner: protecting pages a piece at a time, so that touching them faults.

// maxScanWindow is MAX_SCAN_WINDOW, MB/s: what is scanned at most.
const maxScanWindow = 2560

// tickNUMA is task_tick_numa: each scan_period of its own CPU time a task offers
// to scan, and does if its address space is due.
func (s *Sched) tickNUMA(t *Task) {
	m := s.mem
	nt := &m.tasks[t.ID]
	if nt.mm == MM(none) {
		return
	}
	space := &m.mms[nt.mm]
	if space.touchable > 0 && space.touched != s.jiffies {
		s.touchMemory(nt.mm)
	}
	if !s.k.NUMABalancing || nt.work || t.class != classFair {
		return
	}
	period := nt.scanPeriod * 1e6
	if s.ents[t.se].sumExec <= nt.nodeStamp+period {
		return
	}
	if nt.nodeStamp == 0 {
		nt.scanPeriod = s.TaskScanStart(t)
	}
	nt.nodeStamp += period
	if s.jiffies >= space.nextScan {
		nt.work = true
	}
}

// numaReturn is the current task of ci on its way back to user mode: it scans if
// it is to (task_work_run), and goes on to touch what was protected. Both may
// move it to another CPU, which ends it.
func (s *Sched) numaReturn(ci int32) {
	c := &s.cpus[ci]
	if c.curr == none || c.act != actRun {
		return
	}
	t := &s.tasks[c.curr]
	nt := &s.mem.tasks[t.ID]
	if nt.mm == MM(none) {
		return
	}
	work := nt.owed
	nt.owed = 0
	if nt.work {
		nt.work = false
		work += s.taskNUMAWork(ci, t)
	}
	if work > 0 {
		s.charge(ci, 0, work)
	}
	if len(nt.pending) > 0 {
		s.takeFaults(ci, t)
		if c.curr != t.ID || c.act != actRun {
			return
		}
	}
	s.setMemorySpeed(ci)
	s.count.MemTicks++
	s.count.MemLocal += nt.local
}

// taskNUMAWork is task_numa_work. It returns the work that it takes.
func (s *Sched) taskNUMAWork(ci int32, t *Task) int64 {
	m := s.mem
	nt := &m.tasks[t.ID]
	space := &m.mms[nt.mm]
	if space.nextScan == 0 {
		space.nextScan = s.jiffies + s.msecsToJiffies(s.k.NUMAScanDelay)
	}
	if s.jiffies < space.nextScan {
		return 0
	}
	if nt.scanPeriod == 0 {
		nt.scanPeriodMax = s.taskScanMax(t)
		nt.scanPeriod = s.TaskScanStart(t)
	}
	space.nextScan = s.jiffies + s.msecsToJiffies(nt.scanPeriod)
	// Let another task win the next time.
	nt.nodeStamp += 2 * s.tickNS

	if space.touched != s.jiffies {
		s.touchMemory(nt.mm) // what was touched before was not protected
	}
	s.count.NUMAScans++
	work := s.scanPages(t, space)
	// The kernel sees its own run time where a tick accounts it meanwhile. The
	// scan begins at one.
	if took := s.scale(&s.cpus[ci], work); took >= s.tickNS {
		nt.nodeStamp += 32 * (took - took%s.tickNS)
	}
	return work
}

// scanPages protects scan_size of pages that were not, from the address where
// the last scan ended.
func (s *Sched) scanPages(t *Task, space *mm) (work int64) {
	m := s.mem
	pages := s.k.NUMAScanSize << 20 / m.basePage
	virtual := 8 * pages
	if pages == 0 {
		return 0
	}
	if int(space.scanMap) >= len(space.maps) {
		space.resetScan()
	}
	// Pages of a single-threaded process that are local already are left alone.
	target := none
	if len(space.tasks) == 1 {
		target = m.nodeOf[t.cpu]
	}
	for int(space.scanMap) < len(space.maps) {
		mp := &space.maps[space.scanMap]
		r := &m.regions[mp.region]
		if mp.gone || r.HugeTLB {
			space.scanMap++
			space.scanBlock = 0
			continue
		}
		for {
			per := r.group * r.span
			end := min(space.scanBlock+int32((pages+per-1)/per), int32(len(r.block)))
			from := space.scanBlock
			changed := s.protect(space, mp, r, from, end, target)
			covered := min(int64(end)*per, r.units*r.span) - int64(from)*per
			if changed > 0 {
				pages -= covered
				work += changed / r.span * r.scanWork
			}
			virtual -= covered
			space.scanBlock = end
			done := int(end) == len(r.block)
			if done {
				space.scanMap++
				space.scanBlock = 0
			}
			if pages <= 0 || virtual <= 0 {
				// At the end of the last region the next scan finds that there
				// is nothing, as the kernel's does.
				return work
			}
			if done {
				break
			}
		}
	}
	space.resetScan()
	return work
}

// protect is change_prot_numa of the blocks from up to end. It returns how many
// base pages it changed.
func (s *Sched) protect(space *mm, mp *mapping, r *region, from, end, target int32) int64 {
	changed := int64(0)
	single := target != none && !r.Shared && r.span == 1
	for b := from; b < end; b++ {
		if mp.state[b] != pagePresent || r.block[b].node == none || single && r.block[b].node == target {
			continue
		}
		mp.state[b] = pageProtected
		mp.protected = append(mp.protected, b)
		space.touchable++
		changed += r.unitsOf(b) * r.span
	}
	s.count.NUMAPTEUpdates += changed
	return changed
}

// resetScan ends a pass over the address space (reset_ptenuma_scan).
func (space *mm) resetScan() {
	space.scanSeq++
	space.scanMap, space.scanBlock = 0, 0
}
