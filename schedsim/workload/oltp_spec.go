package workload

import (
	"math"

	"github.com/schedlab/schedlab/schedsim"
)

func init() {
	d := DefaultOLTP(1)
	const published = "sysbench with MySQL and 2 threads, 0.94 ms a transaction, published with f2cdd9cc6c97 (v4.14)"
	register(Spec{
		Name: "oltp",
		Doc:  "sysbench's oltp test against mysqld, without think time",
		Params: append([]Param{
			{Name: "threads", Doc: "threads of sysbench, each with a connection and its thread of mysqld",
				Default: math.NaN(), Low: 1, High: 4096},
			{Name: "mode", Text: true, TextDefault: d.Mode, Words: []string{OLTPComplex, OLTPReadOnly, OLTPSelect},
				Doc: "with four writes a transaction and the flush of the log, without them, or one select as pgbench -S"},
			{Name: "work_scale", Unit: "ratio", Default: 1, Low: 0.1, High: 10, Kind: "derived", Source: published,
				Doc: "factor on the work of all statements"},
			{Name: "point_ns", Unit: "ns", Default: d.PointNS, High: 1e9, Kind: "derived", Source: published,
				Doc: "work of the server for a select by key; BEGIN and COMMIT take a fifth of it"},
			{Name: "range_ns", Unit: "ns", Default: d.RangeNS, High: 1e9, Kind: "derived", Source: published + "; a range of 100 rows taken for twice a point",
				Doc: "the same for a select of a range"},
			{Name: "write_ns", Unit: "ns", Default: d.WriteNS, High: 1e9, Kind: "derived", Source: published + "; taken for a little less than a range",
				Doc: "the same for an update, a delete or an insert"},
			{Name: "client_ns", Unit: "ns", Default: d.ClientNS, High: 1e9, Kind: "assumed", Source: "building a statement and counting its answer",
				Doc: "work of sysbench between a response and the next request"},
			{Name: "locks", Default: float64(d.Locks), High: 100, Kind: "assumed",
				Doc:    "how many times a statement takes one of the server's hot locks",
				Source: "transactions (kernel_mutex) and the buffer pool, once each"},
			{Name: "mutexes", Default: float64(d.Mutexes), Low: 1, High: 1000, Kind: "assumed",
				Doc: "how many hot locks there are", Source: "the two of the parameter before"},
			{Name: "hold_ns", Unit: "ns", Default: d.HoldNS, High: 1e9, Kind: "assumed",
				Doc:    "how long one is held",
				Source: "at most 1100: the published runs scale to 22,131 transactions a second of 20 statements with 2 locks"},
			{Name: "spin_ns", Unit: "ns", Default: d.SpinNS, High: 1e9, Kind: "derived",
				Doc:    "how long a thread spins for one before it sleeps",
				Source: "innodb_sync_spin_loops 30 of innodb_spin_wait_delay 6: 30 times 3 times 50 PAUSEs in the mean, of about 4 ns"},
			{Name: "flush_ns", Unit: "ns", Default: d.FlushNS, High: 1e9, Kind: "assumed",
				Doc:    "what the storage takes for a flush of the log",
				Source: "a controller's write cache: 50 to 300 us; a disk without takes milliseconds"},
		}, localityParams(d.TransferLines, d.RefillLines, d.SMTThroughput)...),
		New: func(v Values) (schedsim.Workload, error) {
			scale := v.Number("work_scale")
			return NewOLTP(OLTPParams{
				Threads: v.Int("threads"), Mode: v.Text("mode"),
				PointNS: v.Number("point_ns") * scale, RangeNS: v.Number("range_ns") * scale, WriteNS: v.Number("write_ns") * scale,
				ClientNS: v.Number("client_ns"), Locks: v.Int("locks"), Mutexes: v.Int("mutexes"),
				HoldNS: v.Number("hold_ns"), SpinNS: v.Number("spin_ns"), FlushNS: v.Number("flush_ns"),
				TransferLines: v.Number("transfer_lines"), RefillLines: v.Number("refill_lines"), SMTThroughput: v.Number("smt_throughput"),
			})
		},
	})
}
