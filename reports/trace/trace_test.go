package trace_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/schedlab/schedlab/reports/trace"
	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/workload"
	"github.com/schedlab/schedlab/topology"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// small is a trace by hand: task 1 is preempted by 2, moved to CPU 1, sleeps, and
// wakes on CPU 0.
var small = &trace.Trace{
	CPUs: 2,
	Events: []schedsim.TraceEvent{
		{Time: 1_000_000_000, Task: 1, CPU: 0, Kind: schedsim.TraceFork},
		{Time: 1_000_010_000, Task: 1, CPU: 0, Kind: schedsim.TraceSwitch},
		{Time: 1_000_020_000, Task: 2, CPU: 0, Kind: schedsim.TraceWakeup},
		{Time: 1_000_030_000, Task: 2, CPU: 0, Kind: schedsim.TraceSwitch},
		{Time: 1_000_040_000, Task: 1, CPU: 1, Kind: schedsim.TraceMigrate},
		{Time: 1_000_050_000, Task: 1, CPU: 1, Kind: schedsim.TraceSwitch},
		{Time: 1_000_060_000, Task: -1, CPU: 1, Kind: schedsim.TraceSwitch},
		{Time: 1_000_070_000, Task: 1, CPU: 0, Kind: schedsim.TraceWakeup},
		{Time: 1_000_090_000, Task: 1, CPU: 0, Kind: schedsim.TraceSwitch},
		{Time: 1_000_100_000, Task: -1, CPU: 0, Kind: schedsim.TraceSwitch},
	},
	Names: map[schedsim.TaskID]string{1: "a-task [x]", 2: "a name that is too long"},
}

