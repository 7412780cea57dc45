package topology

import "fmt"

// Domains returns the sched domains of a CPU, lowest level first, as a kernel
// of the version, such as "v5.10", attaches them to the CPU: every level is
// built and those that add nothing are then removed. For many CPUs AllDomains
// is cheaper.
//
// All CPUs that are online are in one root domain, as without cpusets and
// isolated CPUs, and the kernel is configured with what the architecture has
// of SCHED_SMT, SCHED_CLUSTER, SCHED_MC and NUMA. A CPU that is not online,
// and the only CPU of a machine, has no domain. CPUs that are not online are
// taken not to exist: that v6.12, until domains are built again, counts the
// one that went offline last in the intervals is not modelled.
//
// Errors name the versions, architectures or CPUs that are known.
func (m *Machine) Domains(version string, cpu int) ([]Domain, error) {
	if cpu < 0 || cpu >= len(m.CPUs) {
		return nil, fmt.Errorf("topology: machine %s has no CPU %d, use 0 to %d", m.ID, cpu, len(m.CPUs)-1)
	}
	all, err := m.AllDomains(version)
	if err != nil {
		return nil, err
	}
	return all[cpu], nil
}

// AllDomains returns what Domains does for every CPU, indexed by CPU number.
// The slices within are shared between CPUs and must not be written to.
func (m *Machine) AllDomains(version string) ([][]Domain, error) {
	r, err := rulesFor(version)
	if err != nil {
		return nil, err
	}
	b, err := newDomainBuilder(m, r, false)
	if err != nil {
		return nil, err
	}
	return b.allDomains(), nil
}

func (b *domainBuilder) allDomains() [][]Domain {
	all := make([][]Domain, len(b.m.CPUs))
	for _, cpu := range b.online {
		all[cpu] = b.domains(cpu)
	}
	return all
}

func (b *domainBuilder) domains(cpu int) []Domain {
	var domains []Domain
	for i := range b.table {
		d := b.newDomain(&b.table[i], cpu)
		if i > 0 && d.Flags&SDAsymCPUCapacity != 0 {
			// Tasks are not spread over CPUs of different capacity.
			domains[i-1].Flags &^= SDPreferSibling
		}
		d.Groups = b.groups(i, cpu)
		domains = append(domains, d)
		// The kernel stops at the first domain that spans everything.
		if len(d.Span) == len(b.online) {
			break
		}
	}
	return attach(b.r, domains)
}

// newDomain is the kernel's sd_init: it turns what a level is into what the
// balancer does there.
func (b *domainBuilder) newDomain(l *level, cpu int) Domain {
	r := &b.r.other
	switch {
	case l.distance > 0:
		r = &b.r.numa
	case l.flags&SDShareCPUCapacity != 0:
		r = &b.r.core
	case l.flags&SDSharePkgResources != 0:
		r = &b.r.cache
	}
	span := l.span(cpu)
	d := Domain{
		Name:            l.name,
		Span:            span,
		Flags:           r.flags | l.flags | l.asymmetric[l.part[cpu]],
		ImbalancePct:    r.imbalancePct,
		BusyFactor:      r.busyFactor,
		CacheNiceTries:  r.cacheNiceTries,
		MinInterval:     r.minInterval,
		MaxInterval:     r.maxInterval,
		BalanceInterval: r.interval,
	}
	if r.interval == 0 {
		d.MinInterval, d.MaxInterval, d.BalanceInterval = len(span), 2*len(span), len(span)
	}
	if l.distance > b.reclaimDistance() {
		d.Flags &^= near
	}
	return d
}
