package workload

import (
	"fmt"

	"github.com/schedlab/schedlab/schedsim"
)

// SPECjbbParams are the constants of SPECjbb. Work is ns at the machine's
// reference clock with the core to itself.
type SPECjbbParams struct {
	// JVMs is how many Java processes run, Warehouses how many threads of the
	// benchmark each has in the point that is measured.
	JVMs, Warehouses int
	// Points is in how many steps the number of warehouses rises to that; each
	// step but the last takes PointSeconds and ends its threads.
	Points       int
	PointSeconds float64
	// ThreadOps is what one thread does in a second at the reference clock, with
	// the core to itself, CacheMiB of last-level cache, and all memory on its
	// node: the speed of a core of this machine for this program. ops/s.
	ThreadOps float64
	// AllocKiB is what an operation allocates, and YoungMiB and OldMiB are the
	// two parts of a JVM's heap. The young part full is a collection.
	AllocKiB, YoungMiB, OldMiB float64
	// GCShare is the work of the collections in relation to that of the
	// operations.
	GCShare float64
	// GCThreads is how many threads of a JVM collect; 0 for HotSpot's rule by
	// the number of CPUs.
	GCThreads int
	// Intensity is the share of its time that a thread waits for memory when all
	// is local and it has CacheMiB to itself.
	Intensity float64
	// CacheMiB and CacheExponent: with c MiB of last-level cache for each running
	// thread, misses are (CacheMiB/c)^CacheExponent times as many.
	CacheMiB, CacheExponent float64
	// Crowd is how much longer work takes on this machine when as many threads of
	// the benchmark run as it has cores, for what is not modelled of it: memory
	// bandwidth, power limits, a hypervisor. It grows from 0 with the number of
	// threads up to that.
	Crowd float64
	// HotMiB is the memory outside the heap that all threads of a JVM touch: code,
	// class data, tables of the collector. PrivateKiB is what a thread has.
	HotMiB, PrivateKiB float64
	// HotShare and PrivateShare are their parts of the accesses to memory; the
	// rest goes to the heap.
	HotShare, PrivateShare float64
	// Unmovable: see schedsim.Region, of the memory outside the heap.
	Unmovable float64
	// BlocksPerSecond is how often a thread waits for a lock in a second of work,
	// for BlockNS in the mean.
	BlocksPerSecond, BlockNS float64
	// ServiceThreads are threads of a JVM beside those, such as the periodic task. Each wakes ServicePerSecond times a second in the mean, for
	// work of ServiceNS in the mean.
	ServiceThreads              int
	ServicePerSecond, ServiceNS float64
	// Heap is what the heap lies in: "hugetlb" (hugetlbfs, which NUMA balancing
	// leaves alone), "thp" (transparent huge pages), "small".
	Heap string
}

// DefaultSPECjbb are mid-range constants, to start a calibration from.
func DefaultSPECjbb(jvms int) SPECjbbParams {
	return SPECjbbParams{
		JVMs: jvms, Warehouses: 8, Points: 2, PointSeconds: 20,
		ThreadOps: 30000,
		AllocKiB:  20, YoungMiB: 3072, OldMiB: 1024, GCShare: 0.1,
		Intensity: 0.3, CacheMiB: 10, CacheExponent: 0.355,
		HotMiB: 4, PrivateKiB: 128, HotShare: 0.15, PrivateShare: 0.05,
		Unmovable: 0.03, BlocksPerSecond: 20, BlockNS: 100e3,
		ServiceThreads: 1, ServicePerSecond: 20, ServiceNS: 200e3,
		Heap: "hugetlb",
	}
}

// Assumed constants of SPECjbb that nothing hangs on.
const (
	jbbMaxChunk   = 20e6  // a thread looks at its surroundings at least so often, ns
	jbbMinChunk   = 100e3 // and not more often, ns: how far apart threads reach a safepoint
	jbbThreadWork = 100e3 // start of a thread, ns
	jbbFirstStart = 50e6  // the JVMs are started so far apart, ns
	jbbPointNS    = 240e9 // the measured part of a point of SPECjbb2005
	jbbGCMinChunk = 50e3  // the least that a thread of the collector takes, ns
	jbbHotRate    = 2e7   // touches of hot memory in a second, in bytes of pages of 4 KiB
	jbbRefill     = 300   // lines of private cache fetched after a move
)

