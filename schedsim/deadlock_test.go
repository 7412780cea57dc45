package schedsim

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// TestDeadlock: a run in which no event can fire any more ends with the tasks and
// what they wait for; one whose tasks are done, or sleep, does not.
func TestDeadlock(t *testing.T) {
	for _, tc := range []struct {
		name  string
		tasks []scripted
		want  string // of the error; none if empty
	}{
		{"circle", []scripted{
			{ops: []Op{run(time.Millisecond), recv(0), send(1)}},
			{ops: []Op{recv(1), send(0)}, cpu: 1},
		}, "task 0 (script) waits for a message in channel 0; task 1 (script) waits for a message in channel 1"},
		{"semaphore", []scripted{
			{ops: []Op{{Kind: OpFutexWait, Arg: 1}}},
			{ops: []Op{run(time.Millisecond)}, once: true},
		}, "task 0 (script) waits for a post to channel 1"},
		{"many", repeat(12, scripted{ops: []Op{recv(0)}}), "; and 4 more"},
		{"done", []scripted{{ops: []Op{run(time.Millisecond)}, once: true}}, ""},
		{"sleeper", []scripted{
			{ops: []Op{recv(0)}},
			{ops: []Op{sleep(100 * time.Millisecond), send(0)}},
		}, ""},
		{"late", []scripted{{ops: []Op{recv(0)}}, {ops: []Op{send(0), run(time.Second)}, start: 900 * time.Millisecond}}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := &script{tasks: tc.tasks, channels: 2}
			_, err := Run(context.Background(), Config{
				Machine: testMachine(1, 2, 1), Kernel: V510(2), Workload: w, Measure: time.Second,
			})
			var d *Deadlock
			if tc.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if !errors.As(err, &d) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want one with %q", err, tc.want)
			}
		})
	}
}

// TestFarTimes: what is due after all times neither comes early nor wraps, and what
// no time has is refused.
func TestFarTimes(t *testing.T) {
	for _, tc := range []struct {
		name string
		op   Op
		want string // of the error; none if empty
	}{
		{"sleep", Op{Kind: OpSleep, Arg64: 1<<63 - 1}, ""},
		{"work", Op{Kind: OpCompute, Work: maxWork}, ""},
		{"more-work", Op{Kind: OpCompute, Work: maxWork + 1}, "works for 140737488355329 ns"},
		{"negative-work", Op{Kind: OpSend, Work: -1}, "works for -1 ns"},
		{"no-time", Op{Kind: OpCompute}, "does 1048576 operations in no time"},
		{"negative-sleep", Op{Kind: OpSleep, Arg64: -5}, "sleeps for -5"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := &script{tasks: []scripted{{ops: []Op{tc.op}}}, channels: 1}
			r, err := Run(context.Background(), Config{
				Machine: testMachine(1, 2, 1), Kernel: V510(2), Workload: w, Measure: time.Second,
			})
			if tc.want == "" {
				if err != nil || r.Counters.Events > 3000 {
					t.Errorf("error %v, %d events", err, r.Counters.Events)
				}
			} else if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want one with %q", err, tc.want)
			}
		})
	}
}
