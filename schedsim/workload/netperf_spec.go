package workload

import (
	"math"

	"github.com/schedlab/schedlab/schedsim"
)

const netperfSource = "what one pair did on 2 sockets of IvyBridge-EP, published with f2cdd9cc6c97 (v4.14)"

func init() {
	d, u, s, us := DefaultNetperf(1, TCPRR), DefaultNetperf(1, UDPRR), DefaultNetperf(1, TCPStream), DefaultNetperf(1, UDPStream)
	register(Spec{
		Name: "netperf",
		Doc:  "netperf over loopback: pairs of a sender and a server",
		Params: append([]Param{
			{Name: "pairs", Doc: "netperf processes, each with a netserver process of its own",
				Default: math.NaN(), Low: 1, High: 4096},
			{Name: "test", Text: true, TextDefault: TCPRR, Words: []string{TCPRR, TCPStream, UDPRR, UDPStream},
				Doc: "requests and responses of one byte, or a stream, over TCP or UDP"},
			{Name: "work_scale", Unit: "ratio", Default: 1, Low: 0.1, High: 10, Kind: "derived",
				Doc:    "factor on the work of a message before it wakes its receiver, of each test's own",
				Source: netperfSource},
			{Name: "tcp_rr_work_ns", Unit: "ns", Default: d.WorkNS, High: 1e6, Kind: "derived", Source: netperfSource,
				Doc: "work of a message of tcp_rr before it wakes its receiver"},
			{Name: "udp_rr_work_ns", Unit: "ns", Default: u.WorkNS, High: 1e6, Kind: "derived", Source: netperfSource,
				Doc: "the same of udp_rr"},
			{Name: "tcp_stream_work_ns", Unit: "ns", Default: s.WorkNS, High: 1e6, Kind: "derived", Source: netperfSource,
				Doc: "the same of tcp_stream, without copying"},
			{Name: "udp_stream_work_ns", Unit: "ns", Default: us.WorkNS, High: 1e6, Kind: "derived", Source: netperfSource,
				Doc: "the same of udp_stream, without copying"},
			{Name: "tail_ns", Unit: "ns", Default: d.TailNS, High: 1e6, Kind: "assumed",
				Doc: "work after the wakeup, until the next send or recv", Source: "the way out of send and into recv"},
			{Name: "copy_ns_per_kib", Unit: "ns", Default: d.CopyNSPerKiB, High: 1e5, Kind: "assumed",
				Doc: "copying a KiB of data into or out of a socket buffer", Source: "one core's memory bandwidth of 12.5 GB/s"},
			{Name: "lines_in_flight", Unit: "lines", Default: d.LinesInFlight, Low: 1, High: 1e3, Kind: "assumed",
				Doc: "lines of data that a receiver's copy pulls over at once", Source: "10 line fill buffers of a core since Nehalem, and the prefetcher"},
		}, localityParams(d.TransferLines, d.RefillLines, d.SMTThroughput)...),
		New: func(v Values) (schedsim.Workload, error) {
			p := DefaultNetperf(v.Int("pairs"), v.Text("test"))
			p.WorkNS = v.Number(p.Test+"_work_ns") * v.Number("work_scale")
			p.TailNS, p.CopyNSPerKiB = v.Number("tail_ns"), v.Number("copy_ns_per_kib")
			p.LinesInFlight = v.Number("lines_in_flight")
			p.TransferLines, p.RefillLines, p.SMTThroughput = v.Number("transfer_lines"), v.Number("refill_lines"), v.Number("smt_throughput")
			return NewNetperf(p)
		},
	})
}
