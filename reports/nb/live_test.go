package nb

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/study"
)

// clock is a time that the test moves.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

// liveAt returns a line whose states are collected.
func liveAt(c *clock, states *[]string) *Live {
	l := NewLive("tbench", "runs")
	l.now, l.began = c.now, c.now()
	l.put = func(text string) error { *states = append(*states, text); return nil }
	return l
}

func TestLive(t *testing.T) {
	c := &clock{time.Unix(0, 0)}
	var states []string
	l := liveAt(c, &states)
	l.setParts(2)
	l.Step(1, 10, true) // at once: from the store
	c.at = c.at.Add(2 * time.Second)
	l.Step(2, 10, false)
	c.at = c.at.Add(10 * time.Millisecond)
	l.Step(3, 10, false) // too soon to be shown
	c.at = c.at.Add(2 * time.Second)
	l.setParts(1)
	l.Step(6, 10, false)
	if err := l.End("kept in out/store"); err != nil {
		t.Fatal(err)
	}
	l.Step(7, 10, false) // after the end nothing is shown
	if err := l.End(); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"tbench: 2 of 10 runs done, 2 cells left, about 16s left",
		"tbench: 6 of 10 runs done, 1 cell left, about 5s left",
		"tbench: 6 of 10 runs; kept in out/store",
	}
	if diff := cmp.Diff(want, states); diff != "" {
		t.Error(diff)
	}
}

func TestLiveOutsideANotebook(t *testing.T) {
	var printed []string
	l := NewLive("tbench", "runs")
	l.print = func(text string) { printed = append(printed, text) }
	l.began = time.Now().Add(-time.Hour)
	l.Step(1, 2, false)
	l.Step(2, 2, false)
	if err := l.End(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"tbench: 2 of 2 runs"}, printed); diff != "" {
		t.Error(diff)
	}
}

// TestLiveFails: a kernel that went away is an error at the end, and no reason
// to stop the work.
func TestLiveFails(t *testing.T) {
	gone := errors.New("no kernel")
	l := NewLive("tbench", "runs")
	l.put = func(string) error { return gone }
	l.Step(1, 1, false)
	if err := l.End(); !errors.Is(err, gone) {
		t.Errorf("error %v, want %v", err, gone)
	}
}

// runner stands in for the simulator.
type runner struct {
	unit  string
	runs  atomic.Int64
	after func(n int64)
}

func (r *runner) Run(ctx context.Context, j study.Job) (schedsim.Result, error) {
	n := r.runs.Add(1)
	if r.after != nil {
		r.after(n)
	}
	if err := ctx.Err(); err != nil {
		return schedsim.Result{}, err
	}
	return schedsim.Result{Throughput: 100 + float64(j.Run), Unit: r.unit, MeasuredNS: int64(j.Measure), SocketShare: 0.5}, nil
}

// TestSweepInterrupted interrupts the process, as the kernel does a cell, and
// goes on afterwards: no run is done twice.
func TestSweepInterrupted(t *testing.T) {
	s, err := study.Load("gorman2020-idle-candidate")
	if err != nil {
		t.Fatal(err)
	}
	plan := study.Plan{Mode: study.ModeQuick, Seed: 1, N: 1, Measure: map[string]time.Duration{"": time.Millisecond}}
	dir := t.TempDir()
	store, err := study.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var states []string
	var once sync.Once
	r := &runner{unit: s.Tables[0].Unit}
	r.after = func(n int64) {
		if n == 5 {
			once.Do(func() { interruptSelf(t) })
		}
	}
	o, err := sweep(t.Context(), s, plan, r, store, liveAt(&clock{}, &states))
	if !errors.Is(err, ErrInterrupted) {
		t.Fatalf("error %v, want %v", err, ErrInterrupted)
	}
	if o == nil || o.HaveRuns < 1 || o.HaveRuns >= o.WantRuns {
		t.Fatalf("outcome %+v, want some of the runs", o)
	}
	last := states[len(states)-1]
	for _, want := range []string{"interrupted; those that are done are kept in " + dir, "run the cell again"} {
		if !strings.Contains(last, want) {
			t.Errorf("the summary %q is without %q", last, want)
		}
	}
	kept, again := o.HaveRuns, &runner{unit: r.unit}
	o, err = sweep(t.Context(), s, plan, again, store, liveAt(&clock{}, &states))
	if err != nil {
		t.Fatal(err)
	}
	if o.HaveRuns != o.WantRuns || int(again.runs.Load()) != o.WantRuns-kept {
		t.Errorf("%d of %d runs, %d of them new; %d were kept", o.HaveRuns, o.WantRuns, again.runs.Load(), kept)
	}
	if want := "0 cells left"; strings.Contains(states[len(states)-1], want) {
		t.Errorf("the summary is %q", states[len(states)-1])
	}
}
