package view

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/schedlab/schedlab/schedsim/study"
)

// list joins items as in a sentence: "a, b and c".
func list(items []string) string {
	switch n := len(items); n {
	case 0:
		return ""
	case 1:
		return items[0]
	default:
		return strings.Join(items[:n-1], ", ") + " and " + items[n-1]
	}
}

// namedRows names rows by key: "row 64", "rows 64 and 128".
func namedRows(keys []string) string {
	if len(keys) == 1 {
		return "row " + keys[0]
	}
	return "rows " + list(keys)
}

// upper makes the first letter of a sentence a capital.
func upper(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// stop ends s as a sentence.
func stop(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || strings.HasSuffix(s, ".") || strings.HasSuffix(s, "?") || strings.HasSuffix(s, "!") {
		return s
	}
	return s + "."
}

// counted is "1 row" or "3 rows".
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// be is the verb to a count.
func be(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// countSentence says how many cells came to each verdict.
func countSentence(counts []Count) string {
	total := 0
	var clauses []string
	for _, c := range counts {
		total += c.N
		clauses = append(clauses, c.Text())
	}
	if total == 0 {
		return "The study has no published cells."
	}
	return fmt.Sprintf("Of %s, %s.", counted(total, "published cell"), list(clauses))
}

// mostNamed is how many rows of a verdict a sentence names; the tables have all.
const mostNamed = 4

// failureSentence names the rows that were compared and do not agree with the
// post; with the reason, where there is but one such row.
func failureSentence(rows []row) string {
	var failing []row
	compared := 0
	for _, r := range rows {
		if r.verdict == study.NotRun {
			continue
		}
		compared++
		if !WordsOf(r.verdict).Agrees {
			failing = append(failing, r)
		}
	}
	switch {
	case compared == 0:
		return "No row was compared."
	case len(failing) == 0:
		return "No row that was run is at odds with the post."
	case len(failing) == 1 && failing[0].cell.Reason != "":
		r := failing[0]
		return fmt.Sprintf("Row %s is not reproduced (%s): %s", r.name, r.label(), stop(r.cell.Reason))
	}
	var labels []string
	byLabel := map[string][]string{}
	for _, r := range failing {
		l := r.label()
		if byLabel[l] == nil {
			labels = append(labels, l)
		}
		byLabel[l] = append(byLabel[l], r.name)
	}
	var groups []string
	for _, l := range labels {
		keys := byLabel[l]
		if more := len(keys) - mostNamed; more > 1 {
			keys = append(keys[:mostNamed:mostNamed], fmt.Sprintf("%d others", more))
		}
		groups = append(groups, namedRows(keys)+" ("+l+")")
	}
	return "Not reproduced: " + list(groups) + "."
}

// nullSentence puts the counts into proportion: how many published effects are
// beyond their noise, by the rule of study.Judge, and what a model in which the
// patch does nothing would have scored on the rows that were compared.
func nullSentence(rows []row) string {
	none, missed := 0, 0
	for _, r := range rows {
		switch {
		case r.verdict == study.NotRun:
		case r.cell.BeyondNoise():
			missed++
		default:
			none++
		}
	}
	if none+missed == 0 {
		return ""
	}
	var clauses []string
	if none > 0 {
		clauses = append(clauses, "agree on none in "+counted(none, "cell"))
	}
	if missed > 0 {
		clauses = append(clauses, "miss "+counted(missed, "cell"))
	}
	s := "On these rows no published effect is beyond its noise, so none can be reproduced."
	if missed > 0 {
		s = fmt.Sprintf("On these rows %s %s beyond noise; only %s can be reproduced.",
			counted(missed, "published effect"), be(missed), itThey(missed))
	}
	return s + " A model in which the patch does nothing would " + list(clauses) + "."
}

// warmupSentence says what was found of warm-up in the measured time, or why
// nothing could be.
func warmupSentence(rows []row) string {
	var dropped []string
	told, run := 0, 0
	for _, r := range rows {
		if !r.run {
			continue
		}
		run++
		if d := r.cell.DroppedPct; d.Measured() {
			told++
			if d > 0 {
				dropped = append(dropped, fmt.Sprintf("row %s (%s %% of it)", r.key, Fixed(d, 0)))
			}
		}
	}
	switch {
	case run == 0:
		return ""
	case told == 0:
		return "The measured time is taken whole: these figures have no rate by slices of it, from which warm-up could be told."
	case len(dropped) == 0:
		return "MSER-5 finds no warm-up in the measured time."
	}
	return "Warm-up that MSER-5 finds at the start of the measured time is left out: " + list(dropped) + "."
}

// moreRunsSentence says which rows want more runs.
func moreRunsSentence(rows []row) string {
	var parts []string
	for _, r := range rows {
		if r.run && r.cell.MoreRuns > 0 {
			parts = append(parts, fmt.Sprintf("%s (%d)", r.key, r.cell.MoreRuns))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("As far as runs go the interval is still wider than %g point, or a tenth of the noise, and about so many more pairs are needed: %s.",
		study.WidthWanted, strings.Join(parts, ", "))
}

// itThey refers back to a count.
func itThey(n int) string {
	if n == 1 {
		return "it"
	}
	return "they"
}

// signSentence says which way a percentage is good.
func signSentence(t *study.Table) string {
	switch t.Better {
	case "higher":
		return fmt.Sprintf("For %s, higher is better, so a positive percentage is an improvement.", metric(t))
	case "":
		return ""
	}
	return fmt.Sprintf("For %s, %s is better.", metric(t), t.Better)
}

// metric is the statistic with its unit: "Hmean MB/sec".
func metric(t *study.Table) string {
	return strings.TrimSpace(t.Statistic + " " + t.Unit)
}