// Roles of SPECjbb's tasks. Task.Arg of all but the launcher is 1 + the JVM's
// number times the tasks that it may have + the task's number in it.
const (
	RoleLauncher  int32 = iota // the main thread of a JVM, which starts the others
	RoleVMThread               // stops the world and starts it again
	RoleCollector              // a thread of the parallel collector
	RoleWarehouse              // a thread of the benchmark
	RoleService                // the periodic task and the like
)

// SPECjbb is SPECjbb2005: JVMs with some threads each that do operations on data
// of their own, hardly ever wait, and allocate. When the young part of the heap is
// full, all threads of the JVM stop, its collector's threads share the work of the
// collection, and all go on. The number of warehouses rises from point to point,
// each with new threads.
//
// How far the threads are apart when the heap is full is not drawn: they take
// allocation from what is left in ever smaller pieces, so that all of them arrive
// within jbbMinChunk.
type SPECjbb struct {
	SPECjbbParams
	gcThreads int
	jvms      []jvm
	perJVM    int32
	workNS    float64 // of an operation
	gcWork    float64 // of a collection
	youngOps  float64 // allocated by these the young part is full
	llcMiB    float64
	llcOf     []int32 // by CPU
	running   []int32 // warehouse threads that run, by last-level cache
	onLLC     []int32 // by task of the workload: where it counts as running, or -1

	atWork int32 // warehouse threads that run
	cores  float64

	ops       float64
	gcNS      int64
	gcs       int64
	startedAt int64
}

// jvm is a Java process.
type jvm struct {
	mm              schedsim.MM
	young, old, hot schedsim.RegionID
	point           int32
	born            int32 // warehouse threads so far, of all points
	active          int32 // warehouse threads alive
	parked          int32 // of them at the safepoint
	eden            float64
	wanted          bool    // a collection is to be
	collecting      bool    // the world is stopped
	pool            float64 // work of the collection that nobody took yet, ns
	done            int32   // collectors that found nothing left
	release         int32   // threads to be let go
	stoppedAt       int64
}

// NewSPECjbb returns the workload; one value serves one run.
func NewSPECjbb(p SPECjbbParams) (*SPECjbb, error) {
	switch {
	case p.JVMs < 1 || p.Warehouses < 1 || p.Points < 1:
		return nil, fmt.Errorf("workload: specjbb: %d JVMs of %d warehouses in %d points, want at least 1 of each", p.JVMs, p.Warehouses, p.Points)
	case !(p.ThreadOps > 0 && p.AllocKiB > 0 && p.YoungMiB > 0 && p.OldMiB > 0 && p.CacheMiB > 0 && p.HotMiB > 0 && p.PrivateKiB > 0):
		return nil, fmt.Errorf("workload: specjbb: a rate or a size is not positive: %+v", p)
	case p.GCShare < 0 || p.Crowd < 0 || p.GCThreads < 0 || p.CacheExponent < 0 || p.PointSeconds < 0 || p.BlocksPerSecond < 0 || p.BlockNS < 0,
		p.ServiceThreads < 0 || !(p.ServicePerSecond > 0) || p.ServiceNS < 0:
		return nil, fmt.Errorf("workload: specjbb: a constant is negative: %+v", p)
	case !(p.HotShare >= 0 && p.PrivateShare >= 0 && p.HotShare+p.PrivateShare <= 1 && p.Intensity >= 0 && p.Intensity <= 1):
		return nil, fmt.Errorf("workload: specjbb: intensity and shares of accesses are not within 0 to 1: %+v", p)
	case p.Heap != "hugetlb" && p.Heap != "thp" && p.Heap != "small":
		return nil, fmt.Errorf("workload: specjbb: heap %q, use hugetlb, thp or small", p.Heap)
	}
	w := &SPECjbb{SPECjbbParams: p, gcThreads: p.GCThreads, jvms: make([]jvm, p.JVMs)}
	w.workNS = 1e9 / p.ThreadOps
	w.youngOps = p.YoungMiB * 1024 / p.AllocKiB
	w.gcWork = p.GCShare * w.youngOps * w.workNS
	w.perJVM = 2 + maxCollectors + w.allThreads() + int32(p.ServiceThreads)
	return w, nil
}

// maxCollectors bounds GCThreads, as the number of CPUs is not known before the
// start. Those that are not needed are never born.
const maxCollectors = 160

// allThreads is how many warehouse threads a JVM has in all its points.
func (w *SPECjbb) allThreads() (n int32) {
	for i := range w.Points {
		n += w.warehousesAt(int32(i))
	}
	return n
}

// warehousesAt is how many a point has.
func (w *SPECjbb) warehousesAt(point int32) int32 {
	return max(1, int32(w.Warehouses)*(point+1)/int32(w.Points))
}

