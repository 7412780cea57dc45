package main

import (
	"path/filepath"
	"slices"
	"testing"
)

// TestFind: every parser has a target, and the command finds it.
func TestFind(t *testing.T) {
	targets, err := find(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	var dirs []string
	for _, x := range targets {
		dirs = append(dirs, x.dir)
	}
	for _, dir := range []string{
		"internal/input", "topology", "topology/dump", "schedsim", "schedsim/scenario", "schedsim/study",
		"reports/article", "reports/dialect", "reports/html", "reports/lint", "reports/mail", "reports/markdown", "reports/measured",
		"reports/nb", "reports/post", "reports/safe", "reports/trace",
	} {
		if !slices.Contains(dirs, dir) {
			t.Errorf("%s has no fuzz target", dir)
		}
	}
	if !slices.Contains(targets, target{"internal/input", "FuzzCheckJSON"}) {
		t.Errorf("targets %v", targets)
	}
}

func TestInputs(t *testing.T) {
	out := "fuzz: elapsed: 3s, execs: 100 (33/sec), new interesting: 1 (total: 3)\nfuzz: elapsed: 6s, execs: 1234 (205/sec)\nPASS\n"
	if got := inputs(out); got != 1234 {
		t.Errorf("got %d", got)
	}
	if got := inputs("FAIL\n"); got != 0 {
		t.Errorf("got %d", got)
	}
}

func TestOutOfTime(t *testing.T) {
	for out, want := range map[string]bool{
		"--- FAIL: FuzzParse (25.24s)\n    context deadline exceeded\nFAIL\n":                         true,
		"--- FAIL: FuzzFind (1s)\n    Failing input written to testdata/fuzz/FuzzFind/29\nFAIL\n":     false,
		"    context deadline exceeded\n    Failing input written to testdata/fuzz/FuzzFind/29\nFAIL": false,
		"panic: runtime error\n    context deadline exceeded\n":                                       false,
	} {
		if got := outOfTime(out); got != want {
			t.Errorf("%q: %v", out, got)
		}
	}
}
