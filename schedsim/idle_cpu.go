package schedsim

// The search of an LLC for an idle CPU: select_idle_cpu, limited until 5.18 by
// what the waker's idle time pays for (SIS_PROP), since 6.0 by how busy the LLC is
// (SIS_UTIL, see sis_util.go).

// selectIdleCPU is select_idle_cpu of 5.9 and 5.10: it scans the CPUs that the task
// may use, from target on.
func selectIdleCPU(s *Sched, t *Task, target int) int {
	return s.scanForIdleCPU(t, target, false)
}

// selectIdleCPU418 is select_idle_cpu of 4.18: CPUs that the task may not use count
// as looked at.
func selectIdleCPU418(s *Sched, t *Task, target int) int {
	return s.scanForIdleCPU(t, target, true)
}

// sisPropLimit is nr of select_idle_cpu: the scan looks at one CPU less. It is
// false in ok if there is to be no scan. Without the LLC's domain of this CPU there
// is none.
func (s *Sched) sisPropLimit(d *Domain) (nr int64, ok bool) {
	avgIdle := s.cpus[s.this].avgIdle / 512
	avgCost := d.avgScanCost + 1
	if s.k.SISAvgCPU && avgIdle < avgCost {
		return 0, false
	}
	if !s.k.SISProp {
		return 1 << 62, true
	}
	if span := int64(len(d.span)) * avgIdle; span > 4*avgCost {
		return span / avgCost, true
	}
	return 4, true
}

// scanForIdleCPU scans the LLC, as many runqueues as the average idle time of this
// CPU pays for at the average cost of a scan. span_weight is taken of the waker's
// LLC, which is as large as target's but on odd machines.
func (s *Sched) scanForIdleCPU(t *Task, target int, countForbidden bool) int {
	d := s.llcDomain(s.this)
	if d == nil {
		return -1
	}
	nr, ok := s.sisPropLimit(d)
	if !ok {
		return -1
	}
	if !s.dry {
		s.count.IdleCPUSearches++
	}
	work, stall := s.probeWork, s.probeStall
	found := -1
	var search []int
	if s.anywhere(t) {
		all := int64(s.llcs[s.rq[target].llc].cpus)
		limit := min(nr-1, all)
		found = s.firstIdle(target, int(limit))
		if found < 0 && limit < all {
			if !s.dry {
				s.count.IdleCPUFailed++
			}
			return -1 // without updating the cost
		}
	} else {
		search = s.LLCFrom(target)
	}
	for _, cpu := range search {
		if !countForbidden && !t.Allowed(cpu) {
			continue
		}
		nr--
		if nr == 0 {
			if !s.dry {
				s.count.IdleCPUFailed++
			}
			return -1 // without updating the cost
		}
		if t.Allowed(cpu) && s.usableCPU(cpu) {
			found = cpu
			break
		}
	}
	if !s.dry {
		took := s.scale(&s.cpus[s.this], s.probeWork-work) + s.probeStall - stall
		updateAvg(&d.avgScanCost, took)
		if found < 0 {
			s.count.IdleCPUFailed++
		}
	}
	return found
}

// idleSearch is what the passes of a merged search share.
type idleSearch struct {
	t         *Task
	target    int
	idleCore  bool // there may be an idle core: look for one, without limit
	nr        int  // looks that are left, plus one
	candidate int  // the first idle CPU seen while looking for a core
}

// selectIdleCPU61 is select_idle_cpu since 5.12, of 6.1: one pass from the CPU
// after target, for an idle core if there may be one, else for an idle CPU. The
// first idle CPU that the search for a core saw is what it returns if it finds
// none. SIS_PROP, off since 6.0, is left out.
func selectIdleCPU61(s *Sched, t *Task, target int) int {
	q, ok := s.beginIdleSearch(t, target)
	if !ok {
		return -1
	}
	order := s.LLCFrom(target)
	cpu, done := s.idlePass(&q, order[1:], nil)
	if !done {
		cpu, done = s.idlePass(&q, order[:1], nil)
	}
	return s.endIdleSearch(&q, cpu, done)
}

