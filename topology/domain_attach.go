package topology

import "slices"

// attach removes the domains that add nothing (cpu_attach_domain).
func attach(r *domainRules, domains []Domain) []Domain {
	for i := 0; i+1 < len(domains); {
		child, parent := &domains[i], &domains[i+1]
		if !parentDegenerate(r, child, parent) {
			i++
			continue
		}
		if r.handDown {
			child.Flags |= parent.Flags & SDPreferSibling
		}
		domains = slices.Delete(domains, i+1, i+2)
	}
	if len(domains) > 0 && degenerate(r, &domains[0]) {
		domains = domains[1:]
	}
	return domains
}

// degenerate tells whether a domain has no use of its own (sd_degenerate).
func degenerate(r *domainRules, d *Domain) bool {
	if len(d.Span) == 1 {
		return true
	}
	if d.Flags&r.needGroups != 0 && len(d.Groups) > 1 {
		return false
	}
	return d.Flags&SDWakeAffine == 0
}

// parentDegenerate tells whether the parent adds nothing to its child
// (sd_parent_degenerate).
func parentDegenerate(r *domainRules, child, parent *Domain) bool {
	if degenerate(r, parent) {
		return true
	}
	if !slices.Equal(child.Span, parent.Span) {
		return false
	}
	flags := parent.Flags
	if len(parent.Groups) == 1 {
		flags &^= r.voidAlone
	}
	return flags&^child.Flags == 0
}
