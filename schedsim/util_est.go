package schedsim

// Estimated utilisation (UTIL_EST, with UTIL_EST_FASTUP): what a task used before it slept.

// utilEstMargin is by how much the estimate of a task's utilisation may differ from
// a new sample before it follows: about 1 %.
const utilEstMargin = capacityScale / 100

// utilEstUpdate takes a new sample of a task's utilisation when it goes to sleep. It
// is util_est_dequeue of v4.18 and v5.9, and util_est_update of later kernels:
//
//   - A task whose averages did not change since it was queued gives none.
//   - Since v5.4 a rise is taken over at once (UTIL_EST_FASTUP).
//   - Since v5.12 a sample is stored although the average is close already, if the
//     last sample was not.
//   - v6.12 has one value, and leaves it if the task waited for its CPU.
//
// The mark that kernels before v5.13 keep in the lowest bit of the sample is kept
// apart, so that a sample is not rounded by it. v3.10 has no estimate.
func (s *Sched) utilEstUpdate(t *Task, sleep bool) {
	a := &s.ents[t.se].avg
	if s.pelt == peltV310 || !sleep || !a.estChanged {
		return
	}
	util := uint32(a.util)
	if s.since(6, 12) {
		s.utilEstUpdateV612(a, util)
		return
	}
	if s.since(5, 4) && a.estEwma < util {
		a.setEst(util, util)
		return
	}
	diff := int64(util) - int64(a.estEwma)
	last := int64(a.estEnqueued) - int64(util)
	if withinMargin(diff) {
		if s.since(5, 12) && !withinMargin(last) {
			a.setEst(util, a.estEwma)
		}
		return
	}
	if int64(util) > s.cpus[t.cpu].capacity && s.since(5, 1) {
		return
	}
	a.setEst(util, uint32((int64(a.estEwma)<<2+diff)>>2))
}

func (s *Sched) utilEstUpdateV612(a *schedAvg, util uint32) {
	ewma := a.estEwma
	switch {
	case ewma <= util:
		ewma = util
	case ewma-util < utilEstMargin:
	case int64(util) > capacityScale:
		return
	case int64(util)+utilEstMargin < a.runnable:
	default:
		ewma = (ewma<<2 - (ewma - util)) >> 2
	}
	a.setEst(ewma, ewma)
}

// setEst stores a sample, with the mark that it is as new as the averages.
func (a *schedAvg) setEst(enqueued, ewma uint32) {
	a.estEnqueued, a.estEwma = enqueued, ewma
	a.estChanged = false
}

func withinMargin(diff int64) bool { return diff > -utilEstMargin && diff < utilEstMargin }

func (a *schedAvg) taskUtilEst() uint32 { return max(a.estEnqueued, a.estEwma) }

func (s *Sched) utilEstEnqueue(t *Task) {
	s.cfs[t.cpu].avg.estEnqueued += s.ents[t.se].avg.taskUtilEst()
}

func (s *Sched) utilEstDequeue(t *Task) {
	a := &s.cfs[t.cpu].avg
	a.estEnqueued -= min(a.estEnqueued, s.ents[t.se].avg.taskUtilEst())
}