// Name implements schedsim.Workload.
func (w *SPECjbb) Name() string { return fmt.Sprintf("specjbb-%d-%d", w.JVMs, w.Warehouses) }

// MaxTasks implements schedsim.Workload.
func (w *SPECjbb) MaxTasks() int { return w.JVMs * int(w.perJVM) }

// Channels: of each JVM the VM thread's, the collector's, and the safepoint's.
const jbbChannels = 3

func (w *SPECjbb) vmChannel(j int32) int32        { return jbbChannels * j }
func (w *SPECjbb) collectorChannel(j int32) int32 { return jbbChannels*j + 1 }
func (w *SPECjbb) safepointChannel(j int32) int32 { return jbbChannels*j + 2 }

// Channels implements schedsim.Workload.
func (w *SPECjbb) Channels() int { return jbbChannels * w.JVMs }

// Locality implements schedsim.Workload.
func (w *SPECjbb) Locality() schedsim.Locality { return schedsim.Locality{RefillLines: jbbRefill} }

// Start implements schedsim.Workload: a script starts one JVM after the other, each
// on a CPU drawn from the run's seed.
func (w *SPECjbb) Start(s *schedsim.Sched) {
	m := s.Machine()
	r := s.Rand()
	cpus := m.OnlineCPUs()
	if w.gcThreads == 0 {
		// -XX:ParallelGCThreads: all of 8, and 5 of 8 of those beyond.
		w.gcThreads = len(cpus)
		if n := len(cpus); n > 8 {
			w.gcThreads = 8 + (n-8)*5/8
		}
	}
	w.gcThreads = min(w.gcThreads, maxCollectors)
	w.llcOf = make([]int32, len(m.CPUs))
	for i := range m.CPUs {
		w.llcOf[i] = int32(max(m.CPUs[i].LLC, 0))
	}
	w.running = make([]int32, m.LLCs())
	w.onLLC = make([]int32, w.MaxTasks())
	for i := range w.onLLC {
		w.onLLC[i] = -1
	}
	w.llcMiB, w.cores = lastLevelMiB(m), float64(m.Cores())
	for i := range w.jvms {
		j := &w.jvms[i]
		j.mm = s.NewMM()
		j.young = s.AddRegion(j.mm, w.heap(m.Arch, "young", w.YoungMiB))
		j.old = s.AddRegion(j.mm, w.heap(m.Arch, "old", w.OldMiB))
		j.hot = s.AddRegion(j.mm, schedsim.Region{Name: "hot", Bytes: int64(w.HotMiB * (1 << 20)), Unmovable: w.Unmovable})
		j.eden = w.youngOps
		t := s.Spawn("java", RoleLauncher, cpus[r.IntN(len(cpus))], int64(i)*jbbFirstStart+int64(r.IntN(jbbFirstStart)))
		t.Arg = int32(i)
		t.Rand = schedsim.StreamFor(s.Seed(), RoleLauncher, int32(i))
		s.SetMM(t, j.mm)
		w.declare(s, j, t)
	}
}

// heap is a part of the heap. Huge pages of hashed page tables (POWER8 and before;
// taken for all of POWER) have 16 MiB, others 2 MiB.
func (w *SPECjbb) heap(arch, name string, mib float64) schedsim.Region {
	r := schedsim.Region{Name: name, Bytes: int64(mib * (1 << 20)), HugeTLB: w.Heap == "hugetlb"}
	if w.Heap != "small" {
		r.PageBytes = 2 << 20
		if arch == "ppc64" || arch == "ppc64le" {
			r.PageBytes = 16 << 20
		}
		r.Bytes = (r.Bytes + r.PageBytes - 1) / r.PageBytes * r.PageBytes
	}
	return r
}

// declare says what a task touches. Mutators allocate in the young part and read
// the old one; the collector goes through both.
func (w *SPECjbb) declare(s *schedsim.Sched, j *jvm, t *schedsim.Task) {
	heap := 1 - w.HotShare - w.PrivateShare
	page := 4096.0
	if a := s.Machine().Arch; a == "ppc64" || a == "ppc64le" {
		page = 65536
	}
	stack := s.AddRegion(j.mm, schedsim.Region{Name: "stack", Bytes: int64(w.PrivateKiB * 1024), Unmovable: w.Unmovable})
	// Allocation goes on to the next page once one is full.
	pages := w.ThreadOps * w.AllocKiB * 1024 / page
	s.SetAccess(t, w.Intensity,
		schedsim.Access{Region: j.young, Weight: heap / 2, PagesPerSecond: pages / 512},
		schedsim.Access{Region: j.old, Weight: heap / 2, PagesPerSecond: pages / 512},
		schedsim.Access{Region: j.hot, Weight: w.HotShare, PagesPerSecond: jbbHotRate / page},
		schedsim.Access{Region: stack, Weight: w.PrivateShare, PagesPerSecond: jbbHotRate / page})
}

