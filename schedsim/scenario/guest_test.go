package scenario

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestJoin: tasks of groups wait for each other when they start, and those outside do not.
func TestJoin(t *testing.T) {
	o := simulate(t, "4core", `@duration 400
@group a 100
t_a 0 0 0 group:a once hog
t_b 0 1 0 group:a once hog
t_c 0 2 0 hog`)
	a, b, c := &o.Tasks[0], &o.Tasks[1], &o.Tasks[2]
	if a.Voluntary+b.Voluntary != 2 || c.Voluntary != 0 {
		t.Errorf("%d, %d and %d sleeps, want one of each task of the group", a.Voluntary, b.Voluntary, c.Voluntary)
	}
	// The hogs of the group have their CPU when a grace period is over.
	for _, k := range []*TaskOutcome{a, b} {
		if lost := c.CPU - k.CPU; lost < emulated.graceLeast-time.Millisecond {
			t.Errorf("%s ran for %v less than a hog outside, want at least %v", k.Name, lost, emulated.graceLeast)
		}
	}
}

// TestSittings: which boots are of which sitting.
func TestSittings(t *testing.T) {
	for _, tc := range []struct {
		scenario string
		boot     int
		want     int
	}{
		{"pingpong", 1, 0}, {"pingpong", 3, 0}, {"rt-pinned", 4, 1}, {"rt-pinned", 6, 1},
		{"sleeper-quick", 7, 2}, {"sleepers-quick", 9, 2}, {"sleeper-short", 7, 3}, {"x", 10, 0},
	} {
		if got := slices.IndexFunc(sittings, func(s sitting) bool {
			return s.first == sittingOf(tc.scenario, tc.boot).first && s.waits == sittingOf(tc.scenario, tc.boot).waits
		}); got != tc.want {
			t.Errorf("boot %d of %s is of sitting %d, want %d", tc.boot, tc.scenario, got, tc.want)
		}
	}
}

// TestNewidleFile reads what CPUs remember, by machine and scenario.
func TestNewidleFile(t *testing.T) {
	read := func(text string) (newidleCosts, error) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "newidle.csv"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return readNewidle(dir)
	}
	n, err := read("# machine, kernel, boot, scenario, CPU, domains\n4core,6.1,1,first,0,7\n4core,6.1,1,first,1,8\n4core,6.1,1,then,0,9\n4core,6.1,2,then,0,10\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		machine, scenario string
		want              []int64
	}{
		{"4core", "first", []int64{7, 8}},
		{"4core", "then", []int64{9, 10}},
		{"4core", "other", []int64{7, 8, 10}}, // when both boots began
		{"2cpu", "other", []int64{7, 8, 10}},
		{"2node", "first", nil},
	} {
		var got []int64
		for _, cpu := range n.of(tc.machine, tc.scenario) {
			got = append(got, cpu...)
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s on %s: %v, want %v", tc.scenario, tc.machine, got, tc.want)
		}
	}
	for text, want := range map[string]string{
		"4core,6.1,1,first,0\n":       "data row 1 has 5 fields",
		"4core,6.1,1,first,0,7,-1\n":  `"-1" is no time in ns`,
		"4core,6.1,1,first,0,soon\n":  `"soon" is no time in ns`,
		"4core,6.1,1,\"first\n,0,7\n": "newidle.csv",
	} {
		if _, err := read(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error with %q", text, err, want)
		}
	}
}
