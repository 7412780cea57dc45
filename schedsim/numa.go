package schedsim

import "fmt"

// Automatic NUMA balancing: the task's side. v4.18 is plain; Features says what
// the series of 2018 changed on the way to v4.19, which v5.9 has too. Others have a model of
// memory but none of NUMA balancing.

// numaTask is what struct task_struct has for NUMA balancing.
type numaTask struct {
	mm        MM
	intensity float64
	access    []Access
	speed     int64
	local     int64 // per mille of accesses

	speedVersion uint32
	speedNode    int32

	ran     float64 // CPU time since the last touch, ns
	settled int64   // sum_exec_runtime then
	owed    int64   // work of page faults, ns
	pending []hintFault

	scanPeriod    int64 // numa_scan_period, ms
	scanPeriodMax int64
	scanSeq       int32 // numa_scan_seq
	preferred     int32 // numa_preferred_nid
	nodeStamp     int64 // node_stamp, ns of CPU time
	migrateRetry  int64 // numa_migrate_retry, jiffies
	work          bool  // numa_work is queued
	hasFaults     bool  // p->numa_faults
	group         int32 // numa_group
	totalFaults   int64 // total_numa_faults
	locality      [3]int64
	lastPlacement int64 // last_task_numa_placement
	lastSumExec   int64 // last_sum_exec_runtime
	pagesMigrated int64
}

// hintFault is a protected page that the task touched and did not fault on yet.
type hintFault struct{ at, block int32 }

// checkNUMA reports tunables that NUMA balancing cannot work with.
func checkNUMA(field string, k *Kernel) error {
	if !k.NUMABalancing {
		return nil
	}
	if k.UpdateScanPeriod == nil || k.NUMAMigrateScanReset == nil {
		return fmt.Errorf("schedsim: Config.%s has NUMABalancing on and no model of it, use v4.18", field)
	}
	for _, v := range []struct {
		name  string
		value int64
	}{
		{"NUMAScanDelay", k.NUMAScanDelay}, {"NUMAScanPeriodMin", k.NUMAScanPeriodMin},
		{"NUMAScanPeriodMax", k.NUMAScanPeriodMax}, {"NUMAScanSize", k.NUMAScanSize},
	} {
		if v.value < 1 || v.value > 1e6 {
			return fmt.Errorf("schedsim: Config.%s.%s is %d with NUMABalancing on, give 1 to 1000000", field, v.name, v.value)
		}
	}
	return nil
}

func newNUMATask() numaTask {
	return numaTask{mm: MM(none), preferred: none, group: none, speedNode: none}
}

// initNUMABalancing is init_numa_balancing of a task that joins an address space,
// with parent as a thread that it created or nil.
func (s *Sched) initNUMABalancing(parent, t *Task, id MM) {
	m := s.memoryNeeded()
	space, nt := &m.mms[id], &m.tasks[t.ID]
	space.tasks = append(space.tasks, t.ID)
	preferred := none
	if parent != nil {
		preferred = m.tasks[parent.ID].preferred
	}
	*nt = newNUMATask()
	nt.mm, nt.preferred = id, preferred
	nt.settled = s.ranSoFar(t)
	if !s.k.NUMABalancing {
		return
	}
	if len(space.tasks) == 1 {
		space.nextScan = s.jiffies + s.msecsToJiffies(s.k.NUMAScanDelay)
		space.scanSeq = 0
	}
	nt.scanSeq = space.scanSeq
	nt.scanPeriod = s.k.NUMAScanDelay
	if len(space.tasks) > 1 {
		// The kernel takes the smaller of a time in ms and one in ns here, for
		// a time in ns: what staggers the threads is the two ticks.
		from := t
		if parent != nil {
			from = parent
		}
		delay := min(s.taskScanMax(from), m.tasks[from.ID].scanPeriod*int64(len(space.tasks))*1e6)
		nt.nodeStamp = delay + 2*s.tickNS
	}
}

// Node returns the node of a CPU.
func (s *Sched) Node(cpu int) int { return s.m.CPUs[cpu].Node }

// HasMM reports whether the task has memory (p->mm).
func (s *Sched) HasMM(t *Task) bool { return s.mem.tasks[t.ID].mm != MM(none) }

// HasNUMAFaults reports whether the task took a hinting fault (p->numa_faults).
func (s *Sched) HasNUMAFaults(t *Task) bool { return s.mem.tasks[t.ID].hasFaults }

