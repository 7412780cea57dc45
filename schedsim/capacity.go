package schedsim

// smtGain is what all threads of a core with several are worth together until 5.0
// (sd->smt_gain).
const smtGain = 1178

// buildCapacity sets capacity_orig of each CPU: until 5.0 the threads of a core share
// smtGain, since then each counts in full.
func (s *Sched) buildCapacity() {
	for i := range s.cpus {
		c := &s.cpus[i]
		c.capacity = capacityScale
		if !s.since(5, 1) && len(c.domains) > 0 && c.domains[0].smt {
			c.capacity = smtGain / int64(len(c.domains[0].span))
		}
	}
}

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

// capacityOrigOf is capacity_orig_of.
func (s *Sched) capacityOrigOf(ci int32) int64 { return s.cpus[ci].capacity }

// groupCapacity is the capacity of a group (sgc->capacity). The kernel keeps the
// sum since the group's last balance; here it is up to date.
func (s *Sched) groupCapacity(g *group) int64 {
	if !s.otherClasses {
		return g.capacity
	}
	sum := int64(0)
	for _, ci := range g.cpus {
		sum += s.capacityOf(ci)
	}
	return sum
}

// reducedCapacity is check_cpu_capacity, since 4.1: what is left of a CPU is less by
// more than the domain's imbalance_pct.
func (s *Sched) reducedCapacity(ci int32, d *Domain) bool {
	return s.cpus[ci].capacityLoss != 0 && s.since(4, 1) &&
		s.capacityOf(ci)*int64(d.imbalancePct) < s.capacityOrigOf(ci)*100
}
