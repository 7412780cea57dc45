package dialect

import (
	"fmt"
	"strings"
)

// A word is a run of non-blank bytes and the columns that it spans.
type word struct {
	text       string
	start, end int
}

// words cuts a line at its blanks.
func words(s string) []word {
	var w []word
	start := -1
	for i := 0; i <= len(s); i++ {
		blank := i == len(s) || s[i] == ' ' || s[i] == '\t'
		switch {
		case !blank && start < 0:
			start = i
		case blank && start >= 0:
			w = append(w, word{text: s[start:i], start: start, end: i})
			start = -1
		}
	}
	return w
}

// splitHeader takes up to two header lines off the end of lines, and the
// caption above them.
func splitHeader(lines []line) (header []line, caption string) {
	rest := len(lines)
	for rest > 0 && len(lines)-rest < 2 && looksLikeHeader(lines[rest-1].text) {
		rest--
	}
	header = lines[rest:]
	if rest > 0 && !isBlank(lines[rest-1].text) {
		caption = lines[rest-1].text
	}
	return header, caption
}

// looksLikeHeader reports whether a line could head columns: it starts far to
// the right, or has wide gaps between all its words.
func looksLikeHeader(s string) bool {
	w := words(s)
	if len(w) == 0 {
		return false
	}
	if w[0].start >= defaultFieldWidth {
		return true
	}
	for i := 1; i < len(w); i++ {
		if w[i].start-w[i-1].end < 2 && s[w[i].start-1] != '\t' {
			return false
		}
	}
	return len(w) > 2
}

// scanHeader returns the names in one header line, one a kernel. Names end
// where their column ends; where somebody moved them, their order counts.
func scanHeader(text string, l Layout, kernels int) ([]string, error) {
	names := make([]string, kernels)
	w := words(text)
	left, width := l.labelWidth(), l.columnWidth()
	if aligned(w, left, width, kernels) {
		for _, x := range w {
			// A name as wide as its column touches the one before.
			for x.start < x.end {
				column := (x.end-1-left)/width + 1
				from := max(x.start, left+(column-1)*width)
				if column == 1 {
					from = x.start
				}
				names[column-1] = text[from:x.end]
				x.end = from
			}
		}
		return names, nil
	}
	if len(w) == kernels+1 && w[0].start < left && w[0].end <= left {
		w = w[1:] // a hand-made header names the first column, too
	}
	if len(w) != kernels {
		return nil, fmt.Errorf("header has %d names over %d columns, put one name over each", len(w), kernels)
	}
	for i, x := range w {
		names[i] = x.text
	}
	return names, nil
}

// aligned reports whether each word ends at the right edge of a column.
func aligned(w []word, left, width, kernels int) bool {
	for _, x := range w {
		past := x.end - left
		if past <= 0 || past%width != 0 || past/width > kernels {
			return false
		}
		if x.start < 0 || strings.ContainsAny(x.text, " \t") {
			return false
		}
	}
	return true
}
