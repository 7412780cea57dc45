package schedsim

import "fmt"

// verifyNUMA checks what must hold of memory between any two events: that no page
// is lost, that each state of a page is counted where it is, and that the sums of
// groups and queues are those of their tasks.
func (s *Sched) verifyNUMA() error {
	m := s.mem
	if m == nil {
		return nil
	}
	if err := m.verifyRegions(); err != nil {
		return err
	}
	for id := range m.mms {
		if err := m.verifyMM(id); err != nil {
			return fmt.Errorf("mm %d: %w", id, err)
		}
	}
	numa, preferred := make([]int32, len(m.cpu)), make([]int32, len(m.cpu))
	members := make([]int32, len(m.groups))
	sums := make([]int64, len(m.groupFaults))
	totals := make([]int64, len(m.groups))
	width := groupFaultStats * m.nodes * 2
	for i := range s.tasks {
		t, nt := &s.tasks[i], &m.tasks[i]
		if t.onRQ && nt.preferred != none {
			numa[t.cpu]++
			if nt.preferred == m.nodeOf[t.cpu] {
				preferred[t.cpu]++
			}
		}
		if nt.group == none {
			continue
		}
		members[nt.group]++
		totals[nt.group] += nt.totalFaults
		total := int64(0)
		for j, v := range m.faultsOf(t.ID)[:width] {
			if v < 0 {
				return fmt.Errorf("task %d: faults %v", i, m.faultsOf(t.ID))
			}
			sums[int(nt.group)*width+j] += v
			if j < width/2 {
				total += v
			}
		}
		if total != nt.totalFaults {
			return fmt.Errorf("task %d: %d faults in all, by node %d", i, nt.totalFaults, total)
		}
	}
	for i := range m.cpu {
		c := &m.cpu[i]
		if c.nrNUMA != numa[i] || c.nrPreferred != preferred[i] || c.migrateOn {
			return fmt.Errorf("CPU %d: nr_numa %d, nr_preferred %d, claimed %v; its tasks make %d and %d",
				i, c.nrNUMA, c.nrPreferred, c.migrateOn, numa[i], preferred[i])
		}
	}
	for g := range m.groups {
		if members[g] == 0 {
			continue
		}
		if m.groups[g].tasks != members[g] || m.groups[g].totalFaults != totals[g] {
			return fmt.Errorf("group %d: %+v, its %d tasks have %d faults", g, m.groups[g], members[g], totals[g])
		}
		for j, v := range m.groupFaultsOf(int32(g)) {
			if v != sums[g*width+j] {
				return fmt.Errorf("group %d: faults %v, its tasks make %v", g, m.groupFaultsOf(int32(g)), sums[g*width:(g+1)*width])
			}
		}
	}
	return nil
}

func (m *memory) verifyRegions() error {
	for i := range m.regions {
		r := &m.regions[i]
		on, units := make([]int64, m.nodes), int64(0)
		free := 0
		for b := range r.block {
			n := r.unitsOf(int32(b))
			units += n
			if r.block[b].node == none {
				free++
			} else {
				on[r.block[b].node] += n
			}
		}
		if units != r.units || free != len(r.free) || fmt.Sprint(on) != fmt.Sprint(r.on) {
			return fmt.Errorf("region %d: %d pages, %v by node, %d blocks free; its blocks make %d, %v, %d",
				i, r.units, r.on, len(r.free), units, on, free)
		}
	}
	return nil
}

func (m *memory) verifyMM(id int) error {
	space := &m.mms[id]
	pending := make([][]int, len(space.maps)) // by map and block: tasks that are to fault
	for i := range space.maps {
		pending[i] = make([]int, len(space.maps[i].state))
	}
	for _, t := range space.tasks {
		for _, f := range m.tasks[t].pending {
			pending[f.at][f.block]++
		}
	}
	touchable, rss := int64(0), int64(0)
	for i := range space.maps {
		mp := &space.maps[i]
		r := &m.regions[mp.region]
		if mp.gone {
			continue
		}
		if !r.HugeTLB {
			rss += (r.units - r.freeUnits()) * r.span
		}
		touchable += int64(len(mp.protected) + len(r.free))
		listed := make([]bool, len(mp.state))
		for _, b := range mp.protected {
			if listed[b] || mp.state[b] != pageProtected {
				return fmt.Errorf("map %d: block %d in state %d is listed as protected", i, b, mp.state[b])
			}
			listed[b] = true
		}
		for b, state := range mp.state {
			if (state == pageProtected) != listed[b] {
				return fmt.Errorf("map %d: block %d in state %d, listed %v", i, b, state, listed[b])
			}
			want := 0
			if state == pageFaulting {
				want = 1
			}
			if n := pending[i][b]; n != want {
				return fmt.Errorf("map %d: block %d in state %d is to fault for %d tasks", i, b, state, n)
			}
			if state != pagePresent && (r.block[b].node == none || r.HugeTLB) {
				return fmt.Errorf("map %d: block %d in state %d has no page to protect", i, b, state)
			}
		}
	}
	if touchable != space.touchable || rss != space.rss {
		return fmt.Errorf("%d touchable, rss %d; its maps make %d and %d", space.touchable, space.rss, touchable, rss)
	}
	return nil
}
