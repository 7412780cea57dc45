package workload

import (
	"math"

	"github.com/schedlab/schedlab/schedsim"
)

func init() {
	d := DefaultSPECjbb(1)
	register(Spec{
		Name: "specjbb",
		Doc:  "SPECjbb2005: Java processes of a few threads that allocate, and stop for parallel collections",
		Params: []Param{
			{Name: "jvms", Doc: "Java processes", Default: math.NaN(), Low: 1, High: 64},
			{Name: "warehouses", Doc: "threads of each in the point that is measured", Default: float64(d.Warehouses), Low: 1, High: 512},
			{Name: "points", Doc: "steps in which the number of threads rises to that, each with new threads", Default: float64(d.Points), Low: 1, High: 64},
			{Name: "point_s", Unit: "s", Doc: "length of each step but the last", Default: d.PointSeconds, High: 3600,
				Kind: "assumed", Source: "SPECjbb2005 has points of 270 s, from one warehouse up; shortened"},
			{Name: "thread_ops", Unit: "ops/s", Doc: "what one thread does in a second with a core and all memory to itself",
				Default: d.ThreadOps, Low: 1000, High: 1e6, Kind: "assumed", Source: "a property of the machine; studies fit it"},
			{Name: "alloc_kib", Unit: "KiB", Doc: "what an operation allocates", Default: d.AllocKiB, Low: 1, High: 1000,
				Kind: "assumed", Source: "some GB/s in a JVM of 300,000 operations a second"},
			{Name: "young_mib", Unit: "MiB", Doc: "young part of a JVM's heap", Default: d.YoungMiB, Low: 16, High: 1e6,
				Kind: "assumed", Source: "a usual setting; not in any post"},
			{Name: "old_mib", Unit: "MiB", Doc: "old part of a JVM's heap", Default: d.OldMiB, Low: 16, High: 1e6,
				Kind: "assumed", Source: "a usual setting; not in any post"},
			{Name: "gc_share", Unit: "ratio", Doc: "work of collections in relation to that of operations", Default: d.GCShare, High: 1,
				Kind: "assumed", Source: "a few percent with a large young generation"},
			{Name: "gc_threads", Doc: "threads of a JVM's collector; 0: HotSpot's rule, 8 and 5 of 8 of the CPUs beyond", Default: 0, High: maxCollectors},
			{Name: "intensity", Unit: "ratio", Doc: "share of its time that a thread waits for memory when all is local", Default: d.Intensity, High: 1,
				Kind: "derived", Source: "165 cache misses an operation of 26 us on a Haswell (counters of commit 3f9672baaa70, one JVM), 90 ns each, two in flight"},
			{Name: "cache_mib", Unit: "MiB", Doc: "last-level cache of a thread for which the share holds", Default: d.CacheMiB, Low: 0.1, High: 1000,
				Kind: "derived", Source: "4 threads on the 45 MiB of a Haswell"},
			{Name: "cache_exponent", Unit: "1", Doc: "misses grow with this power of one over the cache for a thread", Default: d.CacheExponent, High: 1,
				Kind: "derived", Source: "misses an operation with one and with four JVMs on a Haswell, 165 and 270 (counters of commit 3f9672baaa70, before)"},
			{Name: "crowd", Unit: "ratio", Doc: "how much longer work takes with a thread of the benchmark for each core, for what is not modelled of the machine",
				Default: d.Crowd, High: 10, Kind: "assumed", Source: "a property of the machine: memory bandwidth, power limits, a hypervisor; studies fit it"},
			{Name: "hot_mib", Unit: "MiB", Doc: "memory outside the heap that all threads of a JVM touch", Default: d.HotMiB, Low: 0.0625, High: 1e5,
				Kind: "assumed", Source: "code and metadata in use; what NUMA balancing protects in a pass"},
			{Name: "private_kib", Unit: "KiB", Doc: "memory of a thread: stack and allocator's", Default: d.PrivateKiB, Low: 64, High: 1e6,
				Kind: "assumed", Source: "a part of a stack of 1 MiB"},
			{Name: "hot_share", Unit: "ratio", Doc: "of accesses to memory, to the hot memory outside the heap", Default: d.HotShare, High: 1,
				Kind: "assumed", Source: "code and stacks are in the caches mostly"},
			{Name: "private_share", Unit: "ratio", Doc: "of accesses to memory, to the thread's own", Default: d.PrivateShare, High: 1,
				Kind: "assumed", Source: "code and stacks are in the caches mostly"},
			{Name: "unmovable", Unit: "ratio", Doc: "pages outside the heap whose move to another node always fails", Default: d.Unmovable, High: 1,
				Kind: "assumed", Source: "some are pinned or mapped more than once"},
			{Name: "blocks_per_s", Unit: "1/s", Doc: "waits for locks in a second of a thread's work", Default: d.BlocksPerSecond, High: 1e5,
				Kind: "assumed", Source: "hardly any: each warehouse has data of its own"},
			{Name: "block_ns", Unit: "ns", Doc: "mean length of such a wait", Default: d.BlockNS, High: 1e9, Kind: "assumed", Source: "some context switches"},
			{Name: "service_threads", Doc: "other threads of a JVM that wake now and then", Default: float64(d.ServiceThreads), High: 64,
				Kind: "assumed", Source: "HotSpot's periodic task; compilers are quiet once all is compiled"},
			{Name: "service_per_s", Unit: "1/s", Doc: "wakeups of each", Default: d.ServicePerSecond, Low: 0.001, High: 1e5,
				Kind: "assumed", Source: "the period of that task, 50 ms"},
			{Name: "service_ns", Unit: "ns", Doc: "mean work of each wakeup", Default: d.ServiceNS, High: 1e9, Kind: "assumed", Source: "short"},
			{Name: "heap", Doc: "what the heap lies in: hugetlbfs, transparent huge pages, or small pages", Text: true, TextDefault: d.Heap,
				Words: []string{"hugetlb", "thp", "small"}},
		},
		New: func(v Values) (schedsim.Workload, error) {
			return NewSPECjbb(SPECjbbParams{
				JVMs: v.Int("jvms"), Warehouses: v.Int("warehouses"), Points: v.Int("points"), PointSeconds: v.Number("point_s"),
				ThreadOps: v.Number("thread_ops"), AllocKiB: v.Number("alloc_kib"), YoungMiB: v.Number("young_mib"), OldMiB: v.Number("old_mib"),
				GCShare: v.Number("gc_share"), GCThreads: v.Int("gc_threads"), Intensity: v.Number("intensity"),
				CacheMiB: v.Number("cache_mib"), CacheExponent: v.Number("cache_exponent"),
				Crowd: v.Number("crowd"), HotMiB: v.Number("hot_mib"), PrivateKiB: v.Number("private_kib"),
				HotShare: v.Number("hot_share"), PrivateShare: v.Number("private_share"), Unmovable: v.Number("unmovable"),
				BlocksPerSecond: v.Number("blocks_per_s"), BlockNS: v.Number("block_ns"),
				ServiceThreads: v.Int("service_threads"), ServicePerSecond: v.Number("service_per_s"), ServiceNS: v.Number("service_ns"),
				Heap: v.Text("heap"),
			})
		},
	})
}
