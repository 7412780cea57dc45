package topology

import (
	"fmt"
	"slices"
)

// arm64Rules are the choices of arch/arm64/kernel/topology.c and, from v5.9
// on, drivers/base/arch_topology.c.
type arm64Rules struct {
	// flat: all CPUs are one level; the kernel asks neither for caches nor
	// for nodes.
	flat bool
	// acrossNodes: the MC level is not confined to a node.
	acrossNodes bool
}

// arm64Levels returns the levels below the NUMA levels. Packages, clusters and
// caches are taken to be described by firmware (ACPI PPTT). An error says that
// the kernel would find a level that does not fit into the next one.
func (b *domainBuilder) arm64Levels() ([]level, error) {
	r := b.r
	if r.arm64.flat {
		return []level{b.partition(r.packageLevel, 0, func(CPU) part { return part{} })}, nil
	}
	core := b.partition(r.coreLevel, SDShareCPUCapacity|SDSharePkgResources, byCore)
	mc, cluster := b.arm64Groups(&core)
	levels := []level{core}
	if r.clusterLevel {
		cluster.name, cluster.flags = "CLS", r.clusterFlags
		levels = append(levels, cluster)
	}
	mc.name, mc.flags = "MC", SDSharePkgResources
	levels = append(levels, mc, b.partition(r.packageLevel, 0, byNode))
	for _, cpu := range b.online {
		if i := len(levels) - 2; !subset(levels[i].span(cpu), levels[i+1].span(cpu)) {
			return nil, fmt.Errorf("topology: machine %s: CPUs %s share a cache or a cluster across nodes, "+
				"which Linux %s calls a broken topology, no sched domains are known for it",
				b.m.ID, FormatCPUList(levels[i].span(cpu)), r.version)
		}
	}
	return levels, nil
}

// arm64Groups returns the spans of the MC level and of the CLS level
// (cpu_coregroup_mask and cpu_clustergroup_mask).
func (b *domainBuilder) arm64Groups(core *level) (mc, cluster level) {
	node := b.partition("", 0, byNode)
	socket := b.partition("", 0, func(c CPU) part { return part{c.Socket, 0} })
	llc := b.partition("", 0, b.arm64LLC())
	cluster = b.firmwareCluster(&socket)
	mask := make(map[int][]int, len(b.online))
	for _, cpu := range b.online {
		m := node.span(cpu)
		if b.r.arm64.acrossNodes || subset(socket.span(cpu), m) {
			m = socket.span(cpu)
		}
		if subset(llc.span(cpu), m) {
			m = llc.span(cpu)
		}
		// Where the last-level cache is smaller than a cluster, as where each
		// core has its own, the cluster takes its place.
		if b.r.clusterLevel && subset(m, cluster.span(cpu)) {
			m = cluster.span(cpu)
		}
		// A domain takes in its child (build_sched_domain): caches that firmware
		// describes for each thread alone.
		if subset(m, core.span(cpu)) {
			m = core.span(cpu)
		}
		mask[cpu] = m
	}
	// Every mask is a span of one of these levels, so its first CPU names it.
	mc = b.partition("", 0, func(c CPU) part { return part{mask[c.ID][0], len(mask[c.ID])} })
	// A cluster has to be smaller than the MC level.
	cluster = b.partition("", 0, func(c CPU) part {
		s := cluster.span(c.ID)
		if subset(mc.span(c.ID), s) {
			s = core.span(c.ID)
		}
		return part{s[0], len(s)}
	})
	return mc, cluster
}

// arm64LLC tells which CPUs share the last cache that firmware describes as
// the CPUs' own. It is the model's last-level cache, unless the machine lists
// caches and none of them is that: then it is a cluster that stands for one,
// and each core has its own.
func (b *domainBuilder) arm64LLC() func(CPU) part {
	llcs := b.m.sets(func(c CPU) int { return c.LLC })
	listed := false
	for _, c := range b.m.Caches {
		if c.Level < 2 || c.Type == "instruction" {
			continue
		}
		listed = true
		if slices.EqualFunc(b.m.Instances(c), llcs, slices.Equal) {
			return func(c CPU) part { return part{c.LLC, 0} }
		}
	}
	if listed {
		return byCore
	}
	return func(c CPU) part { return part{c.LLC, 0} }
}

// firmwareCluster returns the smallest groups of cores that firmware describes
// (find_acpi_cpu_topology_cluster): those that the machine gives as sharing a
// level-2 cache or being a cluster, else those that share the last-level
// cache, else packages.
func (b *domainBuilder) firmwareCluster(socket *level) level {
	for _, by := range []func(CPU) part{byL2, b.arm64LLC()} {
		if l := b.partition("", 0, by); len(l.spans) < len(b.partition("", 0, byCore).spans) {
			return l
		}
	}
	return *socket
}
