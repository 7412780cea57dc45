package schedsim

// What higher classes leave of a CPU for the fair class.
//
// Since 4.19 the time of real-time and of deadline tasks is tracked as
// utilisation is (avg_rt, avg_dl); before, real-time and deadline time is summed
// and halved every half a second (rt_avg). scale_rt_capacity turns it into a
// capacity, which a CPU looks up when it balances its lowest domain
// (update_cpu_capacity), and which others read until then.

// updateRTAvg brings avg_rt of ci up to now; running says whether a real-time
// task ran since the last update (update_rt_rq_load_avg).
func (s *Sched) updateRTAvg(ci int32, running bool) bool {
	return s.updateOther(ci, &s.rt[ci].avg, running)
}

func (s *Sched) updateDLAvg(ci int32, running bool) bool {
	return s.updateOther(ci, &s.dl[ci].avg, running)
}

func (s *Sched) updateOther(ci int32, a *schedAvg, running bool) bool {
	if !s.since(4, 19) {
		return false
	}
	n := int64(0)
	if running {
		n = 1
	}
	if !a.accumulate(s.clockPelt(ci), n, n, running) {
		return false
	}
	a.average(1)
	return true
}

// updateBlockedOthers decays the averages of the higher classes of a CPU
// (__update_blocked_others). It reports whether something is left of them.
func (s *Sched) updateBlockedOthers(ci int32) bool {
	if !s.otherClasses {
		return false
	}
	curr := s.classOf(ci)
	rt := s.updateRTAvg(ci, curr == classRT)
	dl := s.updateDLAvg(ci, curr == classDeadline)
	if rt || dl {
		s.cpufreqUpdateUtil(ci)
	}
	return s.rt[ci].avg.util != 0 || s.dl[ci].avg.util != 0
}

// oldRTAvgPeriod is sched_avg_period: half of sysctl_sched_time_avg, ns.
const oldRTAvgPeriod = 500e6

// chargeOldRTAvg is sched_rt_avg_update of kernels up to 4.18. Ages are made up
// for when somebody looks; the kernel does so at ticks.
func (s *Sched) chargeOldRTAvg(ci int32, delta int64) {
	if s.since(4, 19) {
		return
	}
	q := &s.rt[ci]
	q.age(s.now)
	if !s.since(4, 1) {
		q.old += delta << 10
		return
	}
	q.old += delta * s.cpus[ci].freqScale
}

// age halves rt_avg for each period that is over (sched_avg_update).
func (q *rtRQ) age(now int64) {
	for now-q.oldStamp > oldRTAvgPeriod {
		q.oldStamp += oldRTAvgPeriod
		q.old /= 2
		if q.old == 0 {
			q.oldStamp = now - (now-q.oldStamp)%oldRTAvgPeriod
			return
		}
	}
}

// scaleRTCapacity is scale_rt_capacity: how much of capacityScale is left for
// the fair class. Interrupt time and thermal pressure are not modelled.
func (s *Sched) scaleRTCapacity(ci int32) int64 {
	q := &s.rt[ci]
	if !s.since(4, 19) {
		q.age(s.now)
		used := q.old / (oldRTAvgPeriod + s.now - q.oldStamp)
		return max(capacityScale-used, 1)
	}
	return max(capacityScale-q.avg.util-s.dl[ci].avg.util, 1)
}

// updateCPUCapacity is update_cpu_capacity: ci looks up what is left of itself.
func (s *Sched) updateCPUCapacity(ci int32) {
	if s.otherClasses {
		s.cpus[ci].capacityLoss = capacityScale - s.scaleRTCapacity(ci)
	}
}

// sugovUtil is sugov_get_util: what schedutil asks a clock for. A CPU with a
// runnable real-time task gets the highest (no clamps).
func (s *Sched) sugovUtil(ci int32) int64 {
	if !s.otherClasses {
		return s.cpuUtil(ci)
	}
	if s.rt[ci].queued {
		return capacityScale
	}
	util, bandwidth := s.cpuUtil(ci)+s.rt[ci].avg.util, s.dl[ci].bandwidth
	if s.since(6, 8) {
		// What deadline tasks reserved is a floor; before, it came on top.
		return min(max(util+s.dl[ci].avg.util, bandwidth), capacityScale)
	}
	if util+s.dl[ci].avg.util >= capacityScale {
		return capacityScale
	}
	return min(util+bandwidth, capacityScale)
}
