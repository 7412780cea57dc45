package workload_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim/workload"
)

// What one pair does on two IvyBridge-EP sockets, as published with
// sched/core: Address more wake_affine() regressions (f2cdd9cc6c97, v4.14; the
// column NO_WA_WEIGHT, lines with one instance). Its changelog does not name the
// machine; that of the patch before it does. The work of a message is from these
// four figures.
func TestNetperfIsPublished(t *testing.T) {
	for _, c := range []struct {
		test string
		want float64
	}{
		{workload.TCPRR, 80473.5},
		{workload.UDPRR, 108266},
		{workload.TCPStream, 41448.3},
		{workload.UDPStream, 64684.3},
	} {
		t.Run(c.test, func(t *testing.T) {
			w, err := workload.NewNetperf(workload.DefaultNetperf(1, c.test))
			r := simulate(t, "ivb-ep-2s", "v4.18", 50*time.Millisecond, 50*time.Millisecond, w, err)
			if off := r.Throughput/c.want - 1; math.Abs(off) > 0.07 {
				t.Errorf("%.0f %s, published %.0f: %+.1f %%", r.Throughput, r.Unit, c.want, 100*off)
			}
		})
	}
}

// One pair is a chain without queueing: what is added to a message's work is added
// to a transaction twice.
func TestNetperfAddsUp(t *testing.T) {
	perTransaction := func(change func(*workload.NetperfParams)) float64 {
		p := workload.DefaultNetperf(1, workload.TCPRR)
		change(&p)
		w, err := workload.NewNetperf(p)
		r := simulate(t, "snb-ep-4s", "v3.10", 20*time.Millisecond, 100*time.Millisecond, w, err)
		return 1e9 / r.Throughput
	}
	base := perTransaction(func(*workload.NetperfParams) {})
	longer := perTransaction(func(p *workload.NetperfParams) { p.WorkNS += 1000 })
	// Both sides share a core in turn, or have one each, at the clock of one core.
	want := 2 * 1000 / speed(t, "snb-ep-4s")
	if got := longer - base; math.Abs(got/want-1) > 0.1 {
		t.Errorf("%.0f ns a transaction for 1000 ns a message, want %.0f", got, want)
	}
}

// A stream goes as fast as the slower of its two sides: with a long copy, which
// both do, that is the receiver, who also pulls the data over.
func TestNetperfStreamIsItsSlowerSide(t *testing.T) {
	p := workload.DefaultNetperf(1, workload.TCPStream)
	p.CopyNSPerKiB = 1000
	p.TransferLines, p.LinesInFlight = 0, 1e9 // data arrive for nothing
	w, err := workload.NewNetperf(p)
	r := simulate(t, "snb-ep-4s", "v3.10", 20*time.Millisecond, 100*time.Millisecond, w, err)
	message := p.WorkNS + p.TailNS + 16*p.CopyNSPerKiB // the sender's
	want := p.MessageBytes * 8 / 1e6 / (message / 1e9) * speed(t, "snb-ep-4s")
	if math.Abs(r.Throughput/want-1) > 0.1 {
		t.Errorf("%.0f %s, want %.0f", r.Throughput, r.Unit, want)
	}
}

// A sender that finds the buffer full sleeps until a third of it is free, so that
// it sleeps once in a third of a buffer.
func TestNetperfStreamSleepsByThirds(t *testing.T) {
	p := workload.DefaultNetperf(1, workload.TCPStream)
	p.WorkNS, p.BufferBytes = 0, 30*p.MessageBytes
	p.TransferLines = 50000 // the receiver is far slower
	w, err := workload.NewNetperf(p)
	r := simulate(t, "snb-ep-4s", "v3.10", 20*time.Millisecond, 5*time.Second, w, err)
	messages := r.Throughput * 1e6 / 8 / p.MessageBytes * float64(r.MeasuredNS) / 1e9
	// One or two more go while the sender comes back.
	if got := messages / float64(r.Counters.VoluntarySwitches); got < 10 || got > 12.5 {
		t.Errorf("%.1f messages for each sleep, want 10 to 12.5", got)
	}
}

func TestNewNetperfErrors(t *testing.T) {
	refuses(t, func(change func(*workload.NetperfParams)) error {
		p := workload.DefaultNetperf(1, workload.TCPRR)
		change(&p)
		_, err := workload.NewNetperf(p)
		return err
	}, []refusal[workload.NetperfParams]{
		{"no pairs", "at least 1", func(p *workload.NetperfParams) { p.Pairs = 0 }},
		{"test", "no test", func(p *workload.NetperfParams) { p.Test = "sctp" }},
		{"negative work", "negative", func(p *workload.NetperfParams) { p.WorkNS = -1 }},
		{"small buffer", "buffer", func(p *workload.NetperfParams) { p.BufferBytes = 1 }},
		{"no lines", "in flight", func(p *workload.NetperfParams) { p.LinesInFlight = 0 }},
	})
}

func ExampleNewNetperf() {
	w, err := workload.NewNetperf(workload.DefaultNetperf(32, workload.TCPRR))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(w.Name(), w.MaxTasks(), "tasks")
	// Output: netperf-tcp_rr-32 66 tasks
}
