package schedsim

// What CPUs share, as the wakeup path knows it, and what nodes may differ in.

// buildSharing derives it from the domains, once these are built.
func (s *Sched) buildSharing() {
	for i := range s.llcs {
		s.llcs[i].nrIdleScan = s.llcs[i].cpus
	}
	s.idleTasks = make([]Task, len(s.cpus))
	for i := range s.idleTasks {
		s.idleTasks[i] = Task{ID: none, lastWakee: none}
	}
	for _, ci := range s.online {
		s.clusters = s.clusters || s.clusterDomain(int(ci)) != nil
		setImbNumaNr(s.cpus[ci].domains)
	}
}

// clusterDomain returns the domain of a CPU's cluster (SD_CLUSTER, 6.12), if it has
// one that is a part of its LLC.
func (s *Sched) clusterDomain(cpu int) *Domain {
	domains := s.cpus[cpu].domains
	for i := range domains {
		if d := &domains[i]; d.cluster && i < int(s.cpus[cpu].llcLevel) {
			return d
		}
	}
	return nil
}

// sameCluster is cpus_share_resources, or true where no CPU is in a cluster: both
// CPUs are in the same one, or both in none and share the LLC.
func (s *Sched) sameCluster(a, b int) bool {
	return !s.clusters || s.shareID(a) == s.shareID(b)
}

// shareID is sd_share_id.
func (s *Sched) shareID(cpu int) int32 {
	if d := s.clusterDomain(cpu); d != nil {
		return d.span[0]
	}
	if d := s.llcDomain(int32(cpu)); d != nil {
		return d.span[0]
	}
	return int32(cpu)
}

// setImbNumaNr computes how many tasks a node may have before others are to help
// (imb_numa_nr, since 5.18): an eighth of the CPUs of a node with one LLC, else one
// for each LLC; more in a domain of several times the nodes. domains are a CPU's,
// from the lowest.
func setImbNumaNr(domains []Domain) {
	allowed, first := 0, 1
	for i := range domains {
		d := &domains[i]
		if i > 0 && !d.sharePkg && domains[i-1].sharePkg {
			llc, node := len(domains[i-1].span), len(d.span)
			if d.numa {
				// The domain of the package was as large as the LLC and is gone.
				node = llc
			}
			allowed = node / llc
			if allowed == 1 {
				allowed = node / 8
			}
			allowed = max(1, allowed)
			first = node
			for j := i; j < len(domains); j++ {
				if domains[j].numa {
					first = len(domains[j].span)
					break
				}
			}
		}
		d.imbNumaNr = allowed * max(1, len(d.span)/first)
	}
}
