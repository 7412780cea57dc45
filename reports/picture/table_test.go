package picture_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/schedlab/schedlab/reports/internal/golden"
	"github.com/schedlab/schedlab/reports/internal/sample"
	"github.com/schedlab/schedlab/reports/picture"
	"github.com/schedlab/schedlab/reports/view"
	"github.com/schedlab/schedlab/schedsim/study"
)

// names are those of plots, in their order.
func names(plots []view.Plot) []string {
	var out []string
	for _, p := range plots {
		out = append(out, p.Name)
	}
	return out
}

// TestTable: every figure of a table, under names of its own where there are several
// tables.
func TestTable(t *testing.T) {
	o := sample.Tables()
	for i, want := range [][]string{
		{"effect-fakebench", "runs-fakebench", "scaling-fakebench", "pasts-fakebench-1"},
		{"effect-claims", "runs-claims"},
	} {
		plots, err := picture.Table(o, &o.Study.Tables[i], nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, names(plots)); diff != "" {
			t.Errorf("table %d: figures (-want +got):\n%s", i, diff)
		}
		for _, p := range plots {
			if p.Title == "" || p.Alt == "" {
				t.Errorf("%s has no title or nothing for those who cannot see it", p.Name)
			}
			golden.Check(t, "table-"+p.Name+".svg", p.SVG)
		}
	}
}

// TestTableScaling: only rows that are counts have an axis.
func TestTableScaling(t *testing.T) {
	for key, want := range map[string]bool{"3": true, "ep.D": false, "0": false, "-1": false, "inf": false, "NaN": false} {
		o := sample.Full()
		o.Cells[3].Row = key
		plots, err := picture.Table(o, &o.Study.Tables[0], nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(plots) == 3 && plots[2].Name == "scaling"; got != want {
			t.Errorf("a row %q: figures %v", key, names(plots))
		}
	}
}

// TestTableUnrun: rows that were not run have their published effect alone.
func TestTableUnrun(t *testing.T) {
	o := sample.Full()
	o.Cells = []study.Cell{o.Cells[8]}
	plots, err := picture.Table(o, &o.Study.Tables[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"effect"}, names(plots)); diff != "" {
		t.Errorf("figures (-want +got):\n%s", diff)
	}
}

// TestSets: runs by the constant set of their pair, and nothing to compare with one.
func TestSets(t *testing.T) {
	o := sample.Full()
	c := &o.Cells[0]
	pair := func(set int) study.Pair { return study.Pair{Set: set} }
	for _, tc := range []struct {
		name  string
		pairs []study.Pair
		want  bool
	}{
		{"two sets", []study.Pair{pair(0), pair(0), pair(2), pair(2)}, true},
		{"one set", []study.Pair{pair(1), pair(1), pair(1), pair(1)}, false},
		{"a pair less than runs", []study.Pair{pair(0), pair(0), pair(2)}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c.Pairs = tc.pairs
			c.Base.Values, c.Patched.Values = []float64{100, 102, 98, 100}, []float64{104, 106, 90, 92}
			c.Base.SocketShare, c.Patched.SocketShare = []float64{0.5, 0.25}, []float64{0.5, 0.5, 0.5, 0.9}
			p, ok, err := picture.Sets(&o.Study.Tables[0], c, "sets")
			if err != nil || ok != tc.want {
				t.Fatalf("%v, %v", ok, err)
			}
			if ok {
				golden.Check(t, "sets.svg", p.SVG)
			}
		})
	}
	c.Base.Values = []float64{0, 0, 0, math.Copysign(0, -1)}
	if _, ok, err := picture.Sets(&o.Study.Tables[0], c, "sets"); ok || err != nil {
		t.Errorf("runs without a mean are drawn, %v", err)
	}
}
