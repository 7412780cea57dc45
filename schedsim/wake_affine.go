package schedsim

// Pulling a wakee to its waker: wake_affine of kernels since 4.15. Its two tests
// are decision points of their own; wake_affine_v310.go has the older form.
//
// Versions differ in the loads that are compared (4.18: those of runnable tasks;
// since 5.5 with those that sleep), in the bias of the domain's imbalance_pct, and
// since 5.11 in the third test of wake_affine_idle.

// askWakeAffine chooses between the waker's CPU and the previous one, and counts.
// Kernels up to 6.3 also tell in schedstat of pulls, among them, when the idle
// test chose prev; these are not counted.
func (s *Sched) askWakeAffine(d *Domain, t *Task, thisCPU, prevCPU int, sync bool) int {
	target := s.k.WakeAffine(s, d, t, thisCPU, prevCPU, sync)
	if !s.dry {
		s.count.WakeAffineAttempts++
		if target == thisCPU {
			s.count.WakeAffinePulls++
		}
	}
	return target
}

// wakeAffine is wake_affine.
func wakeAffine(s *Sched, d *Domain, t *Task, thisCPU, prevCPU int, sync bool) int {
	target := -1
	if s.k.WAIdle {
		target = s.k.WakeAffineIdle(s, thisCPU, prevCPU, sync)
	}
	if s.k.WAWeight && target == -1 {
		target = s.k.WakeAffineWeight(s, d, t, thisCPU, prevCPU, sync)
	}
	if target == -1 {
		return prevCPU
	}
	return target
}

// wakeAffineIdle is wake_affine_idle of 4.18 to 5.10.
func wakeAffineIdle(s *Sched, thisCPU, prevCPU int, sync bool) int {
	// An interrupt on an idle CPU that shares the cache: no reason to move.
	if s.IdleCPU(thisCPU) && s.CPUsShareCache(thisCPU, prevCPU) {
		if s.IdleCPU(prevCPU) {
			return prevCPU
		}
		return thisCPU
	}
	if sync && s.NrRunning(thisCPU) == 1 {
		return thisCPU
	}
	return -1
}

// wakeAffineIdlePrev is wake_affine_idle since 5.11: a task stays on a previous
// CPU that is idle, unless a sync waker that is alone claims it.
func wakeAffineIdlePrev(s *Sched, thisCPU, prevCPU int, sync bool) int {
	if cpu := wakeAffineIdle(s, thisCPU, prevCPU, sync); cpu != -1 {
		return cpu
	}
	if s.IdleCPU(prevCPU) {
		return prevCPU
	}
	return -1
}

// wakeAffineWeight is wake_affine_weight since 5.5: it compares the loads of both
// CPUs, blocked tasks included, as if the task were moved.
func wakeAffineWeight(s *Sched, d *Domain, t *Task, thisCPU, prevCPU int, sync bool) int {
	return s.weighAffine(d, t, thisCPU, prevCPU, sync, s.cpuLoad(int32(thisCPU)), s.cpuLoad(int32(prevCPU)))
}

// wakeAffineWeight418 is wake_affine_weight of 4.18, with the loads of what is
// runnable: an idle prev has none, and the task is never pulled off it by weight.
func wakeAffineWeight418(s *Sched, d *Domain, t *Task, thisCPU, prevCPU int, sync bool) int {
	return s.weighAffine(d, t, thisCPU, prevCPU, sync, s.targetLoad(int32(thisCPU), 0), s.sourceLoad(int32(prevCPU), 0))
}

// weighAffine is what all forms of wake_affine_weight have in common.
func (s *Sched) weighAffine(d *Domain, t *Task, thisCPU, prevCPU int, sync bool, thisLoad, prevLoad int64) int {
	if sync {
		if curr := s.Current(thisCPU); curr != nil {
			h := s.taskHLoad(curr)
			if h > thisLoad {
				return thisCPU
			}
			thisLoad -= h
		}
	}
	h := s.taskHLoad(t)
	thisLoad += h
	prevLoad -= h
	if s.k.WABias {
		thisLoad *= 100
		prevLoad *= 100 + int64(d.imbalancePct-100)/2
	}
	thisLoad *= s.capacityOf(int32(prevCPU))
	prevLoad *= s.capacityOf(int32(thisCPU))
	if sync {
		prevLoad++
	}
	if thisLoad < prevLoad {
		return thisCPU
	}
	return -1
}
