package author

import (
	"fmt"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/schedlab/schedlab/reports/dialect"
	"github.com/schedlab/schedlab/schedsim/study"
)

// width is the most columns of a table in a mail.
const width = 100

// Simulated is the simulated columns of a table in a style, of the rows that the
// post has figures of, or of all that were run where it has none. Each column's
// heading has the [Mark], and the last lines say what it means. It is empty where
// no such row was run. An [UnfitError] says that the style has no place for the
// table's figures.
func Simulated(o *study.Outcome, t *study.Table, style string) (string, error) {
	rows := simulatedRows(o, t)
	run := false
	for _, r := range rows {
		run = run || r.measured
	}
	if !run {
		return "", nil
	}
	if style != MMTests { // which says nan of a row that was not run
		kept := rows[:0:0]
		for _, r := range rows {
			if r.measured {
				kept = append(kept, r)
			}
		}
		rows = kept
	}
	out, err := tables(style, t, rows, Mark)
	if err != nil {
		return "", err
	}
	notes := []string{Mark + " simulated on a model of " + t.Machine + ", not measured"}
	if style == MMTests {
		rule, err := star(o, out[0], rows)
		if err != nil {
			return "", err
		}
		if rule != "" {
			notes = append(notes, "    stars: "+rule)
		}
	}
	text, err := written(out)
	if err != nil || text == "" {
		return "", err
	}
	for _, l := range strings.Split(text, "\n") {
		if n := utf8.RuneCountInString(l); n > width {
			return "", &UnfitError{style, t.ID, fmt.Sprintf("it would be %d columns wide, of %d that a mail has room for", n, width)}
		}
	}
	switch style {
	case Robot: // whose metrics are named as on hardware
		notes = append(notes, "    no robot ran this, and no perf")
	case Count:
		notes = append(notes, `    "Variance" is the standard deviation, as in the post`)
	}
	return text + strings.Join(notes, "\n") + "\n", nil
}

// written are tables one below the other, with their captions.
func written(out []*dialect.Table) (string, error) {
	var parts []string
	for _, t := range out {
		if len(t.Rows) == 0 {
			continue
		}
		var b strings.Builder
		if err := t.Write(&b); err != nil {
			return "", err
		}
		text := b.String()
		if t.Form != nil && t.Caption != "" {
			text = t.Caption + "\n" + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "\n"), nil
}

// simulatedRows are the rows of a table with their runs.
func simulatedRows(o *study.Outcome, t *study.Table) []row {
	figures := false
	for _, r := range t.Rows {
		figures = figures || r.Base.Measured() && r.Patched.Measured()
	}
	cells := make(map[string]*study.Cell)
	for i := range o.Cells {
		if c := &o.Cells[i]; c.Table == t.ID {
			cells[c.Row] = c
		}
	}
	var rows []row
	for _, r := range t.Rows {
		if figures && !(r.Base.Measured() && r.Patched.Measured()) {
			continue // a claim in prose
		}
		out := row{key: r.Key, unit: or(r.Unit, t.Unit), better: direction(or(r.Better, t.Better))}
		c := cells[r.Key]
		out.measured = c != nil && c.Simulated.Base.Measured() && c.Simulated.Patched.Measured()
		out.base, out.patched = arm{mean: math.NaN()}, arm{mean: math.NaN()}
		if out.measured {
			out.base = arm{runs: c.Base.Values, mean: float64(c.Simulated.Base)}
			out.patched = arm{runs: c.Patched.Values, mean: float64(c.Simulated.Patched)}
		}
		rows = append(rows, out)
	}
	return rows
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// star marks significant differences as mmtests did when the post was sent, and
// says by which rule; nothing where no row is starred.
func star(o *study.Outcome, t *dialect.Table, rows []row) (string, error) {
	posted, err := time.Parse(time.DateOnly, o.Study.Post.Date)
	if err != nil {
		return "", fmt.Errorf("author: date of the post: %w", err)
	}
	rule, runs := dialect.RuleAt(posted), 0
	for i, r := range rows {
		// With one run each, mmtests stars any difference.
		if min(len(r.base.runs), len(r.patched.runs)) >= minSpread && rule.Significant(r.better, r.base.runs, r.patched.runs) {
			t.Rows[i].Cells[1].Star = true
			runs = max(runs, len(r.base.runs))
		}
	}
	if runs == 0 {
		return "", nil
	}
	return fmt.Sprintf("%s (%d runs a column)", rule.Name, runs), nil
}
