package workload

import (
	"math"

	"github.com/schedlab/schedlab/schedsim"
)

func init() {
	d := DefaultJavaServer(1)
	const unknown = "the program is not known; a request of a fraction of a millisecond"
	register(Spec{
		Name: "javaserver",
		Doc:  "a server in Java: a thread for each connection, shared monitors, clients on the same machine",
		Params: append([]Param{
			{Name: "connections", Doc: "clients, each with a thread of the server",
				Default: math.NaN(), Low: 1, High: 8192},
			{Name: "request_ns", Unit: "ns", Default: d.RequestNS, High: 1e10, Kind: "assumed", Source: unknown,
				Doc: "mean work of a request in the server, exponential"},
			{Name: "driver_ns", Unit: "ns", Default: d.DriverNS, High: 1e10, Kind: "assumed", Source: unknown,
				Doc: "work of a client between a response and the next request"},
			{Name: "think_ns", Unit: "ns", Default: d.ThinkNS, High: 1e10, Kind: "assumed", Source: unknown,
				Doc: "how long a client sleeps then in the mean, exponential"},
			{Name: "locks", Default: float64(d.Locks), High: 100, Kind: "assumed", Source: unknown,
				Doc: "how many times a request enters a shared monitor"},
			{Name: "monitors", Default: float64(d.Monitors), Low: 1, High: 10000, Kind: "assumed", Source: unknown,
				Doc: "how many shared monitors there are"},
			{Name: "hold_ns", Unit: "ns", Default: d.HoldNS, High: 1e9, Kind: "assumed", Source: unknown,
				Doc: "how long one is held"},
			{Name: "spin_ns", Unit: "ns", Default: d.SpinNS, High: 1e9, Kind: "assumed",
				Doc: "how long a thread spins for one before it parks", Source: "adaptive spinning of HotSpot: microseconds to tens of them"},
		}, localityParams(d.TransferLines, d.RefillLines, d.SMTThroughput)...),
		New: func(v Values) (schedsim.Workload, error) {
			return NewJavaServer(JavaServerParams{
				Connections: v.Int("connections"),
				RequestNS:   v.Number("request_ns"), DriverNS: v.Number("driver_ns"), ThinkNS: v.Number("think_ns"),
				Locks: v.Int("locks"), Monitors: v.Int("monitors"), HoldNS: v.Number("hold_ns"), SpinNS: v.Number("spin_ns"),
				TransferLines: v.Number("transfer_lines"), RefillLines: v.Number("refill_lines"), SMTThroughput: v.Number("smt_throughput"),
			})
		},
	})
}
