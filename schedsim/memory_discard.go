package schedsim

// Counters returns what was counted since the measured time began. It is for
// Meter.Metrics.
func (s *Sched) Counters() Counters { return s.count }

// Discard gives the pages of a region back, as the truncation of a file or
// MADV_DONTNEED does: who touches one next decides its node anew.
func (s *Sched) Discard(rid RegionID) {
	m := s.mem
	r := &m.regions[rid]
	for i := range r.users {
		u := r.users[i]
		space := &m.mms[u.mm]
		mp := &space.maps[u.at]
		if !r.HugeTLB {
			space.rss -= (r.units - r.freeUnits()) * r.span
		}
		// What was protected or free is touchable, what is free again will be.
		space.touchable += int64(len(r.block) - len(r.free) - len(mp.protected))
		mp.protected = mp.protected[:0]
		for b := range mp.state {
			mp.state[b] = pagePresent
		}
		space.version++
	}
	for _, u := range r.users {
		for _, id := range m.mms[u.mm].tasks {
			nt := &m.tasks[id]
			kept := nt.pending[:0]
			for _, f := range nt.pending {
				if f.at != u.at {
					kept = append(kept, f)
				}
			}
			nt.pending = kept
		}
	}
	r.free = r.free[:0]
	for i := range r.block {
		b := int32(len(r.block) - 1 - i)
		r.block[b].node, r.block[b].last = none, none
		r.free = append(r.free, b)
	}
	clear(r.on)
}
