package dialect

import (
	"cmp"
	"errors"
	"slices"
)

// finders are the styles that are looked for in a text, the strictest first:
// lines that one has taken are no other's.
var finders = []func(text, filename string) ([]Found, error){
	FindLKP, FindMMTests, FindAutoNUMA, FindColumns, FindPlusMinus, FindPairs, FindBlocks, FindPlain,
}

// Find returns the tables of all styles in a text, quoted ("> ") or not, in the
// order of their lines. A table that cannot be read is an error with filename
// and line; the others are returned with it.
func Find(text, filename string) ([]Found, error) {
	var all []Found
	var errs []error
	for _, find := range finders {
		found, err := find(text, filename)
		if err != nil {
			errs = append(errs, err)
		}
		for _, f := range found {
			if !slices.ContainsFunc(all, f.overlaps) {
				all = append(all, f)
			}
		}
	}
	slices.SortFunc(all, func(a, b Found) int { return cmp.Compare(a.First, b.First) })
	return all, errors.Join(errs...)
}

func (f Found) overlaps(g Found) bool { return f.First <= g.Last && g.First <= f.Last }
