package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/schedlab/schedlab/reports/dialect"
	"github.com/schedlab/schedlab/schedsim/study"
)

// minStarred is the fewest runs of an arm for which the star rule is applied:
// with one run each, mmtests stars any difference.
const minStarred = 2

// direction is the way a table's figures improve, as mmtests has it: it takes
// the harmonic mean where higher is better and the arithmetic mean where lower
// is. It is Unknown if the study's table has another combination or dialect.
func direction(t *study.Table) dialect.Better {
	better := dialect.BetterOf(t.Statistic)
	if t.Dialect != "mmtests" || better.String() != t.Better {
		return dialect.Unknown
	}
	return better
}

// kernels heads the two columns of a study's table.
func kernels(t *study.Table) []dialect.Kernel {
	return []dialect.Kernel{{Label: t.BaseLabel}, {Label: t.PatchedLabel}}
}

// plusMinus is the dialect of hyperfine's mean and standard deviation.
const plusMinus = "mean+-stddev"

// simulatedPlusMinus is the simulated table as hyperfine's results are posted, of
// the rows that have a standard deviation.
func simulatedPlusMinus(o *study.Outcome, t *study.Table) (string, error) {
	table := &dialect.Table{Kernels: kernels(t), Form: &dialect.PlusMinus{}}
	for _, c := range cellsOf(o, t) {
		if len(c.Base.Values) < minStarred {
			continue
		}
		table.Rows = append(table.Rows, dialect.NewPlusMinusRow(c.Row,
			[]float64{study.Mean(c.Base.Values), study.Mean(c.Patched.Values)},
			[]float64{study.Stddev(c.Base.Values), study.Stddev(c.Patched.Values)}))
	}
	return written(table)
}

// publishedPlusMinus is the table as it was posted.
func publishedPlusMinus(t *study.Table) (string, error) {
	table := &dialect.Table{Kernels: kernels(t), Form: &dialect.PlusMinus{}}
	for _, r := range t.Rows {
		if r.Base.Measured() && r.Patched.Measured() && r.BaseSpread.Measured() && r.PatchedSpread.Measured() {
			table.Rows = append(table.Rows, dialect.NewPlusMinusRow(r.Key,
				[]float64{float64(r.Base), float64(r.Patched)}, []float64{float64(r.BaseSpread), float64(r.PatchedSpread)}))
		}
	}
	return written(table)
}

// written is a table in its style, or nothing if it has no rows.
func written(t *dialect.Table) (string, error) {
	if len(t.Rows) == 0 {
		return "", nil
	}
	var b strings.Builder
	err := t.Write(&b)
	return b.String(), err
}

// simulatedTable lays the simulated columns out as the author's tool would
// print them, with its stars. It is empty, which leaves the layout to the
// report, for other dialects than mmtests, and for an incomplete plan: the tool
// takes the mean over all runs, which is the one of the report only if each
// constant set has the same number of them.
func simulatedTable(o *study.Outcome, t *study.Table) (string, error) {
	if t.Dialect == plusMinus {
		return simulatedPlusMinus(o, t)
	}
	spec := dialect.Spec{Kernels: kernels(t), Better: direction(t)}
	if spec.Better == dialect.Unknown || o.HaveRuns < o.WantRuns {
		return "", nil
	}
	runs := 0
	var rows []dialect.SampleRow
	for _, c := range cellsOf(o, t) {
		if !c.Simulated.Pct.Measured() {
			rows = append(rows, dialect.SampleRow{Key: c.Row, Runs: [][]float64{nil, nil}})
			continue
		}
		runs = len(c.Base.Values)
		rows = append(rows, dialect.SampleRow{Key: c.Row, Runs: [][]float64{c.Base.Values, c.Patched.Values}})
	}
	if runs >= minStarred {
		posted, err := time.Parse(time.DateOnly, o.Study.Post.Date)
		if err != nil {
			return "", fmt.Errorf("date of the post: %w", err)
		}
		spec.Rule = dialect.RuleAt(posted)
	}
	table, err := dialect.FromSamples(spec, rows)
	if err != nil {
		return "", err
	}
	if starred(table) {
		table.Caption = fmt.Sprintf("simulated stars: %s (%s a column)", spec.Rule.Name, count(runs, "run"))
	}
	return text(table)
}

// cellsOf are the cells of one table.
func cellsOf(o *study.Outcome, t *study.Table) []study.Cell {
	var cells []study.Cell
	for _, c := range o.Cells {
		if c.Table == t.ID {
			cells = append(cells, c)
		}
	}
	return cells
}

// publishedTable is the table as it was posted. It is empty for dialects that are
// not written.
func publishedTable(t *study.Table) (string, error) {
	if t.Dialect == plusMinus {
		return publishedPlusMinus(t)
	}
	if direction(t) == dialect.Unknown {
		return "", nil
	}
	table := &dialect.Table{Kernels: kernels(t)}
	for _, r := range t.Rows {
		if !r.Base.Measured() || !r.Patched.Measured() || !r.Printed.Given {
			continue // a claim in prose
		}
		// As the tool prints it: two digits after the point, and the baseline
		// compared with itself.
		table.Rows = append(table.Rows, dialect.Row{
			Stat: t.Statistic,
			Key:  r.Key,
			Cells: []dialect.Cell{
				{Value: dialect.Fixed(float64(r.Base), 2), Pct: dialect.Fixed(0, 2)},
				{Value: dialect.Fixed(float64(r.Patched), 2), Pct: dialect.Fixed(r.Printed.Low, 2), Star: r.Significant},
			},
		})
	}
	return text(table)
}

func starred(t *dialect.Table) bool {
	for _, r := range t.Rows {
		for _, c := range r.Cells {
			if c.Star {
				return true
			}
		}
	}
	return false
}

func text(t *dialect.Table) (string, error) {
	var b strings.Builder
	err := t.WriteMMTests(&b)
	return b.String(), err
}
