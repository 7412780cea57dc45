package topology

import (
	"fmt"
	"slices"
)

// Domains returns the sched domains of a CPU, lowest level first, as an x86
// kernel of the version, such as "v5.10", attaches them to the CPU: every
// level is built and those that add nothing are then removed, handing
// SD_PREFER_SIBLING down.
//
// All CPUs are online and in one root domain. The error for an unknown version
// names the versions that are known. A machine of a single CPU has no domain.
func (m *Machine) Domains(version string, cpu int) ([]Domain, error) {
	r, err := rulesFor(version)
	if err != nil {
		return nil, err
	}
	if m.Arch != "x86_64" {
		return nil, fmt.Errorf("topology: no sched domains for architecture %q, use a machine of x86_64", m.Arch)
	}
	if cpu < 0 || cpu >= len(m.CPUs) {
		return nil, fmt.Errorf("topology: machine %s has no CPU %d, use 0 to %d", m.ID, cpu, len(m.CPUs)-1)
	}
	table := m.levels(r)
	var domains []Domain
	for i := range table {
		domains = append(domains, m.newDomain(r, &table[i], cpu))
		// The kernel stops at the first domain that spans everything.
		if len(domains[i].Span) == len(m.CPUs) {
			break
		}
	}
	for i := range domains {
		if domains[i].Flags&SDOverlap != 0 {
			domains[i].Groups = overlapGroups(r, table, i, cpu, len(m.CPUs))
		} else {
			domains[i].Groups = disjointGroups(table, i, cpu)
		}
	}
	return attach(domains), nil
}

// newDomain is the kernel's sd_init: it turns what a level is into what the
// balancer does there.
func (m *Machine) newDomain(r *domainRules, l *level, cpu int) Domain {
	span := l.span(cpu)
	d := Domain{
		Name: l.name,
		Span: slices.Clone(span),
		Flags: l.flags | SDBalanceNewidle | SDBalanceExec | SDBalanceFork |
			SDWakeAffine | SDPreferSibling,
		ImbalancePct: r.otherPct,
		BusyFactor:   r.busyFactor,
		MinInterval:  len(span),
		MaxInterval:  2 * len(span),
	}
	switch {
	case l.flags&SDShareCPUCapacity != 0:
		d.ImbalancePct = r.smtPct
	case l.flags&SDSharePkgResources != 0:
		d.ImbalancePct = r.cachePct
		d.CacheNiceTries = 1
	case l.flags&SDNUMA != 0:
		d.CacheNiceTries = 2
		d.Flags &^= SDPreferSibling
		d.Flags |= SDSerialize
		if l.distance > m.reclaimDistance() {
			d.Flags &^= SDBalanceExec | SDBalanceFork | SDWakeAffine
		}
	default:
		d.CacheNiceTries = 1
	}
	return d
}

// attach removes the domains that add nothing, as cpu_attach_domain does.
func attach(domains []Domain) []Domain {
	for i := 0; i+1 < len(domains); {
		child, parent := &domains[i], &domains[i+1]
		if !parentDegenerate(child, parent) {
			i++
			continue
		}
		child.Flags |= parent.Flags & SDPreferSibling
		domains = slices.Delete(domains, i+1, i+2)
	}
	if len(domains) > 0 && degenerate(&domains[0]) {
		domains = domains[1:]
	}
	return domains
}

// needsGroups are the flags that mean nothing without a second group
// (SD_DEGENERATE_GROUPS_MASK, since v5.10).
const needsGroups = SDBalanceNewidle | SDBalanceExec | SDBalanceFork |
	SDShareCPUCapacity | SDCluster | SDSharePkgResources | SDSerialize |
	SDPreferSibling | SDOverlap | SDNUMA

// degenerate tells whether a domain has no use of its own (sd_degenerate).
func degenerate(d *Domain) bool {
	if len(d.Span) == 1 {
		return true
	}
	if d.Flags&needsGroups != 0 && len(d.Groups) > 1 {
		return false
	}
	return d.Flags&SDWakeAffine == 0
}

// parentDegenerate tells whether the parent adds nothing to its child
// (sd_parent_degenerate).
func parentDegenerate(child, parent *Domain) bool {
	if degenerate(parent) {
		return true
	}
	if !slices.Equal(child.Span, parent.Span) {
		return false
	}
	flags := parent.Flags
	if len(parent.Groups) == 1 {
		flags &^= needsGroups
	}
	return flags&^child.Flags == 0
}