func TestGolden(t *testing.T) {
	for name, write := range map[string]func(*bytes.Buffer) error{
		"ftrace.txt":   func(b *bytes.Buffer) error { return small.WriteFtrace(b) },
		"timehist.txt": func(b *bytes.Buffer) error { return small.WriteTimehist(b) },
		"latency.txt":  func(b *bytes.Buffer) error { return small.WriteLatency(b) },
		"map.txt":      func(b *bytes.Buffer) error { return small.WriteMap(b) },
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", name)
			if *update {
				if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), b.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestParseFtrace reads back what was written, and lines of kernels.
func TestParseFtrace(t *testing.T) {
	run := capture(t)
	var b bytes.Buffer
	if err := run.WriteFtrace(&b); err != nil {
		t.Fatal(err)
	}
	got, err := trace.ParseFtrace(&b, "written")
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Events) != len(run.Events) {
		t.Fatalf("%d events, want %d", len(got.Events), len(run.Events))
	}
	for i, e := range run.Events {
		e.Time = e.Time / 1000 * 1000 // ftrace has microseconds
		if got.Events[i] != e {
			t.Fatalf("event %d: %+v, want %+v", i, got.Events[i], e)
		}
	}
	for _, line := range []string{
		"ACCS0-2716  ( 2519) [000] d..3 174330.289220: sched_switch: prev_comm=ACCS0 prev_pid=2716 prev_prio=120 prev_state=R+ ==> next_comm=Binder:924_6 next_pid=1332 next_prio=120",
		"   kworker/-6710    [001] 106439.677831: sched_switch:          prev_comm=a b=c prev_pid=0 prev_prio=120 prev_state=0 next_comm=trace-cmd next_pid=4729 next_prio=120",
		"          <idle>-0       [003] d.h4.   345.123456789: sched_wakeup: comm=x y-1 pid=12 prio=-1 success=1 target_cpu=007",
	} {
		x, err := trace.ParseFtrace(strings.NewReader("# tracer: nop\n"+line+"\n => stack\n"), "kernel")
		if err != nil || len(x.Events) != 1 {
			t.Errorf("%s: %v", line, err)
		}
	}
	for _, text := range []string{"", "hello\n"} {
		if _, err := trace.ParseFtrace(strings.NewReader(text), "x"); err == nil || !strings.Contains(err.Error(), "x:1: no scheduling event") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// capture runs a little tbench.
func capture(t *testing.T) *trace.Trace {
	t.Helper()
	m, err := topology.Load("csl-2s-80")
	if err != nil {
		t.Fatal(err)
	}
	w, err := workload.NewTbench(workload.DefaultTbench(8))
	if err != nil {
		t.Fatal(err)
	}
	x, err := trace.Capture(context.Background(), schedsim.Config{
		Machine: m, Kernel: schedsim.V510(80), Workload: w, Seed: 1,
		Warmup: 110 * time.Millisecond, Measure: 2 * time.Millisecond, TraceEvents: 1 << 16,
	})
	if err != nil {
		t.Fatal(err)
	}
	if x.Names[2] != "tbench" && x.Names[2] != "tbench_srv" {
		t.Errorf("names %q", x.Names)
	}
	return x
}

// TestPerfetto walks through the protobuf: packets of bundles of events, with the
// times and CPUs of the trace.
func TestPerfetto(t *testing.T) {
	var b bytes.Buffer
	if err := small.WritePerfetto(&b); err != nil {
		t.Fatal(err)
	}
	var switches, wakeups int
	for _, packet := range fields(t, b.Bytes(), 1) {
		for _, bundle := range fields(t, packet, 1) {
			cpu := varint(t, bundle, 1)
			for _, e := range fields(t, bundle, 2) {
				at := varint(t, e, 1)
				if at < 1_000_000_000 || at > 1_000_100_000 || cpu > 1 {
					t.Errorf("an event at %d on CPU %d", at, cpu)
				}
				for _, s := range fields(t, e, 4) {
					switches++
					if at == 1_000_030_000 && (varint(t, s, 2) != 2 || varint(t, s, 4) != 0 || varint(t, s, 6) != 3) {
						t.Errorf("preemption: prev_pid %d, state %d, next_pid %d", varint(t, s, 2), varint(t, s, 4), varint(t, s, 6))
					}
					if at == 1_000_060_000 && varint(t, s, 4) != 1 {
						t.Error("who sleeps is not S")
					}
				}
				wakeups += len(fields(t, e, 17))
			}
		}
	}
	if switches != 6 || wakeups != 3 {
		t.Errorf("%d switches and %d wakeups, want 6 and 3", switches, wakeups)
	}
}

// fields returns the embedded messages of a number.
func fields(t *testing.T, m []byte, number protowire.Number) [][]byte {
	t.Helper()
	var out [][]byte
	walk(t, m, func(n protowire.Number, kind protowire.Type, raw []byte, _ uint64) {
		if n == number && kind == protowire.BytesType {
			out = append(out, raw)
		}
	})
	return out
}

func varint(t *testing.T, m []byte, number protowire.Number) uint64 {
	t.Helper()
	value := uint64(1 << 63)
	walk(t, m, func(n protowire.Number, kind protowire.Type, _ []byte, v uint64) {
		if n == number && kind == protowire.VarintType {
			value = v
		}
	})
	return value
}

func walk(t *testing.T, m []byte, f func(protowire.Number, protowire.Type, []byte, uint64)) {
	t.Helper()
	for len(m) > 0 {
		number, kind, n := protowire.ConsumeTag(m)
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		m = m[n:]
		switch kind {
		case protowire.BytesType:
			b, n := protowire.ConsumeBytes(m)
			if n < 0 {
				t.Fatal(protowire.ParseError(n))
			}
			f(number, kind, b, 0)
			m = m[n:]
		case protowire.VarintType:
			v, n := protowire.ConsumeVarint(m)
			if n < 0 {
				t.Fatal(protowire.ParseError(n))
			}
			f(number, kind, nil, v)
			m = m[n:]
		default:
			t.Fatalf("type %v of field %d", kind, number)
		}
	}
}

// TestWindow: what was before a window is still known in it.
func TestWindow(t *testing.T) {
	var b bytes.Buffer
	if err := small.Window(1_000_025_000, 1_000_045_000).WriteFtrace(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if strings.Count(text, "sched_") != 2 || !strings.Contains(text, "written: 2/2") || !strings.Contains(text, "prev_comm=a-task [x] prev_pid=2 prev_prio=120 prev_state=R") {
		t.Error(text)
	}
}

func TestCaptureErrors(t *testing.T) {
	for _, n := range []int{0, trace.MaxEvents + 1} {
		if _, err := trace.Capture(context.Background(), schedsim.Config{TraceEvents: n}); err == nil {
			t.Errorf("%d events: no error", n)
		}
	}
}

func FuzzParseFtrace(f *testing.F) {
	var b bytes.Buffer
	if err := small.WriteFtrace(&b); err != nil {
		f.Fatal(err)
	}
	f.Add(b.String())
	f.Fuzz(func(t *testing.T, text string) {
		x, err := trace.ParseFtrace(strings.NewReader(text), "fuzz")
		if err != nil {
			return
		}
		for _, write := range []func(*bytes.Buffer) error{
			func(b *bytes.Buffer) error { return x.WriteFtrace(b) },
			func(b *bytes.Buffer) error { return x.WriteLatency(b) },
			func(b *bytes.Buffer) error { return x.WritePerfetto(b) },
		} {
			if err := write(new(bytes.Buffer)); err != nil {
				t.Fatal(err)
			}
		}
	})
}
