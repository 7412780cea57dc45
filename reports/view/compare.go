package view

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/schedlab/schedlab/schedsim/study"
)

// intervalHead heads the interval of the simulated effect.
const intervalHead = "95 % interval"

// comparison is every published cell beside the simulated one, as columns of
// its own. The effects come first, so that they are in sight on a narrow
// screen.
func comparison(t *study.Table, rows []row) Table {
	dec := decimals(t)
	out := Table{Cols: []Col{
		text(rowName(t)), text("verdict"),
		num("published %"), num("noise"), num("simulated %"), num(intervalHead),
	}}
	figures := slices.ContainsFunc(rows, func(r row) bool { return r.cell.Published.Base.Measured() })
	if figures {
		out.Cols = append(out.Cols, num("published base"), num("published patched"))
	}
	out.Cols = append(out.Cols, num("simulated base"), num("simulated patched"))
	for _, r := range rows {
		c := r.cell
		line := []string{
			r.key, string(r.verdict),
			starred(r), noise(c.Noise), Signed(c.Simulated.Pct, 2), interval(r),
		}
		if figures {
			line = append(line, Fixed(c.Published.Base, dec), Fixed(c.Published.Patched, dec))
		}
		out.Rows = append(out.Rows, append(line, Fixed(c.Simulated.Base, dec), Fixed(c.Simulated.Patched, dec)))
	}
	return out
}

// intervals is what a verdict rests on: both effects with their uncertainty.
func intervals(t *study.Table, rows []row) Table {
	out := Table{Cols: []Col{
		text(rowName(t)),
		num("published\n%"), num("noise\n"), num("simulated\n%"), num("95 %\ninterval"),
		num("\npairs"), text("\nverdict"),
	}}
	for _, r := range rows {
		c := r.cell
		out.Rows = append(out.Rows, []string{
			r.key,
			starred(r), noise(c.Noise), Signed(c.Simulated.Pct, 2),
			interval(r),
			whole(c.Simulated.N, r.run),
			string(r.verdict),
		})
	}
	return out
}

// rowName heads the column of row keys.
func rowName(t *study.Table) string {
	if t.RowName == "" {
		return "row"
	}
	return t.RowName
}

// starred is the published effect with the author's mark of significance; of a
// claim its range, or which way it says.
func starred(r row) string {
	s := Signed(r.cell.Published.Pct, 2)
	switch p := r.published; {
	case r.cell.Expect != "":
		return r.cell.Expect
	case p != nil && p.Printed.Range():
		return rangeText(r)
	}
	if r.star {
		return s + "*"
	}
	return s
}

// rangeText is a range of percentages, as the change of the value.
func rangeText(r row) string {
	half := study.Number(r.published.Printed.High-r.published.Printed.Low) / 2
	mid := r.cell.Published.Pct
	return Signed(mid-half, 2) + ".." + Signed(mid+half, 2)
}

// noise is the half-width of the published effect; "a" marks the default that
// stands in where nothing was published.
func noise(n study.Noise) string {
	s := "±" + Fixed(study.Number(n.Pct), 2)
	if n.Assumed {
		s += "a"
	}
	return s
}

// interval is that of the simulated effect. Where the patch changed no run there
// is none, and "[0.00, 0.00]" would look like a measurement without noise.
func interval(r row) string {
	if r.run && r.identical() {
		return "identical"
	}
	return Range(r.cell.Simulated.CILow, r.cell.Simulated.CIHigh, 2)
}

func whole(n int, run bool) string {
	if !run {
		return Missing
	}
	return fmt.Sprint(n)
}

