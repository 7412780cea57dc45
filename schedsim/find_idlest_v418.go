package schedsim

// find_idlest_group of 4.18: the load of what is runnable, and where that is close,
// the load with sleepers; for exec, which knows how much the task uses, spare
// capacity before both.

// findIdlestGroup418 is find_idlest_group of 4.18.
func findIdlestGroup418(s *Sched, d *Domain, t *Task, thisCPU int32, why placement) *group {
	const far = int64(1) << 40 // above any load, and its multiples fit
	scale := 100 + int64(d.imbalancePct-100)/2
	imbalance := int64(capacityScale) * int64(d.imbalancePct-100) / 100
	var idlest, mostSpare *group
	thisRunnable, thisAvg, minRunnable, minAvg := far, far, far, far
	var thisSpare, spare int64
	for i, g := range d.groups {
		if s.firstAllowed(t, g) < 0 {
			continue
		}
		var runnable, avg, room int64
		for _, ci := range g.cpus {
			s.probe(int(ci))
			if i == 0 {
				runnable += s.sourceLoad(ci, 0)
			} else {
				runnable += s.targetLoad(ci, 0)
			}
			avg += s.cpuLoad(ci)
			room = max(room, s.capacityOf(ci)-s.cpuUtilWithout(ci, t))
		}
		capacity := s.groupCapacity(g)
		avg = avg * capacityScale / capacity
		runnable = runnable * capacityScale / capacity
		if i == 0 {
			thisRunnable, thisAvg, thisSpare = runnable, avg, room
			continue
		}
		if minRunnable > runnable+imbalance {
			idlest, minRunnable, minAvg = g, runnable, avg
		} else if runnable < minRunnable+imbalance && 100*minAvg > scale*avg {
			// Close: what sleeps there decides. minRunnable stays.
			idlest, minAvg = g, avg
		}
		if spare < room {
			spare, mostSpare = room, g
		}
	}
	if why == placeExec {
		util := s.ents[t.se].avg.util
		if thisSpare > util/2 && scale*thisSpare > 100*spare {
			return nil
		}
		if spare > util/2 {
			return mostSpare
		}
	}
	switch {
	case idlest == nil,
		d.numa && minRunnable+imbalance >= thisRunnable,
		minRunnable > thisRunnable+imbalance,
		thisRunnable < minRunnable+imbalance && 100*thisAvg < scale*minAvg:
		return nil
	}
	return idlest
}
