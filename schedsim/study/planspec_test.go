package study

import (
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"
	"time"
)

func TestPlan(t *testing.T) {
	s := fixture(t)
	for range 7 {
		s.Ensemble.Sets = append(s.Ensemble.Sets, nil)
	}
	tests := []struct {
		mode string
		want Plan
	}{
		{"quick", Plan{Mode: "quick", Seed: 1, N: 2, Sets: 3,
			Warmup:  map[string]time.Duration{"": time.Second, "64": 3 * time.Second},
			Measure: map[string]time.Duration{"": 100 * time.Millisecond}}},
		{"full", Plan{Mode: "full", Seed: 1, N: 5, Sets: 7,
			Warmup:  map[string]time.Duration{"": time.Second},
			Measure: map[string]time.Duration{"": time.Second, "1": 2500 * time.Microsecond}}},
	}
	for _, tt := range tests {
		t.Run(tt.mode, func(t *testing.T) {
			got, err := s.Plan(tt.mode)
			if err != nil {
				t.Fatal(err)
			}
			if got.Mode != tt.want.Mode || got.Seed != tt.want.Seed || got.N != tt.want.N || got.Sets != tt.want.Sets ||
				!maps.Equal(got.Warmup, tt.want.Warmup) || !maps.Equal(got.Measure, tt.want.Measure) {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

// TestShippedPlans makes sure that the command can run every study.
func TestShippedPlans(t *testing.T) {
	for _, id := range IDs() {
		for _, mode := range Modes() {
			t.Run(id+" "+mode, func(t *testing.T) {
				s := mustLoad(t, id)
				plan, err := s.Plan(mode)
				if err != nil {
					t.Fatal(err)
				}
				if plan.N < 2 {
					t.Errorf("n is %d, which gives no interval", plan.N)
				}
				ident, err := s.Identity()
				if err != nil {
					t.Fatal(err)
				}
				if _, err := Jobs(s, plan, ident); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

func TestPlanUnknown(t *testing.T) {
	s := fixture(t)
	if _, err := s.Plan("quik"); err == nil || !strings.Contains(err.Error(), "did you mean quick") {
		t.Errorf("unknown mode: %v", err)
	}
	s.Plans.Full = PlanSpec{}
	if _, err := s.Plan("full"); err == nil || !strings.Contains(err.Error(), "add plans.full to its file") {
		t.Errorf("no plan: %v", err)
	}
}

func TestPlanErrors(t *testing.T) {
	data, err := os.ReadFile(fixtureFile)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, old, new, want string }{
		{"no runs", " n: 2", " n: 0", "n: 0"},
		{"negative", " n: 2", " n: -1", "n: -1"},
		{"text for n", " n: 2", " n: two", "cannot unmarshal"},
		{"no sets", "sets: 3", "sets: 0", "write one of at least 1, or all"},
		{"sets in words", "sets: all", "sets: every", `"every" is not a number`},
		{"sets missing", "    sets: all\n", "", "write one of at least 1, or all"},
		{"unit missing", "measure: {default: 100ms}", "measure: {default: 100}", `"100" of row default`},
		{"negative time", "default: 100ms", "default: -100ms", `"-100ms" of row default`},
		{"no time", "default: 100ms", "default: 0s", "time of 0"},
		{"no measured time", "    measure: {default: 100ms}\n", "", "measure has no default"},
		{"no default", "{default: 1s, \"64\": 3s}", "{\"64\": 3s}", "plans.quick.warmup has no default"},
		{"unknown row", `"64": 3s`, `"63": 3s`, `row "63" which the table does not have`},
		{"unknown mode", "  quick:", "  quik:", "unknown field"},
		{"unknown key", "    sets: 3", "    set: 3", "unknown field"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := strings.Replace(string(data), tt.old, tt.new, 1)
			if text == string(data) {
				t.Fatalf("%q is not in the study", tt.old)
			}
			_, err := Parse("my.yaml", []byte(text))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("got %v, want %q in it", err, tt.want)
			}
			line := 0
			if _, err := fmt.Sscanf(err.Error(), "study: my.yaml:%d:", &line); err != nil {
				t.Error(err)
			}
			if first := lineOf(string(data), "plans:"); line < first || line > first+10 {
				t.Errorf("line %d is not in the plans, which begin on %d: %v", line, first, err)
			}
		})
	}
}
