package post

import "strings"

// Wrap folds s into ASCII and breaks it at blanks into lines of at most Width
// columns, the first behind the prefix first and the others behind rest. A word
// that is longer than a line, such as a link, stands on a line of its own.
func Wrap(s, first, rest string) string {
	var lines []string
	line, words := first, 0
	for _, w := range strings.Fields(ASCII(s)) {
		switch {
		case words == 0:
			line += w
		case len(line)+1+len(w) <= Width:
			line += " " + w
		default:
			lines = append(lines, strings.TrimRight(line, " "))
			line, words = rest+w, 0
		}
		words++
	}
	if words == 0 {
		return ""
	}
	return strings.Join(append(lines, line), "\n")
}

// Paragraph is s wrapped and indented by nothing.
func Paragraph(s string) string { return Wrap(s, "", "") }

// Quote is s as mail quotes it.
func Quote(s string) string { return Wrap(s, "> ", "> ") }
