package dialect

import (
	"cmp"
	"errors"
	"slices"
)

// finders are the styles that are looked for in a text, the strictest first:
// lines that one has taken are no other's.
var finders = []func(text, filename string) ([]Found, error){
	FindLKP, FindMMTests, FindAutoNUMA, FindColumns, FindHyperfine, FindKernelRows, FindRatios, FindPlusMinus, FindPairs, FindBlocks, FindPlain,
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
			errs = append(errs, each(err)...)
		}
		for _, f := range found {
			if !slices.ContainsFunc(all, f.overlaps) {
				all = append(all, f)
			}
		}
	}
	errs = append(errs, commas(text, filename, all)...)
	slices.SortFunc(all, func(a, b Found) int { return cmp.Compare(a.First, b.First) })
	return all, errors.Join(errs...)
}

func (f Found) overlaps(g Found) bool { return f.First <= g.Last && g.First <= f.Last }

// unquote cuts a text into lines and takes the marks of quoted mail off them.
func unquote(text string) (lines []line, quotes []string) {
	lines = splitLines(text)
	quotes = make([]string, len(lines))
	for i := range lines {
		n := quoteWidth(lines[i].text)
		quotes[i], lines[i].text = lines[i].text[:n], lines[i].text[n:]
	}
	return lines, quotes
}

// quoteWidth is how long the marks of quoted mail are, with one blank after each.
func quoteWidth(s string) int {
	n := 0
	for n < len(s) && s[n] == '>' {
		if n++; n < len(s) && s[n] == ' ' {
			n++
		}
	}
	return n
}

// findRows finds runs of lines that are rows of one style, and reads each as a
// table; first and last are indices of lines, the heading not among them.
func findRows(text, filename string, isRow func(string) bool, read func(lines []line, first, last int, filename string) (Found, error)) ([]Found, error) {
	lines, quotes := unquote(text)
	return findRowsOf(lines, quotes, filename, isRow, read)
}

func findRowsOf(lines []line, quotes []string, filename string, isRow func(string) bool, read func(lines []line, first, last int, filename string) (Found, error)) ([]Found, error) {
	var found []Found
	var errs []error
	for i := 0; i < len(lines); i++ {
		if !isRow(lines[i].text) {
			continue
		}
		last := i
		for last+1 < len(lines) && isRow(lines[last+1].text) {
			last++
		}
		f, err := read(lines, i, last, filename)
		if err != nil {
			errs = append(errs, err)
			i = last
			continue
		}
		f.Quote = quotes[i]
		found = append(found, f)
		i = last
	}
	return found, errors.Join(errs...)
}

// each are the errors that one joins.
func each(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	return []error{err}
}
