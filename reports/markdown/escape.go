package markdown

import (
	"strings"
	"unicode"
)

// Escape makes s plain text in Markdown, wherever it stands in a line. White
// space, newlines included, becomes single blanks. It escapes no more than
// needed, so that the source stays readable.
func Escape(s string) string {
	rs := []rune(strings.Join(strings.Fields(s), " "))
	var b strings.Builder
	for i, r := range rs {
		if r == '&' {
			b.WriteString("&amp;")
			continue
		}
		if special(rs, i) || opensBlock(rs, i) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// special reports whether the rune at i means something inside a line.
func special(rs []rune, i int) bool {
	switch rs[i] {
	case '\\', '*', '`', '<', '|', '~':
		return true
	case ']':
		// Only before "(" does it end the text of a link; there are no
		// link definitions in a report.
		return next(rs, i) == '('
	case '_':
		// Inside a word, as in select_idle_core, it means nothing.
		return !wordAt(rs, i-1) || !wordAt(rs, i+1)
	}
	return false
}

// opensBlock reports whether the rune at i would make a line that begins with
// rs a heading, quotation, rule or list item.
func opensBlock(rs []rune, i int) bool {
	blank := next(rs, i) == ' ' || i+1 == len(rs)
	switch rs[i] {
	case '#', '>', '=':
		return i == 0
	case '+', '-':
		return i == 0 && (blank || next(rs, i) == rs[i])
	case '.', ')':
		return blank && i > 0 && i < 10 && allDigits(rs[:i])
	case '[':
		// The box of a task list.
		return i == 0 && len(rs) > 2 && strings.ContainsRune(" xX", rs[1]) && rs[2] == ']'
	}
	return false
}

// next is the rune after i, or 0 at the end.
func next(rs []rune, i int) rune {
	if i+1 < len(rs) {
		return rs[i+1]
	}
	return 0
}

func wordAt(rs []rune, i int) bool {
	return i >= 0 && i < len(rs) && (unicode.IsLetter(rs[i]) || unicode.IsDigit(rs[i]))
}

func allDigits(rs []rune) bool {
	for _, r := range rs {
		if r < '0' || r > '9' {
			return false
		}
	}
	return true
}

// Fence is s as a code block, behind a fence longer than any inside.
func Fence(s string) string {
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence + "\n" + strings.Trim(s, "\n") + "\n" + fence
}

// Quote is s as a block quotation.
func Quote(s string) string {
	if s == "" {
		return ""
	}
	return "> " + Escape(s)
}
