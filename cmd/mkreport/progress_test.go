package main

import (
	"strings"
	"testing"
	"time"
)

func TestProgressLines(t *testing.T) {
	type step struct {
		after  time.Duration
		stored bool
	}
	tests := []struct {
		name  string
		total int
		steps []step
		want  string
	}{
		{"short work says nothing", 3, []step{{time.Second, false}, {time.Second, false}, {time.Second, false}}, ""},
		{"a line after a while", 4, []step{{time.Second, false}, {4 * time.Second, false}, {time.Second, false}, {time.Second, false}},
			"x: 2 of 4 runs, about 5s left\n"},
		{"stored runs take no time", 10, []step{{0, true}, {0, true}, {6 * time.Second, false}},
			"x: 3 of 10 runs, about 42s left\n"},
		{"only stored ones", 10, []step{{0, true}, {6 * time.Second, true}},
			"x: 2 of 10 runs\n"},
		{"not at the end", 1, []step{{time.Minute, false}}, ""},
		{"no end known", unknownTotal, []step{{time.Minute, false}}, "x: 1 runs\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var b strings.Builder
			p := (&app{stderr: &b}).newProgress("x", "runs")
			clock := p.began
			p.now = func() time.Time { return clock }
			for _, s := range tt.steps {
				clock = clock.Add(s.after)
				p.step(tt.total, s.stored)
			}
			p.end()
			if b.String() != tt.want {
				t.Errorf("got %q, want %q", b.String(), tt.want)
			}
		})
	}
}

// TestProgressOfHours has a run a second for ten hours.
func TestProgressOfHours(t *testing.T) {
	const runs = 36000
	var b strings.Builder
	p := (&app{stderr: &b}).newProgress("x", "runs")
	clock := p.began
	p.now = func() time.Time { return clock }
	for range runs {
		clock = clock.Add(time.Second)
		p.step(runs, false)
	}
	if n := strings.Count(b.String(), "\n"); n < 50 || n > 200 {
		t.Errorf("%d lines", n)
	}
}

func TestProgressKept(t *testing.T) {
	p := &progress{noun: "runs"}
	if got := p.kept(); got != "none of the runs is" {
		t.Errorf("got %q", got)
	}
	p.total, p.fresh, p.stored = 9, 2, 3
	if got := p.kept(); got != "5 of 9 runs are" {
		t.Errorf("got %q", got)
	}
}
