package schedsim

import "slices"

// Touching memory. What tasks touch has no events of its own: at the first tick
// that finds a task of an address space running, the time that all its tasks ran
// since the last such tick is turned into an expected number of pages that they
// touched for the first time, or that the scanner had protected. Of n pages p are
// so; a task that touches pages of the region at random, a of them, leaves
// p*exp(-a/n) of them as they are. Which blocks these are, and which of the tasks
// touched each first, is drawn, by what each of them touched. So the shares of a
// region's faults are those of its users, whichever CPU ticks first.

// touchMemory does that for an address space.
func (s *Sched) touchMemory(id MM) {
	m := s.mem
	space := &m.mms[id]
	space.touched = s.jiffies
	for _, t := range space.tasks {
		nt := &m.tasks[t]
		ran := s.ranSoFar(&s.tasks[t])
		nt.ran = float64(ran - nt.settled)
		nt.settled = ran
	}
	if space.touchable == 0 {
		return
	}
	for i := range space.maps {
		mp := &space.maps[i]
		r := &m.regions[mp.region]
		if mp.gone || len(mp.protected) == 0 && len(r.free) == 0 {
			continue
		}
		sum := 0.0
		for j := range mp.users {
			u := &mp.users[j]
			sum += u.rate * m.tasks[u.task].ran
			mp.sum[j] = sum
		}
		if sum == 0 {
			continue
		}
		share := 1 - expNeg(sum/float64(r.units))
		// Both numbers first: a page that is touched now is not yet protected.
		touched := whole(&mp.touchRest, share, len(r.free))
		faults := whole(&mp.faultRest, share, len(mp.protected))
		for range touched {
			s.firstTouch(r, space.pick(&r.free), &s.tasks[mp.toucher(space, sum)])
		}
		for range faults {
			b := space.pick(&mp.protected)
			space.touchable--
			nt := &m.tasks[mp.toucher(space, sum)]
			mp.state[b] = pageFaulting
			nt.pending = append(nt.pending, hintFault{int32(i), b})
		}
	}
}

// ranSoFar is sum_exec_runtime, brought up to now for a task that runs: not all
// CPUs have accounted this tick yet.
func (s *Sched) ranSoFar(t *Task) int64 {
	e := &s.ents[t.se]
	if s.cpus[t.cpu].curr == t.ID {
		return e.sumExec + s.now - e.execStart
	}
	return e.sumExec
}

// whole is how many of n blocks to take: the whole part of the expected number
// and of what was left over before.
func whole(rest *float64, share float64, n int) int {
	*rest += share * float64(n)
	k := min(int(*rest), n)
	*rest = min(*rest-float64(k), 1)
	return k
}

// pick takes a block off a list, each as likely as each other one.
func (space *mm) pick(list *[]int32) int32 {
	l := *list
	i, last := space.rand.IntN(len(l)), len(l)-1
	b := l[i]
	l[i] = l[last]
	*list = l[:last]
	return b
}

// toucher draws the task that touched a block first.
func (mp *mapping) toucher(space *mm, sum float64) TaskID {
	v := space.rand.Float64() * sum
	i, _ := slices.BinarySearch(mp.sum[:len(mp.users)], v)
	for i < len(mp.users)-1 && mp.sum[i] <= v {
		i++
	}
	return mp.users[min(i, len(mp.users)-1)].task
}

// firstTouch gives a block memory of the node of the task that touches it.
func (s *Sched) firstTouch(r *region, b int32, t *Task) {
	m := s.mem
	n := r.unitsOf(b)
	node := m.nodeOf[t.cpu]
	r.block[b].node = node
	r.on[node] += n
	m.tasks[t.ID].owed += n * r.touchWork
	for _, u := range r.users {
		space := &m.mms[u.mm]
		if !r.HugeTLB {
			space.rss += n * r.span
		}
		space.touchable--
		space.version++
	}
}

// moved accounts a block that went to another node.
func (m *memory) moved(r *region, b, node int32) {
	n := r.unitsOf(b)
	r.on[r.block[b].node] -= n
	r.on[node] += n
	r.block[b].node = node
	for _, u := range r.users {
		m.mms[u.mm].version++
	}
}

// expNeg is exp(-x) for x >= 0, to about 1e-9. The library's takes other
// instructions on other machines, and so gives other bits.
func expNeg(x float64) float64 {
	if x > 40 {
		return 0
	}
	y := -x / 64
	e := 1 + y*(1+y/2*(1+y/3*(1+y/4*(1+y/5*(1+y/6*(1+y/7))))))
	for range 6 {
		e *= e
	}
	return e
}
