package view

import (
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/schedlab/schedlab/schedsim/study"
)

// maxTraced is how many figures a trace shows.
const maxTraced = 6

// leastTraced is the change, in percent, that a figure must have in some row to be
// shown.
const leastTraced = 2.0

// trace is what carries the effect: of the figures that every run has, those that
// change most between the columns, as the change of their means over the runs.
func trace(t *study.Table, rows []row) Table {
	most := make(map[string]float64)
	for _, r := range rows {
		if !r.run {
			continue
		}
		for name := range r.cell.Base.Metrics {
			if !traced(t, r, name) {
				continue
			}
			if c := float64(metricChange(r.cell, name)); !math.IsNaN(c) {
				most[name] = max(most[name], math.Abs(c))
			}
		}
	}
	var names []string
	for name, c := range most {
		if c >= leastTraced {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	slices.SortStableFunc(names, func(a, b string) int {
		switch {
		case most[a] > most[b]:
			return -1
		case most[a] < most[b]:
			return 1
		}
		return 0
	})
	names = names[:min(len(names), maxTraced)]
	out := Table{Cols: []Col{text(rowName(t))}}
	for _, name := range names {
		out.Cols = append(out.Cols, num(strings.ReplaceAll(name, "-", "\n")+"\n%"))
	}
	if len(names) == 0 {
		return out
	}
	for _, r := range rows {
		if !r.run {
			out.Rows = append(out.Rows, absent(r.key, len(out.Cols)))
			continue
		}
		line := []string{r.key}
		for _, name := range names {
			line = append(line, Signed(metricChange(r.cell, name), 1))
		}
		out.Rows = append(out.Rows, line)
	}
	return out
}

// traced reports whether a figure is one that says how, and not what: the row's own
// figure is in its table, counts for a unit of work follow from the rates, and how
// often the patch itself acts is among the direct counts.
func traced(t *study.Table, r row, name string) bool {
	if r.published != nil && r.table != nil && name == r.table.MetricOf(r.published) {
		return false
	}
	return name != "throughput" && !strings.HasSuffix(name, "/work") && !strings.HasPrefix(name, "decisions-")
}

// metricChange is the change of a figure from base to patched, in percent of base.
// Where base has next to nothing there is no percentage.
func metricChange(c study.Cell, name string) study.Number {
	base, ok := c.Base.Metrics[name]
	patched, both := c.Patched.Metrics[name]
	if !ok || !both || math.Abs(base) < 1e-3 {
		return study.NotMeasured
	}
	return study.Number(100 * (patched - base) / math.Abs(base))
}