// beside appends the published effect and the verdict to each row of a table
// in the author's style. ok is false if the table shows none of the rows, as
// when its style is not one of "statistic key value...".
func beside(author string, t *study.Table, rows []row) (out string, ok bool) {
	lines := strings.Split(strings.TrimRight(author, "\n"), "\n")
	owner := make([]int, len(lines)) // index into rows, or -1
	width, first := 0, -1
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " \t")
		owner[i] = ownerOf(lines[i], t.Statistic, rows)
		if owner[i] >= 0 {
			if first < 0 {
				first = i
			}
			width = max(width, len(lines[i]))
		}
	}
	if first < 0 {
		return author, false
	}
	for i, o := range owner {
		switch {
		case o >= 0:
			if !rows[o].run {
				lines[i] = unmeasured(lines[i])
			}
			lines[i] = fmt.Sprintf("%-*s %s  %s", width, lines[i], publishedField(rows[o]), rows[o].verdict)
		case i == first-1 && strings.TrimSpace(lines[i]) != "":
			lines[i] = fmt.Sprintf("%-*s  published  verdict", width, lines[i])
		}
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	// Whoever copies the table into a mail takes this line along. It stands over
	// the two lines of the header, below a caption.
	top := strings.TrimRight(fmt.Sprintf("%*s  %-9s", width, "simulated", "measured"), " ")
	return strings.Join(slices.Insert(lines, max(first-2, 0), top), "\n"), true
}

// notNumbers are how mmtests prints a kernel that was not measured.
var (
	notCompared = regexp.MustCompile(`\( *nan%\)`)
	notNumber   = regexp.MustCompile(`\bnan\b`)
)

// unmeasured writes missing figures as everywhere in a report, in columns as
// wide as they were.
func unmeasured(line string) string {
	line = notCompared.ReplaceAllStringFunc(line, func(s string) string { return strings.Repeat(" ", len(s)) })
	return notNumber.ReplaceAllString(line, "  "+Missing)
}

// ownerOf finds the row that a line of the author's table is about. Only lines
// of the compared statistic count: a Stddev line has the same keys.
func ownerOf(line, statistic string, rows []row) int {
	rest := strings.TrimSpace(line)
	if statistic != "" {
		after, ok := strings.CutPrefix(rest, statistic+" ")
		if !ok {
			return -1
		}
		rest = strings.TrimSpace(after)
	}
	for i, r := range rows {
		if strings.HasPrefix(rest, r.key+" ") {
			return i
		}
	}
	return -1
}

// publishedField is the published effect as mmtests prints a comparison.
func publishedField(r row) string {
	pct := float64(r.cell.Published.Pct)
	if !r.cell.Published.Pct.Measured() {
		return fmt.Sprintf(" %8s  ", Missing)
	}
	if r.star {
		return fmt.Sprintf("*%7.2f%%*", pct)
	}
	return fmt.Sprintf("(%7.2f%%)", pct)
}

// mmtests lays the simulated columns out as compare-kernels.sh does, for
// callers that pass no table in the author's own style. It prints no stars:
// the intervals are in a table of their own.
func mmtests(t *study.Table, rows []row) string {
	stat, key := 0, 0
	for _, r := range rows {
		stat, key = len(t.Statistic), max(key, len(r.key))
	}
	dec := decimals(t)
	var b strings.Builder
	for line := range t.BaseLabel {
		fmt.Fprintf(&b, "%-*s %-*s%23s%23s\n", stat, "", key, "", t.BaseLabel[line], t.PatchedLabel[line])
	}
	for _, r := range rows {
		s := r.cell.Simulated
		fmt.Fprintf(&b, "%-*s %-*s", stat, t.Statistic, key, r.key)
		if !s.Pct.Measured() {
			fmt.Fprintf(&b, "%12s%11s%12s%11s\n", Fixed(s.Base, dec), "", Fixed(s.Patched, dec), "")
			continue
		}
		fmt.Fprintf(&b, "%12s (%7.2f%%)", Fixed(s.Base, dec), 0.0)
		fmt.Fprintf(&b, "%12s (%7.2f%%)\n", Fixed(s.Patched, dec), float64(s.Pct))
	}
	return strings.TrimRight(b.String(), "\n")
}
