package schedsim

// smtGain is what all threads of a core with several are worth together until 5.0
// (sd->smt_gain).
const smtGain = 1178

// capacityOf is capacity_of, power_of in 3.10: what the classes above fair leave
// of a CPU, as of when it last looked (updateCPUCapacity). What interrupts take of
// it is left out.
func (s *Sched) capacityOf(ci int32) int64 {
	c := s.capacityOrigOf(ci)
	if loss := s.cpus[ci].capacityLoss; loss != 0 {
		c -= c * loss / capacityScale
	}
	return c
}

// capacityOrigOf is capacity_orig_of: until 5.0 the threads of a core share
// smtGain, since then each counts in full.
func (s *Sched) capacityOrigOf(ci int32) int64 {
	if n := int64(len(s.smt[ci])); n > 1 && !s.since(5, 1) {
		return smtGain / n
	}
	return capacityScale
}

// groupCapacity is the capacity of a group (sgc->capacity). The kernel keeps the
// sum since the group's last balance; here it is up to date.
func (s *Sched) groupCapacity(g *group) int64 {
	sum := int64(0)
	for _, ci := range g.cpus {
		sum += s.capacityOf(ci)
	}
	return sum
}
