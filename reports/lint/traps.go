package lint

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/schedlab/schedlab/reports/dialect"
)

// leastStar is the smallest change, in percent, whose star says something to
// users: below it a test that is significant tells of many runs, not of an
// effect.
const leastStar = 0.5

// traps names what is right and misleads.
func (r *Report) traps(t *dialect.Table) {
	r.variance(t)
	r.stars(t)
	r.spreads(t)
	r.geomeans(t)
}

func (r *Report) stars(t *dialect.Table) {
	n, first := 0, 0
	for _, row := range t.Rows {
		for _, c := range row.Cells {
			if c.Star && math.Abs(c.Pct.Float64()) < leastStar {
				if n++; first == 0 {
					first = row.Line
				}
			}
		}
	}
	if n > 0 {
		r.add(first, RuleStar, "%d starred changes are below %g %%: significant, and of no account", n, leastStar)
	}
}

// spreads finds changes that are smaller than the spread of the runs.
func (r *Report) spreads(t *dialect.Table) {
	n, first, total := 0, 0, 0
	for _, row := range t.Rows {
		for i := 1; i < len(row.Cells); i++ {
			base, c := row.Cells[0], row.Cells[i]
			spread := max(spreadOf(t, row, base, 0), spreadOf(t, row, c, i))
			change := 100 * math.Abs(c.Value.Float64()-base.Value.Float64()) / math.Abs(base.Value.Float64())
			if spread == 0 || math.IsNaN(change) || math.IsNaN(spread) {
				continue
			}
			if total++; spread > change {
				if n++; first == 0 {
					first = row.Line
				}
			}
		}
	}
	if n > 0 {
		r.add(first, RuleSpread, "%d of %d changes are smaller than the standard deviation of the runs beside them", n, total)
	}
}

// spreadOf is the standard deviation beside a value, in percent of it, 0 where
// none is printed. A robot's table without one had at most 2 %.
func spreadOf(t *dialect.Table, row dialect.Row, c dialect.Cell, kernel int) float64 {
	if c.Spread != "" {
		switch t.Form.(type) {
		case *dialect.PlusMinus:
			return 100 * c.Spread.Float64() / math.Abs(c.Value.Float64())
		}
		return c.Spread.Float64()
	}
	stat := ""
	switch t.Form.(type) {
	case nil:
		if row.Stat == "Hmean" || row.Stat == "Amean" {
			stat = "Stddev"
		}
	case *dialect.Columns:
		if row.Stat == "Avg" {
			stat = "Variance" // which is a standard deviation
		}
	case *dialect.AutoNUMA:
		if row.Stat == "Avg" {
			stat = "StdDev"
		}
	}
	if other := t.Row(stat, row.Key); stat != "" && other != nil && kernel < len(other.Cells) {
		return 100 * other.Cells[kernel].Value.Float64() / math.Abs(c.Value.Float64())
	}
	return 0
}

var geomeanName = regexp.MustCompile(`(?i)\b(geo-?mean|geometric mean|gmean)\b`)

// geomeans recomputes a geometric mean over the rows above it.
func (r *Report) geomeans(t *dialect.Table) {
	start := 0
	for i, row := range t.Rows {
		if !geomeanName.MatchString(row.Stat + " " + row.Key) {
			continue
		}
		rows := t.Rows[start:i]
		start = i + 1
		sizes := make([]int, len(row.Cells))
		for k, c := range row.Cells {
			sum := 0.0
			for _, above := range rows {
				if v := above.Cells[k].Value.Float64(); v > 0 {
					sum += math.Log(v)
					sizes[k]++
				}
			}
			if sizes[k] < 2 || c.Value.IsMissing() {
				continue
			}
			want := math.Exp(sum / float64(sizes[k]))
			if !near(want, c.Value.Float64(), 2*halfDigit(c.Value)+1e-3*want) {
				r.add(row.Line, RuleGeomean, "geometric mean %s, but the %d values above it have %.*f", c.Value, sizes[k], max(c.Value.Precision(), 0), want)
			}
		}
		for k := range sizes {
			if sizes[k] != sizes[0] {
				r.add(row.Line, RuleGeomean, "the geometric means are over %d values and over %d: they do not compare", sizes[0], sizes[k])
				break
			}
		}
	}
}

var (
	runsText = regexp.MustCompile(`(?i)\b(\d+|two|three|five|ten|several) *(runs?|iterations?|loops?|times|repeats?|samples|measurements|instances)\b|\bn *= *\d|--repeat|--runs|\bcount\b|-r +\d+\b|\brepeat(ed)?\b`)
	bestText = regexp.MustCompile(`(?i)\bbest[- ]of\b|\bbest (of|result|run|score)\b|\bB[AH]mean`)
)

// prose looks at the words around the tables.
func (r *Report) prose(text string) {
	lower := strings.ToLower(text)
	if loc := findString(bestText, text, lower, "best", "amean", "hmean"); loc != nil {
		r.add(lineAt(text, loc[0]), RuleBest, "%q: a figure of the best runs leaves out what a user gets otherwise", text[loc[0]:loc[1]])
	}
	switch spread := r.hasSpread(); {
	case spread && !r.handmade():
	case runsText.MatchString(text): // asked last: it looks at every word
	case !spread:
		r.add(0, RuleRuns, "nothing says how many runs the figures stand for, nor how far they spread")
	default:
		r.add(0, RuleRuns, "nothing says how many runs the spread is of, so that it gives no interval")
	}
}

// handmade reports whether a spread stands in a table of a style whose program does
// not set how many runs there are.
func (r *Report) handmade() bool {
	return slices.ContainsFunc(r.Tables, func(f dialect.Found) bool {
		switch f.Table.Form.(type) {
		case *dialect.PlusMinus, *dialect.Blocks, *dialect.Ratios:
			return true
		}
		return false
	})
}

// findString is re.FindStringIndex, spared where the text has none of the words.
func findString(re *regexp.Regexp, text, lower string, words ...string) []int {
	for _, w := range words {
		if strings.Contains(lower, w) {
			return re.FindStringIndex(text)
		}
	}
	return nil
}

// hasSpread reports whether a table has a spread, for which its program makes
// several runs.
func (r *Report) hasSpread() bool {
	for _, f := range r.Tables {
		if _, robot := f.Table.Form.(*dialect.LKP); robot {
			return true // which leaves out spreads up to 2 %
		}
		for _, row := range f.Table.Rows {
			if strings.HasPrefix(row.Stat, "Stddev") || row.Stat == "CoeffVar" {
				return true
			}
			for _, c := range row.Cells {
				if c.Spread != "" || c.Star {
					return true
				}
			}
		}
	}
	return false
}

func lineAt(text string, offset int) int { return 1 + strings.Count(text[:offset], "\n") }