// selectIdleCPU612 is select_idle_cpu of 6.12: as in 6.1, but first in target's
// cluster, then in the rest of the LLC, where there are clusters.
func selectIdleCPU612(s *Sched, t *Task, target int) int {
	d := s.clusterDomain(target)
	if d == nil {
		return selectIdleCPU61(s, t, target)
	}
	q, ok := s.beginIdleSearch(t, target)
	if !ok {
		return -1
	}
	order := s.LLCFrom(target)
	cluster := passMask{d.mask, true}
	rest := passMask{d.mask, false}
	cpu, done := s.idlePass(&q, order[1:], &cluster)
	if !done {
		cpu, done = s.idlePass(&q, order[:1], &cluster)
	}
	if !done {
		cpu, done = s.idlePass(&q, order[1:], &rest)
	}
	return s.endIdleSearch(&q, cpu, done)
}

func (s *Sched) beginIdleSearch(t *Task, target int) (q idleSearch, ok bool) {
	q = idleSearch{t: t, target: target, idleCore: s.TestIdleCores(target), nr: 1 << 30, candidate: -1}
	if s.k.SISUtil {
		q.nr = int(s.llcs[s.cpus[target].llc].nrIdleScan) + 1
		if q.nr == 1 {
			return q, false // overloaded: neither a core nor a CPU is likely
		}
	}
	if !s.dry {
		if q.idleCore {
			s.count.IdleCoreSearches++
		} else {
			s.count.IdleCPUSearches++
		}
	}
	return q, true
}

// endIdleSearch turns the outcome of the passes into select_idle_cpu's.
func (s *Sched) endIdleSearch(q *idleSearch, cpu int, done bool) int {
	if !q.idleCore {
		if cpu < 0 && !s.dry {
			s.count.IdleCPUFailed++
		}
		return cpu
	}
	if done {
		return cpu
	}
	s.SetIdleCores(q.target, false)
	if !s.dry {
		s.count.IdleCoreFailed++
	}
	return q.candidate
}

// passMask limits a pass to the CPUs that are in a set, or that are not.
type passMask struct {
	mask cpuMask
	in   bool
}

// idlePass looks at CPUs in order. done says that the search is over, with cpu or
// without.
func (s *Sched) idlePass(q *idleSearch, order []int, only *passMask) (cpu int, done bool) {
	from := (q.target + 1) % len(s.cpus)
	if !q.idleCore && only == nil && len(order) > 0 && s.anywhere(q.t) {
		cpu := s.firstIdle(order[0], min(len(order), q.nr-1))
		q.nr -= len(order)
		return cpu, cpu >= 0 || q.nr <= 0
	}
	for _, cpu := range order {
		if !q.t.Allowed(cpu) || only != nil && only.mask.has(cpu) != only.in {
			continue
		}
		if q.idleCore {
			if s.firstOfCore(q.t, from, cpu) && s.coreIdle(q, cpu) {
				return cpu, true
			}
			continue
		}
		q.nr--
		if q.nr <= 0 {
			return -1, true
		}
		if s.usableCPU(cpu) {
			return cpu, true
		}
	}
	return -1, false
}

// coreIdle is select_idle_core since 5.12, of one core: it remembers the first
// idle CPU of the search, and leaves the core at the first busy thread once there
// is one.
func (s *Sched) coreIdle(q *idleSearch, core int) bool {
	idle := true
	for _, cpu := range s.SMTMask(core) {
		if !s.AvailableIdleCPU(cpu) {
			idle = false
			if q.candidate == -1 {
				if s.SchedIdleCPU(cpu) && q.t.Allowed(cpu) {
					q.candidate = cpu
					break
				}
				continue
			}
			break
		}
		if q.candidate == -1 && q.t.Allowed(cpu) {
			q.candidate = cpu
		}
	}
	return idle
}
