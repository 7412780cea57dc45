package workload_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/schedlab/schedlab/schedsim/workload"
)

// TestSpecs: every workload is complete, says what its parameters are, and can
// be made from its defaults and the least of what must be given.
func TestSpecs(t *testing.T) {
	kinds := []string{"", "measured", "vendor", "derived", "assumed"}
	seen := map[string]bool{}
	for _, s := range workload.Specs() {
		t.Run(s.Name, func(t *testing.T) {
			if seen[s.Name] || s.Doc == "" {
				t.Errorf("twice, or without a doc: %q", s.Doc)
			}
			seen[s.Name] = true
			given := map[string]string{}
			params := map[string]bool{}
			for _, p := range s.Params {
				if params[p.Name] || p.Name == "" || p.Doc == "" || !slices.Contains(kinds, p.Kind) {
					t.Errorf("parameter %+v", p)
				}
				params[p.Name] = true
				if p.Kind != "" && p.Source == "" {
					t.Errorf("constant %s has no source", p.Name)
				}
				if !p.Text && math.IsNaN(p.Default) {
					given[p.Name] = fmt.Sprint(max(p.Low, 1))
				}
				if !p.Text && (p.Low != 0 || p.High != 0) && (p.Default < p.Low || p.Default > p.High) {
					t.Errorf("the default of %s, %v, is out of its bounds", p.Name, p.Default)
				}
			}
			v, err := s.Values(given)
			if err != nil {
				t.Fatal(err)
			}
			w, err := s.New(v)
			if err != nil {
				t.Fatal(err)
			}
			if w.MaxTasks() < 1 {
				t.Errorf("%d tasks", w.MaxTasks())
			}
		})
	}
}

func TestSpecValues(t *testing.T) {
	s, err := workload.Lookup("tbench")
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Values(map[string]string{"clients": "64", "work_ns": "2500.5"})
	if err != nil {
		t.Fatal(err)
	}
	if v.Int("clients") != 64 || v.Number("work_ns") != 2500.5 || v.Number("tail_ns") != 950 {
		t.Errorf("got %v", v)
	}
	for _, c := range []struct{ name, param, value, want string }{
		{"unknown", "client", "4", `no parameter "client", use some of clients, work_ns`},
		{"missing", "tail_ns", "4", "needs a value for clients"},
		{"not a number", "clients", "many", `"many", which is not a number`},
		{"out of bounds", "clients", "0", "give 1 to 4096"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := s.Values(map[string]string{c.param: c.value}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
	if _, err := workload.Lookup("tbnch"); err == nil || !strings.Contains(err.Error(), "use one of ") || !strings.Contains(err.Error(), "tbench") {
		t.Errorf("error %v", err)
	}
}

func ExampleLookup() {
	spec, err := workload.Lookup("tbench")
	if err != nil {
		fmt.Println(err)
		return
	}
	values, err := spec.Values(map[string]string{"clients": "16"})
	if err != nil {
		fmt.Println(err)
		return
	}
	w, err := spec.New(values)
	fmt.Println(w.Name(), err)
	// Output: tbench-16 <nil>
}
