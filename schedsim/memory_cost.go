package schedsim

import "fmt"

// What memory costs: how fast a task runs with its pages where they are, and what
// it takes to touch, protect and move them.
//
// A task waits for memory intensity of its time when all is local. On node c the
// accesses to node n take Memory.Remote[distance]/Memory.Local as long, so its
// work takes
//
//	1 + intensity * (sum over regions of weight * sum over nodes of share * ratio - 1)
//
// as long. That slows down the CPU while the task is current, kernel work
// included. Bandwidth is taken for unlimited, and the wait for memory for as
// sensitive to the clock and to SMT siblings as the rest.

// migrateRate is the limit for pages that move to one node before v4.19: so many
// bytes in a window (migrate_interval_millisecs, ratelimit_pages).
const (
	migrateRateBytes = 128 << 20
	migrateRateMS    = 100
)

// migrateLimit is a node's window.
type migrateLimit struct {
	window int64 // jiffy that ends it
	pages  int64 // base pages
}

// assumedBandwidth is what pages are copied with to another node where the
// machine's data have none, GB/s.
const assumedBandwidth = 10

// regionCosts are the costs of a region's pages.
func (s *Sched) regionCosts(r *region) {
	c := &s.cost
	bandwidth := s.m.Memory.RemoteBandwidth.Value
	if bandwidth <= 0 {
		bandwidth = assumedBandwidth
	}
	more := float64(r.PageBytes - 4<<10)
	r.moveWork = c.MigratePage + int64(more/bandwidth)
	if r.PageBytes == 2<<20 && c.MigrateHugePage > 0 {
		r.moveWork = c.MigrateHugePage
	}
	local := s.m.Memory.CoreBandwidth.Value
	if local <= 0 {
		local = assumedBandwidth
	}
	r.touchWork = c.PageFault + int64(float64(r.PageBytes)/local)
	r.scanWork = c.NUMAScanPage
	if r.span > 1 {
		r.scanWork = c.NUMAScanHugePage
	}
}

// checkLatencies reports a distance without a latency.
func (s *Sched) checkLatencies() error {
	mem := &s.m.Memory
	for a, row := range s.m.Distances {
		for b, d := range row {
			if a != b && (mem.Remote[d].Value <= 0 || mem.Local.Value <= 0) {
				return fmt.Errorf("schedsim: machine %s has no memory latency for distance %d, give Memory.Local and Memory.Remote[%d]",
					s.m.ID, d, d)
			}
		}
	}
	return nil
}

// numaCPU is what NUMA balancing and memory keep of a runqueue.
type numaCPU struct {
	speed       int64 // of the current task, for its memory, <<16
	nrNUMA      int32 // rq->nr_numa_running
	nrPreferred int32 // rq->nr_preferred_running
	migrateOn   bool  // rq->numa_migrate_on, since v4.19
}

// memorySpeed is the task's speed on the node of its CPU, <<16, and its share of
// local accesses, per mille.
func (s *Sched) memorySpeed(t *Task) int64 {
	m := s.mem
	nt := &m.tasks[t.ID]
	if nt.mm == MM(none) {
		return 1 << 16
	}
	space := &m.mms[nt.mm]
	node := m.nodeOf[t.cpu]
	if nt.speedVersion == space.version && nt.speedNode == node {
		return nt.speed
	}
	slow, local := 0.0, 0.0
	for i := range nt.access {
		a := &nt.access[i]
		r := &m.regions[a.Region]
		sum, left := 0.0, r.units
		for n, units := range r.on {
			sum += float64(units) * m.ratio[int(node)*m.nodes+n]
			left -= units
		}
		// What has no page yet will have one here.
		slow += a.Weight * (sum + float64(left)) / float64(r.units)
		local += a.Weight * float64(r.on[node]+left) / float64(r.units)
	}
	if len(nt.access) == 0 {
		slow, local = 1, 1
	}
	nt.speedVersion, nt.speedNode = space.version, node
	nt.speed = int64((1 << 16) / (1 + nt.intensity*(slow-1)))
	nt.local = int64(local*1000 + 0.5)
	return nt.speed
}

// setMemorySpeed makes ci as fast as the memory of its current task lets it be.
func (s *Sched) setMemorySpeed(ci int32) {
	c, mc := &s.cpus[ci], &s.mem.cpu[ci]
	if speed := s.memorySpeed(&s.tasks[c.curr]); mc.speed != speed {
		mc.speed = speed
		s.retimeCore(c.core)
	}
}

// slowed is the speed of a CPU whose core has speed.
func (m *memory) slowed(ci int32, speed int64) int64 { return speed * m.cpu[ci].speed >> 16 }

// rateLimited reports whether a node took all the pages that it may in this
// window, and counts these if not (numamigrate_update_ratelimit; v4.18 and
// before).
func (s *Sched) rateLimited(node int32, pages int64) bool {
	if !s.k.NUMAMigrateRateLimit {
		return false
	}
	l := &s.mem.limit[node]
	if s.jiffies > l.window {
		l.pages = 0
		l.window = s.jiffies + s.msecsToJiffies(migrateRateMS)
	}
	if l.pages > migrateRateBytes/s.mem.basePage {
		return true
	}
	l.pages += pages
	return false
}

// msecsToJiffies rounds up.
func (s *Sched) msecsToJiffies(ms int64) int64 { return (ms*int64(s.k.HZ) + 999) / 1000 }
