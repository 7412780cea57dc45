package workload

import "github.com/schedlab/schedlab/schedsim"

func init() {
	d := DefaultNPB("bt", "C")
	params := []Param{
		{Name: "code", Doc: "which program of the suite", Text: true, TextDefault: "bt", Words: []string{"bt", "lu", "sp", "ua"}},
		{Name: "class", Doc: "size of the problem", Text: true, TextDefault: "C", Words: []string{"A", "B", "C"}},
		{Name: "version", Doc: "of the suite: in 3.4 loops are over two directions of the grid at once", Text: true, TextDefault: "3.3", Words: []string{"3.3", "3.4"}},
		{Name: "threads", Doc: "OMP_NUM_THREADS, which is the number of CPUs unless it is set",
			Default: float64(d.Threads), Low: 2, High: 4096},
		{Name: "op_ns", Unit: "ns", Default: d.OpNS, High: 100, Kind: "assumed",
			Doc:    "work of a floating-point operation of bt and lu, as they count for Mop/s, one thread with the core to itself",
			Source: "about one operation in two cycles in compiled Fortran; studies fit it"},
		{Name: "sp_factor", Unit: "ratio", Default: d.SPFactor, High: 20, Kind: "assumed",
			Doc:    "how much longer an operation of sp takes",
			Source: "sp streams through memory for few operations; studies fit it"},
		{Name: "ua_point_ns", Unit: "ns", Default: d.UAPointNS, High: 1e5, Kind: "assumed",
			Doc:    "work of one advancement of a collocation point of ua, the unit of its Mop/s",
			Source: "the mesh has fewer elements than it may have, all are counted; studies fit it"},
		{Name: "spin_ns", Unit: "ns", Default: d.SpinNS, High: 1e15, Kind: "derived",
			Doc: "for how long a thread spins at a barrier before it sleeps",
			Source: "libgomp: GOMP_SPINCOUNT is 300000 without OMP_WAIT_POLICY, each a load and a pause: " +
				"about 10 cycles on CPUs before Skylake at 2.1 to 2.6 GHz, 1.1 to 2 ms"},
		{Name: "sibling_share", Unit: "ratio", Default: d.SiblingShare, High: 1, Kind: "assumed",
			Doc:    "speed of a hardware thread beside one that spins, relative to one with the core to itself",
			Source: "pause leaves the core to the sibling for about 10 cycles, the load and the branch do not"},
		{Name: "memory_scale", Unit: "ratio", Default: 1, High: 2, Kind: "assumed",
			Doc:    "factor on the part of the time that a thread waits for memory if all of it is local: bt 0.2, lu 0.3, sp 0.45, ua 0.3",
			Source: "bt works on dense blocks in cache, sp and lu stream through the grid, ua follows indices"},
		{Name: "jitter", Unit: "ratio", Default: d.Jitter, High: 0.9, Kind: "assumed",
			Doc:    "half-width of the uniform spread of a thread's work in a loop",
			Source: "cache misses and page boundaries differ from thread to thread"},
		{Name: "refill_lines", Unit: "lines", Default: d.RefillLines, High: 1e6, Kind: "derived",
			Doc:    "lines of private cache that a thread pulls one after another after it moved to another core",
			Source: "machine data bdx-ex-4s: an L2 of 256 KiB in 14 us, 50 %, at 52 ns a line"},
		{Name: "handover_share", Unit: "ratio", Default: d.HandoverShare, High: 1, Kind: "assumed",
			Doc:    "part of the lines of a row that a thread of lu's pipeline waits for when it reads the row before its own",
			Source: "the core has about 7 misses of a stream in flight (10 line fill buffers)"},
	}
	register(Spec{
		Name:   "npb",
		Doc:    "NAS Parallel Benchmarks, OpenMP with libgomp: bt, lu, sp or ua with a thread a CPU, and the system beside it",
		Params: append(params, backgroundParams()...),
		New: func(v Values) (schedsim.Workload, error) {
			p := DefaultNPB(v.Text("code"), v.Text("class"))
			p.Version, p.Threads = v.Text("version"), v.Int("threads")
			p.OpNS, p.SPFactor, p.UAPointNS = v.Number("op_ns"), v.Number("sp_factor"), v.Number("ua_point_ns")
			p.SpinNS, p.SiblingShare = v.Number("spin_ns"), v.Number("sibling_share")
			p.Jitter, p.RefillLines = v.Number("jitter"), v.Number("refill_lines")
			p.HandoverShare = v.Number("handover_share")
			p.MemoryShare = min(p.MemoryShare*v.Number("memory_scale"), 1)
			w, err := NewNPB(p)
			return beside(w, err, v, p.Threads)
		},
	})
}
