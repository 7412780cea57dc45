package dialect

import (
	"fmt"
	"regexp"
	"strings"
)

// comma is one in a number, with digits on both sides.
var comma = regexp.MustCompile(`\b[0-9]+,[0-9]+\b`)

// commas finds tables whose numbers have commas for points, as some locales print
// them: what would be a table with points is an error with the line of the first
// comma, because 14,008 may be of either kind.
func commas(text, filename string, found []Found) []error {
	if !comma.MatchString(text) {
		return nil
	}
	lines := strings.SplitAfter(text, "\n")
	first := make([]string, len(lines)) // number with a comma of each line
	for i, l := range lines {
		if !strings.ContainsAny(l, "%±+") {
			lines[i] = "\n" // no row of these styles
			continue
		}
		if first[i] = comma.FindString(l); first[i] != "" {
			lines[i] = comma.ReplaceAllStringFunc(l, func(s string) string { return strings.Replace(s, ",", ".", 1) })
		}
	}
	var errs []error
	// Styles whose rows are hard to mistake; counters with commas of thousands are
	// no tables of theirs.
	for _, find := range []func(string, string) ([]Found, error){FindMMTests, FindRatios, FindPlusMinus, FindLKP, FindPlain} {
		others, _ := find(strings.Join(lines, ""), filename)
	table:
		for _, o := range others {
			for _, f := range found {
				if f.First <= o.First && o.Last <= f.Last {
					continue table
				}
			}
			for n := o.First; n <= o.Last; n++ {
				if number := first[n-1]; number != "" {
					errs = append(errs, fmt.Errorf("dialect: %s:%d: %s has a comma, of decimals or of thousands; write it with a point, or without", filename, n, number))
					break
				}
			}
		}
		found = append(found, others...)
	}
	return errs
}
