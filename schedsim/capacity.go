package schedsim

// smtGain is what all threads of a core with several are worth together until 5.0
// (sd->smt_gain).
const smtGain = 1178

// capacityOf is capacity_of, power_of in 3.10: until 5.0 the threads of a core
// share smtGain, since then each counts in full. What interrupts and other classes
// take of it is left out.
func (s *Sched) capacityOf(ci int32) int64 {
	if n := int64(len(s.smt[ci])); n > 1 && !s.since(5, 1) {
		return smtGain / n
	}
	return capacityScale
}

// groupCapacity is the capacity of a group (sgc->capacity).
func (s *Sched) groupCapacity(g *group) int64 {
	sum := int64(0)
	for _, ci := range g.cpus {
		sum += s.capacityOf(ci)
	}
	return sum
}
