package workload

import (
	"math"

	"github.com/schedlab/schedlab/schedsim"
)

func init() {
	d := DefaultHackbench(1)
	register(Spec{
		Name: "hackbench",
		Doc:  "groups of senders that each write to all receivers of their group, by sockets or pipes",
		Params: []Param{
			{Name: "groups", Doc: "groups (-g)", Default: math.NaN(), Low: 1, High: maxHackbench},
			{Name: "fds", Doc: "senders, and receivers, in a group (-f)", Default: hackbenchFDs, Low: 1, High: maxHackbench},
			{Name: "loops", Doc: "messages from each sender to each receiver (-l), after which the run ends; 0 is no end", High: maxLoops},
			{Name: "mode", Doc: "what the tasks are", Text: true, TextDefault: "process", Words: []string{"process", "threads"}},
			{Name: "ipc", Doc: "what connects them", Text: true, TextDefault: "socket", Words: []string{"socket", "pipe"}},
			{Name: "job_loops", Doc: "loops of the real job, for figures of all of it", High: maxLoops},
			{Name: "job_runs", Doc: "runs of the real job", High: 1000},
			{Name: "send_ns", Unit: "ns", Default: d.SendNS, High: 1e6, Kind: "assumed",
				Doc:    "work of one write up to the wakeup of the reader",
				Source: "a message of a local socket costs 1 to 3 us; studies fit it"},
			{Name: "recv_ns", Unit: "ns", Default: d.RecvNS, High: 1e6, Kind: "assumed",
				Doc:    "work of one read, with the release of the message",
				Source: "a message of a local socket costs 1 to 3 us; studies fit it"},
			{Name: "jitter", Unit: "ratio", Default: d.Jitter, High: 1, Kind: "assumed",
				Doc:    "half-width of the uniform spread of send_ns and recv_ns",
				Source: "locks, cache misses and the allocator vary; 0.1 to 0.5"},
			{Name: "sndbuf_bytes", Unit: "B", Default: sndbufBytes, Low: 1, High: 1 << 30, Kind: "derived",
				Doc:    "sk_sndbuf of a socket",
				Source: "net.core.wmem_default: 256 times the truesize of 256 bytes"},
			{Name: "truesize_bytes", Unit: "B", High: 1 << 20, Kind: "derived",
				Doc:    "what a message of 100 bytes counts in sk_sndbuf; 0 is by the kernel's version: 768, and 960 since v6.3",
				Source: "sk_buff 256, skb_shared_info 320, and 192 of a slab object of 512 or 384 of one of 704"},
			{Name: "pipe_pages", Default: pipePages, Low: 1, High: 1 << 12, Kind: "derived",
				Doc: "buffers of a pipe", Source: "PIPE_DEF_BUFFERS"},
			{Name: "message_lines", Unit: "lines", Default: d.MessageLines, High: 1e4, Kind: "assumed",
				Doc:    "cache lines of a message that the receiver pulls one after another from the sender's core",
				Source: "sk_buff 4, shared info 1 to 2, data 2, some of them in flight together; 3 to 12"},
			{Name: "recycle_share", Unit: "ratio", High: 2, Kind: "measured",
				Doc:    "part of message_lines that the writer of a socket pulls as well, of memory that a reader freed; 0 counts it to send_ns",
				Source: "BenchmarkSocketCost on two cores of an EPYC that share an L3, Linux 6.18: a write takes 170 ns more if the reader is on the other core, a read 345 ns: 0.5"},
			{Name: "state_lines", Unit: "lines", Default: d.StateLines, High: 1e4, Kind: "assumed",
				Doc:    "cache lines of a queue that who uses it pulls from who did so last",
				Source: "the queue with its lock, and sk_wmem_alloc; 1 to 4"},
			{Name: "refill_lines", Unit: "lines", Default: d.RefillLines, High: 1e6, Kind: "assumed",
				Doc:    "lines of private cache that a task pulls one after another after it moved to another core",
				Source: "stack, task_struct and the sockets' lines; up to 200"},
			{Name: "smt_throughput", Unit: "ratio", Default: d.SMTThroughput, Low: 1, High: 2, Kind: "assumed",
				Doc:    "throughput of a core with both threads busy, relative to one",
				Source: "machine data spr-2s-224: 1.25, 8 %"},
		},
		New: func(v Values) (schedsim.Workload, error) {
			return NewHackbench(HackbenchParams{
				Groups: v.Int("groups"), FDs: v.Int("fds"), Loops: v.Int("loops"),
				Threads: v.Text("mode") == "threads", Pipes: v.Text("ipc") == "pipe",
				JobLoops: v.Int("job_loops"), JobRuns: v.Int("job_runs"),
				SendNS: v.Number("send_ns"), RecvNS: v.Number("recv_ns"), Jitter: v.Number("jitter"),
				SndbufBytes: v.Int("sndbuf_bytes"), TruesizeBytes: v.Int("truesize_bytes"),
				PipePages: v.Int("pipe_pages"), PageMessages: pageMessages,
				MessageLines: v.Number("message_lines"), StateLines: v.Number("state_lines"), RecycleShare: v.Number("recycle_share"), RefillLines: v.Number("refill_lines"),
				SMTThroughput: v.Number("smt_throughput"),
			})
		},
	})
}