// Born implements schedsim.Workload.
func (w *SPECjbb) Born(s *schedsim.Sched, parent, child *schedsim.Task, arg int32) {
	child.Arg = arg
	n := arg % w.perJVM
	switch {
	case n == 0:
		child.Name, child.Role = "VM Thread", RoleVMThread
	case n <= int32(w.gcThreads):
		child.Name, child.Role = "GC Thread", RoleCollector
	case n <= int32(w.gcThreads+w.ServiceThreads):
		child.Name, child.Role = "Service", RoleService
	default:
		child.Name, child.Role = "Thread", RoleWarehouse
	}
	child.Rand = schedsim.StreamFor(s.Seed(), child.Role, arg)
	s.CloneVM(parent, child)
	w.declare(s, w.jvmOf(child), child)
}

// jvmOf is the JVM of a task.
func (w *SPECjbb) jvmOf(t *schedsim.Task) *jvm {
	if t.Role == RoleLauncher {
		return &w.jvms[t.Arg]
	}
	return &w.jvms[t.Arg/w.perJVM]
}

// Next implements schedsim.Workload.
func (w *SPECjbb) Next(s *schedsim.Sched, t *schedsim.Task) schedsim.Op {
	switch t.Role {
	case RoleLauncher:
		return w.nextLauncher(t)
	case RoleVMThread:
		return w.nextVMThread(s, t)
	case RoleCollector:
		return w.nextCollector(t)
	case RoleService:
		return schedsim.Op{
			Kind: schedsim.OpSleep, Work: exponential(t, w.ServiceNS), Arg64: exponential(t, 1e9/w.ServicePerSecond),
		}
	}
	return w.nextWarehouse(s, t)
}

// Measured implements schedsim.Workload: operations a second and JVM.
func (w *SPECjbb) Measured(s *schedsim.Sched, end bool) (float64, string) {
	if !end {
		w.ops, w.gcs, w.gcNS, w.startedAt = 0, 0, 0, s.Now()
		return 0, ""
	}
	return w.ops / float64(w.JVMs) / (float64(s.Now()-w.startedAt) / 1e9), "bops/JVM"
}

// Metrics implements schedsim.Meter. What is counted by point is for the 240 s for
// which SPECjbb2005 measures one.
func (w *SPECjbb) Metrics(s *schedsim.Sched) []schedsim.Metric {
	ns := float64(s.Now() - w.startedAt)
	c := s.Counters()
	out := numaPointMetrics(&c, jbbPointNS/ns)
	out = append(out, schedsim.Metric{Name: "gc-share", Unit: "%", Value: float64(w.gcNS) / ns / float64(w.JVMs) * 100})
	if w.gcs > 0 {
		out = append(out, schedsim.Metric{Name: "gc-pause", Unit: "ms", Value: float64(w.gcNS) / float64(w.gcs) / 1e6})
	}
	if c.MemTicks > 0 {
		out = append(out, schedsim.Metric{Name: "local-accesses", Unit: "%", Value: float64(c.MemLocal) / float64(c.MemTicks) / 10})
	}
	return out
}

// numaPointMetrics are the counters of NUMA balancing in the time of a point.
func numaPointMetrics(c *schedsim.Counters, scale float64) []schedsim.Metric {
	var out []schedsim.Metric
	for _, m := range []struct {
		name  string
		count int64
	}{
		{"point-context-switches", c.VoluntarySwitches + c.InvoluntarySwitch + c.HighClassSwitches + c.KworkerSwitches},
		{"point-migrations", c.Migrations},
		{"point-numa-pte-updates", c.NUMAPTEUpdates},
		{"point-numa-hint-faults", c.NUMAHintFaults},
		{"point-numa-hint-faults-local", c.NUMAHintFaultsLocal},
		{"point-numa-pages-migrated", c.NUMAPagesMigrated},
		{"point-numa-moves", c.NUMAMoves},
		{"point-numa-swaps", c.NUMASwaps},
		{"point-scan-resets", c.NUMAScanResets},
		{"point-cross-node-moves", c.NUMACrossNode},
	} {
		out = append(out, schedsim.Metric{Name: m.name, Unit: "count", Value: float64(m.count) * scale})
	}
	return out
}
