package topology

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// domainTree is a hierarchy of sched domains and the CPUs that have it: their
// domains are equal in everything but the CPUs in them.
type domainTree struct {
	cpus    []int
	domains []Domain // those of the first CPU
}

// domainTrees returns the distinct hierarchies of a machine under a kernel, in
// the order of their first CPUs.
func domainTrees(hierarchies [][]Domain, online []int) []domainTree {
	var trees []domainTree
	for _, cpu := range online {
		domains := hierarchies[cpu]
		i := slices.IndexFunc(trees, func(t domainTree) bool {
			return slices.EqualFunc(t.domains, domains, sameParameters)
		})
		if i < 0 {
			i = len(trees)
			trees = append(trees, domainTree{domains: domains})
		}
		trees[i].cpus = append(trees[i].cpus, cpu)
	}
	return trees
}

// sameParameters tells whether two domains differ in nothing but their CPUs.
func sameParameters(a, b Domain) bool {
	return a.Name == b.Name && a.Flags == b.Flags && len(a.Span) == len(b.Span) &&
		groupSizes(a.Groups) == groupSizes(b.Groups) &&
		a.ImbalancePct == b.ImbalancePct && a.BusyFactor == b.BusyFactor &&
		a.CacheNiceTries == b.CacheNiceTries &&
		a.MinInterval == b.MinInterval && a.MaxInterval == b.MaxInterval &&
		a.BalanceInterval == b.BalanceInterval
}

// groupSizes writes how many CPUs the groups have, in whichever order they are:
// "20 of 2", or "4+3+6x2" if they differ.
func groupSizes(groups [][]int) string {
	counts := map[int]int{}
	for _, g := range groups {
		counts[len(g)]++
	}
	var parts []string
	for _, size := range slices.Backward(slices.Sorted(maps.Keys(counts))) {
		n := counts[size]
		switch {
		case len(counts) == 1:
			return fmt.Sprintf("%d of %d", n, size)
		case n == 1:
			parts = append(parts, strconv.Itoa(size))
		default:
			parts = append(parts, fmt.Sprintf("%dx%d", n, size))
		}
	}
	return strings.Join(parts, "+")
}

// versionTrees are the hierarchies that a machine has under a kernel.
type versionTrees struct {
	version     string
	hierarchies [][]Domain // of each CPU
	trees       []domainTree
}

// describedDomains returns the hierarchies under the given versions, under all
// that are known if none is given. In that case there is no error, and no
// hierarchy, for an architecture that no version has rules for.
func (m *Machine) describedDomains(versions []string) ([]versionTrees, error) {
	all := len(versions) == 0
	if all {
		versions = KernelVersions()
	}
	var described []versionTrees
	for _, version := range versions {
		hierarchies, err := m.AllDomains(version)
		if err != nil && all {
			continue
		}
		if err != nil {
			return nil, err
		}
		described = append(described, versionTrees{version, hierarchies, domainTrees(hierarchies, m.OnlineCPUs())})
	}
	return described, nil
}

// writeDomains writes the sched domains of the versions, each block once for
// all the versions that it holds for.
func (m *Machine) writeDomains(buf *bytes.Buffer, versions []string) error {
	all, err := m.describedDomains(versions)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		fmt.Fprintf(buf, "\nSched domains: not modelled for %s\n", m.Arch)
	}
	type block struct {
		versions []string
		text     string
	}
	var blocks []block
	for _, v := range all {
		text := domainText(v)
		i := slices.IndexFunc(blocks, func(b block) bool { return b.text == text })
		if i < 0 {
			i = len(blocks)
			blocks = append(blocks, block{text: text})
		}
		blocks[i].versions = append(blocks[i].versions, v.version)
	}
	for _, b := range blocks {
		buf.WriteByte('\n')
		writeWrapped(buf, "", "  ", "Sched domains, Linux "+strings.Join(b.versions, ", ")+" (ms: balance interval):")
		buf.WriteString(b.text)
	}
	return nil
}

// domainText writes hierarchies, lowest level first as the kernel numbers
// them.
func domainText(v versionTrees) string {
	var buf bytes.Buffer
	for _, tree := range v.trees {
		if len(v.trees) > 1 {
			writeWrapped(&buf, "  ", "    ", fmt.Sprintf("CPUs %s (spans are those of CPU %d):", FormatCPUList(tree.cpus), tree.cpus[0]))
		} else {
			fmt.Fprintf(&buf, "  all CPUs (spans are those of CPU %d):\n", tree.cpus[0])
		}
		if len(tree.domains) == 0 {
			buf.WriteString("  none: nothing to balance with\n")
			continue
		}
		t := textTable{align: "lrlrrrr"}
		t.row("level", "CPUs", "groups", "imbalance_pct", "busy_factor", "cache_nice_tries", "ms")
		for _, d := range tree.domains {
			t.row(d.Name, strconv.Itoa(len(d.Span)), groupSizes(d.Groups), strconv.Itoa(d.ImbalancePct), strconv.Itoa(d.BusyFactor),
				strconv.Itoa(d.CacheNiceTries), fmt.Sprintf("%d-%d", d.MinInterval, d.MaxInterval))
		}
		t.write(&buf)
		common := commonFlags(tree.domains)
		if names := strings.Join(common.Names(v.version), " "); names != "" && len(tree.domains) > 1 {
			writeWrapped(&buf, "  all: ", "    ", names)
		} else {
			common = 0
		}
		for _, d := range tree.domains {
			writeWrapped(&buf, fmt.Sprintf("  %s ", d.Name), "    ",
				strings.TrimRight(FormatCPUList(d.Span)+": "+strings.Join((d.Flags&^common).Names(v.version), " "), ": "))
		}
	}
	return buf.String()
}

// commonFlags returns the flags that all domains have.
func commonFlags(domains []Domain) DomainFlags {
	common := domains[0].Flags
	for _, d := range domains {
		common &= d.Flags
	}
	return common
}

// domainKey is equal for domains with the same span and the same groups,
// whichever group comes first.
func domainKey(d Domain) string {
	groups := formatLists(d.Groups)
	slices.Sort(groups)
	return FormatCPUList(d.Span) + ":" + strings.Join(groups, ";")
}
