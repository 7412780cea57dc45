package workload

// localityParams describe what messages and moves cost, for workloads whose
// programs are not fitted. transfer below 0 leaves messages out.
func localityParams(transfer, refill, smt float64) []Param {
	var out []Param
	if transfer >= 0 {
		out = append(out, Param{Name: "transfer_lines", Unit: "lines", Default: transfer, High: 1e4, Kind: "assumed",
			Doc:    "cache lines that a receiver pulls one after another from the sender's core",
			Source: "socket, skb and queue heads, some of them in flight together; tbench was fitted with 15 to 60"})
	}
	return append(out,
		Param{Name: "refill_lines", Unit: "lines", Default: refill, High: 1e6, Kind: "assumed",
			Doc:    "lines of private cache that a task pulls one after another after it moved to another core",
			Source: "a part of the L1 (512 lines) and L2 (4096) data that the task comes back to, some in flight together"},
		Param{Name: "smt_throughput", Unit: "ratio", Default: smt, Low: 1, High: 2, Kind: "assumed",
			Doc:    "throughput of a core with both threads busy, relative to one",
			Source: "machine data of the catalogue: 1.2 to 1.3 for Intel since Nehalem"})
}
