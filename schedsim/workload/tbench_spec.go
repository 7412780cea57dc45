package workload

import (
	"math"

	"github.com/schedlab/schedlab/schedsim"
)

func init() {
	d := DefaultTbench(1)
	register(Spec{
		Name: "tbench",
		Doc:  "dbench's network mode: clients and servers in pairs, over loopback TCP",
		Params: []Param{
			{Name: "clients", Doc: "client processes, each with a server process of its own",
				Default: math.NaN(), Low: 1, High: 4096},
			{Name: "work_ns", Unit: "ns", Default: d.WorkNS, High: 1e6, Kind: "assumed",
				Doc:    "work of one message before it wakes its receiver: user code, system call, TCP, loopback softirq",
				Source: "a loopback message costs a few microseconds; studies fit it"},
			{Name: "tail_ns", Unit: "ns", Default: d.TailNS, High: 1e6, Kind: "assumed",
				Doc:    "work of the sender after the wakeup, until it blocks in recv",
				Source: "the way out of send and into recv; studies fit it"},
			{Name: "transfer_lines", Unit: "lines", Default: d.TransferLines, High: 1e4, Kind: "assumed",
				Doc:    "cache lines that a receiver pulls one after another from the sender's core",
				Source: "socket, skb and queue heads, some of them in flight together; studies fit it"},
			{Name: "refill_lines", Unit: "lines", Default: d.RefillLines, High: 1e6, Kind: "assumed",
				Doc:    "lines of private cache that a task pulls one after another after it moved to another core",
				Source: "a part of an L1 data cache of 512 lines; studies fit it"},
			{Name: "smt_throughput", Unit: "ratio", Default: d.SMTThroughput, Low: 1, High: 2, Kind: "assumed",
				Doc:    "throughput of a core with both threads busy, relative to one",
				Source: "machine data csl-2s-80: 1.25, 8 %"},
			{Name: "copy_ns_per_kib", Unit: "ns", Default: d.CopyNSPerKiB, High: 1e5, Kind: "assumed",
				Doc:    "copying a KiB of data into or out of a socket buffer",
				Source: "one core's memory bandwidth of 12.5 GB/s"},
		},
		New: func(v Values) (schedsim.Workload, error) {
			return NewTbench(TbenchParams{
				Clients: v.Int("clients"),
				WorkNS:  v.Number("work_ns"), TailNS: v.Number("tail_ns"),
				TransferLines: v.Number("transfer_lines"), RefillLines: v.Number("refill_lines"),
				SMTThroughput: v.Number("smt_throughput"), CopyNSPerKiB: v.Number("copy_ns_per_kib"),
			})
		},
	})
}

// Done implements schedsim.Pacer.
func (w *Tbench) Done() float64 { return float64(w.ops) * bytesPerOp / 1e6 }
