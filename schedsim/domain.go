package schedsim

import (
	"slices"

	"github.com/schedlab/schedlab/topology"
)

// Domain is one CPU's struct sched_domain at one level. What is the same for
// all CPUs of the span is shared.
type Domain struct {
	name           string
	span           []int32
	mask           cpuMask
	groups         []*group // the CPU's own group first
	newidle        bool     // SD_BALANCE_NEWIDLE
	fork           bool     // SD_BALANCE_FORK
	exec           bool     // SD_BALANCE_EXEC
	wakeAffine     bool
	sharePkg       bool // SD_SHARE_PKG_RESOURCES
	serialize      bool
	numa           bool
	childPrefer    bool // the child domain has SD_PREFER_SIBLING
	smt            bool // SD_SHARE_CPUCAPACITY
	cluster        bool // SD_CLUSTER
	imbNumaNr      int  // imb_numa_nr
	prefer         bool // SD_PREFER_SIBLING
	imbalancePct   int
	busyFactor     int64
	cacheNiceTries int
	minInterval    int64 // ms
	maxInterval    int64 // ms
	level          int8  // index among the CPU's domains
	asym           bool  // SD_ASYM_PACKING
	beyond         bool  // a group reaches beyond the span

	balanceInterval  int64 // ms
	lastBalance      int64 // jiffies
	nrBalanceFailed  int
	maxNewidleCost   int64 // ns
	nextDecayMaxCost int64 // jiffies
	avgScanCost      int64 // ns
	dice             newidleDice
}

// group is struct sched_group.
type group struct {
	cpus []int32
	mask cpuMask
	// imbalance is set from below when affinity kept tasks from moving
	// (sgc->imbalance).
	imbalance bool
	capacity  int64 // cpu_power or capacity of its CPUs together
	cores     int   // since v6.6
	// What the child domain whose span it is has: SD_SHARE_CPUCAPACITY and
	// SD_PREFER_SIBLING (sg->flags, since v5.14).
	smt, prefer bool
}

// buildDomains translates the machine's domains into the engine's form.
func (s *Sched) buildDomains() error {
	s.buildCPULoads()
	type key struct {
		level       string
		first, last int
	}
	shared := map[key][]*group{} // groups of one key, apart only in odd machines
	hierarchies, err := s.m.AllDomains(releaseOf(s.k.Version))
	if err != nil {
		return err
	}
	for ci := range s.cpus {
		if !s.isOnline(ci) {
			continue
		}
		domains := hierarchies[ci]
		c := &s.cpus[ci]
		c.llcLevel = -1
		for l := range domains {
			td := &domains[l]
			has := func(f topology.DomainFlags) bool { return td.Flags&f != 0 }
			d := Domain{
				name:           td.Name,
				span:           int32s(td.Span),
				mask:           maskOf(len(s.cpus), td.Span),
				newidle:        has(topology.SDBalanceNewidle) && s.k.NewidleBalance,
				fork:           has(topology.SDBalanceFork),
				exec:           has(topology.SDBalanceExec),
				cluster:        has(topology.SDCluster),
				wakeAffine:     has(topology.SDWakeAffine),
				sharePkg:       has(topology.SDSharePkgResources),
				serialize:      has(topology.SDSerialize),
				numa:           has(topology.SDNUMA),
				smt:            has(topology.SDShareCPUCapacity),
				prefer:         has(topology.SDPreferSibling),
				imbalancePct:   td.ImbalancePct,
				busyFactor:     int64(td.BusyFactor),
				cacheNiceTries: td.CacheNiceTries,
				minInterval:    int64(td.MinInterval),
				maxInterval:    int64(td.MaxInterval),

				level: int8(l),
				asym:  has(topology.SDAsymPacking),

				balanceInterval: int64(td.BalanceInterval),
				lastBalance:     s.jiffies,
				dice:            newDice(),
			}
			if l > 0 {
				d.childPrefer = domains[l-1].Flags&topology.SDPreferSibling != 0
			}
			if d.sharePkg {
				c.llcLevel = int8(l)
			}
			for _, g := range td.Groups {
				k, cpus := key{td.Name, g[0], g[len(g)-1]}, int32s(g)
				i := slices.IndexFunc(shared[k], func(o *group) bool { return slices.Equal(o.cpus, cpus) })
				if i < 0 {
					i = len(shared[k])
					shared[k] = append(shared[k], &group{cpus: cpus, mask: maskOf(len(s.cpus), g)})
				}
				d.groups = append(d.groups, shared[k][i])
				d.beyond = d.beyond || slices.ContainsFunc(cpus, func(ci int32) bool { return !d.mask.has(int(ci)) })
			}
			c.domains = append(c.domains, d)
		}
	}
	s.buildCapacity()
	for _, groups := range shared {
		for _, g := range groups {
			s.buildGroup(g)
		}
	}
	s.buildBalance()
	return nil
}

// buildGroup sets what is known of a group once all domains are built.
func (s *Sched) buildGroup(g *group) {
	first := int32(-1)
	for _, ci := range g.cpus {
		c := &s.cpus[ci]
		g.capacity += c.capacity
		if k := s.cores[c.core].cpus; k[0] == ci || !g.mask.has(int(k[0])) && c.core != first {
			g.cores++
			first = c.core
		}
	}
	if domains := s.cpus[g.cpus[0]].domains; len(g.cpus) > 1 {
		i := slices.IndexFunc(domains, func(d Domain) bool { return slices.Equal(d.span, g.cpus) })
		if i >= 0 {
			g.smt, g.prefer = domains[i].smt, domains[i].prefer
		}
	}
}

// buildLLCs groups the CPUs as cpus_share_cache does: by their highest domain
// that shares a cache. That is the last-level cache of the hardware, unless the
// architecture tells the scheduler otherwise.
func (s *Sched) buildLLCs() {
	index := map[int32]int32{}
	for _, ci := range s.online {
		first := ci
		if d := s.llcDomain(ci); d != nil {
			first = d.span[0]
		}
		i, ok := index[first]
		if !ok {
			i = int32(len(s.llcs))
			index[first] = i
			s.llcs = append(s.llcs, llc{hasIdleCores: s.smtPresent})
		}
		s.llcs[i].cpus++
		s.cpus[ci].llc, s.rq[ci].llc = i, i
	}
}

func int32s(in []int) []int32 {
	out := make([]int32, len(in))
	for i, v := range in {
		out[i] = int32(v)
	}
	return out
}

func maskOf(n int, cpus []int) cpuMask {
	m := newCPUMask(n)
	for _, c := range cpus {
		m.set(c)
	}
	return m
}