// NUMAPreferredNode returns p->numa_preferred_nid, or -1.
func (s *Sched) NUMAPreferredNode(t *Task) int {
	if s.mem == nil {
		return -1
	}
	return int(s.mem.tasks[t.ID].preferred)
}

// NUMAScanSeq returns p->numa_scan_seq: how many passes over its memory the task
// accounted.
func (s *Sched) NUMAScanSeq(t *Task) int { return int(s.mem.tasks[t.ID].scanSeq) }

// NUMAScanPeriod returns p->numa_scan_period, in ms.
func (s *Sched) NUMAScanPeriod(t *Task) int64 { return s.mem.tasks[t.ID].scanPeriod }

// SetNUMAScanPeriod sets p->numa_scan_period, in ms.
func (s *Sched) SetNUMAScanPeriod(t *Task, ms int64) {
	if !s.dry {
		s.count.NUMAScanResets++
	}
	s.mem.tasks[t.ID].scanPeriod = ms
}

// setNUMA is sched_setnuma: another preferred node. The kernel takes the task off
// the queue and puts it back; only the counts that change by that are modelled.
func (s *Sched) setNUMA(t *Task, node int32) {
	nt := &s.mem.tasks[t.ID]
	if t.onRQ {
		s.accountNUMA(t, -1)
	}
	nt.preferred = node
	if t.onRQ {
		s.accountNUMA(t, 1)
	}
}

// accountNUMA is account_numa_enqueue and account_numa_dequeue.
func (s *Sched) accountNUMA(t *Task, d int32) {
	p := s.mem.tasks[t.ID].preferred
	if p == none {
		return
	}
	c := &s.mem.cpu[t.cpu]
	c.nrNUMA += d
	if p == s.mem.nodeOf[t.cpu] {
		c.nrPreferred += d
	}
}

// numaMigrateTaskRQ is what NUMA balancing does in migrate_task_rq_fair.
func (s *Sched) numaMigrateTaskRQ(t *Task, newCPU int32) {
	m := s.mem
	if !s.k.NUMABalancing || m.tasks[t.ID].mm == MM(none) || m.nodeOf[t.cpu] == m.nodeOf[newCPU] {
		return
	}
	s.count.NUMACrossNode++
	if s.shadow.scan {
		// What would the other kernel make of it?
		before := m.tasks[t.ID].scanPeriod
		s.dry = true
		s.shadow.k.UpdateScanPeriod(s, t, int(newCPU))
		s.dry = false
		other := m.tasks[t.ID].scanPeriod
		m.tasks[t.ID].scanPeriod = before
		s.k.UpdateScanPeriod(s, t, int(newCPU))
		s.count.ShadowDecisions++
		if m.tasks[t.ID].scanPeriod != other {
			s.count.ShadowDiffers++
		}
		return
	}
	s.k.UpdateScanPeriod(s, t, int(newCPU))
}

// noScanReset is migrate_task_rq_fair of v4.18: a move changes no scan period.
func noScanReset(*Sched, *Task, int) {}

// resetScanPeriod is what task_numa_migrate of v4.18 does before it moves a task.
func resetScanPeriod(s *Sched, t *Task) { s.SetNUMAScanPeriod(t, s.TaskScanStart(t)) }

// keepScanPeriod leaves it as it is.
func keepScanPeriod(*Sched, *Task) {}

// exitNUMA is the end of a task: exit_mm and task_numa_free.
func (s *Sched) exitNUMA(t *Task) {
	m := s.mem
	nt := &m.tasks[t.ID]
	if nt.mm == MM(none) {
		return
	}
	space := &m.mms[nt.mm]
	for _, f := range nt.pending {
		space.unprotect(f)
	}
	s.dropAccess(t)
	for i, id := range space.tasks {
		if id == t.ID {
			space.tasks = append(space.tasks[:i], space.tasks[i+1:]...)
			break
		}
	}
	m.leaveGroup(t.ID)
	preferred := nt.preferred
	*nt = newNUMATask()
	nt.preferred = preferred // what the queue counts it as, until it is off
}

// unprotect gives a page back that a task did not come to fault on.
func (space *mm) unprotect(f hintFault) {
	mp := &space.maps[f.at]
	if mp.gone || mp.state[f.block] != pageFaulting {
		return
	}
	mp.state[f.block] = pageProtected
	mp.protected = append(mp.protected, f.block)
	space.touchable++
}
