package schedsim

import "slices"

// The list of a CPU's queues that may have load (rq->leaf_cfs_rq_list), children
// before their parents. The root's is always looked at and not in it. Among
// siblings the kernel's order is that of arrival, here it is that of creation, the
// youngest first.

// addLeaf puts a group's queue on the list (list_add_leaf_cfs_rq).
func (s *Sched) addLeaf(q *cfsRQ) {
	if q.onLeaf || q.se == none {
		return
	}
	q.onLeaf = true
	c := &s.cpus[q.cpu]
	i := len(c.leaf)
	for i > 0 && c.leaf[i-1] < q.group {
		i--
	}
	c.leaf = slices.Insert(c.leaf, i, q.group)
}

// gone reports whether nothing is left of what ran (cfs_rq_is_decayed).
func (a *schedAvg) gone() bool { return a.loadSum|a.utilSum|a.runnableSum == 0 }

// decayed reports whether a queue, the one at position i of the list, may leave
// it: since 5.13 not as long as a child's is there.
func (s *Sched) decayed(q *cfsRQ, i int) bool {
	if q.load.weight != 0 || !q.avg.gone() {
		return false
	}
	if s.since(5, 13) {
		for _, g := range s.cpus[q.cpu].leaf[:i] {
			if s.groups[g].parent == q.group {
				return false
			}
		}
	}
	return true
}

// updateBlockedAverages decays what sleeps on a CPU that has no local events
// (update_blocked_averages). What is throttled stands still.
func (s *Sched) updateBlockedAverages(ci int32) {
	if s.pelt == peltV310 {
		s.updateBlockedAveragesV310(ci)
		return
	}
	c := &s.cpus[ci]
	flags, blocked := 0, false
	if s.since(5, 13) {
		flags = updateTG
	}
	for i := 0; i < len(c.leaf); {
		q := &s.cfs[int(c.leaf[i])*len(s.cpus)+int(ci)]
		if q.throttleCount > 0 {
			i++
			continue
		}
		if s.updateCFSLoadAvg(s.cfsClock(q), q) {
			s.updateTGLoadAvg(q)
		}
		e := &s.ents[q.se]
		if e.avg.load != 0 || e.avg.util != 0 || q.propagate { // skip_blocked_update
			s.updateLoadAvg(&s.cfs[e.cfs], q.se, flags)
		}
		blocked = blocked || q.avg.load != 0 || q.avg.util != 0
		if s.decayed(q, i) {
			q.onLeaf = false
			c.leaf = slices.Delete(c.leaf, i, i+1)
			continue
		}
		i++
	}
	q := &s.cfs[ci]
	gone := q.avg.gone()
	if s.updateCFSLoadAvg(s.clockPelt(ci), q) && !gone {
		s.cfsUtilChange(q)
	}
	c.blockedUpdate = s.jiffies
	c.hasBlockedLoad = s.updateBlockedOthers(ci) || blocked || q.avg.load != 0 || q.avg.util != 0
}
