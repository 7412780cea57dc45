package post

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A Problem is one place where a text is not fit for a kernel mailing list.
type Problem struct {
	Line int // from 1
	Rule string
	Text string // what is wrong, what to do
}

// String is "line: rule: text".
func (p Problem) String() string { return fmt.Sprintf("%d: %s: %s", p.Line, p.Rule, p.Text) }

// The rules of Lint.
const (
	RuleASCII    = "ascii"    // a character outside printable ASCII
	RuleWidth    = "width"    // prose wider than Width
	RuleTrailing = "trailing" // white space at a line's end
	RuleTab      = "tab"      // a tab in prose, whose width is the reader's choice
	RulePatch    = "patch"    // a line that git would take for part of a patch
	RuleEnd      = "end"      // no newline, or empty lines, at the end
)

// Lint finds what is wrong with text. Tables and code may be as wide as TableWidth:
// lines that begin with a blank, tab or bar, or have two blanks in a row inside. Quoted
// lines, tags such as "Link:", and lines of a single word may have any width, since
// they cannot be broken.
func Lint(text string) []Problem {
	var ps []Problem
	if text == "" {
		return []Problem{{1, RuleEnd, "the text is empty"}}
	}
	body, ended := strings.CutSuffix(text, "\n")
	lines := strings.Split(body, "\n")
	for i, l := range lines {
		ps = append(ps, lintLine(i+1, l)...)
	}
	last := len(lines)
	switch {
	case !ended:
		ps = append(ps, Problem{last, RuleEnd, "no newline at the end; add one"})
	case strings.TrimSpace(lines[last-1]) == "":
		ps = append(ps, Problem{last, RuleEnd, "an empty line at the end; remove it"})
	}
	return ps
}

func lintLine(n int, l string) []Problem {
	var ps []Problem
	if col := badByte(l); col >= 0 {
		r, _ := utf8.DecodeRuneInString(l[col:])
		ps = append(ps, Problem{n, RuleASCII, fmt.Sprintf("%q in column %d; spell it in ASCII", r, utf8.RuneCountInString(l[:col])+1)})
	}
	body := strings.TrimRight(l, " \t\r")
	if body != l {
		ps = append(ps, Problem{n, RuleTrailing, "white space at the end; remove it"})
	}
	if mark := patchMark(l); mark != "" {
		ps = append(ps, Problem{n, RulePatch, fmt.Sprintf("begins with %q, which git takes for part of a patch; indent it", mark)})
	}
	if exempt(body) {
		if w := utf8.RuneCountInString(body); w > TableWidth && !unbreakable(body) {
			ps = append(ps, Problem{n, RuleWidth, fmt.Sprintf("a table of %d columns; leave columns out, or divide it at %d", w, TableWidth)})
		}
		return ps
	}
	if strings.Contains(body, "\t") {
		ps = append(ps, Problem{n, RuleTab, "a tab in prose; use blanks"})
	}
	if w := utf8.RuneCountInString(body); w > Width {
		ps = append(ps, Problem{n, RuleWidth, fmt.Sprintf("%d columns; wrap at %d", w, Width)})
	}
	return ps
}

// badByte is the index of the first byte outside printable ASCII and tab, or
// -1.
func badByte(l string) int {
	l = strings.TrimRight(l, "\r")
	for i := range len(l) {
		if l[i] != '\t' && (l[i] < ' ' || l[i] > '~') {
			return i
		}
	}
	return -1
}

// patchMark is what makes a line the start of a patch, a hunk or a message to
// git am, or the signature of a mail.
func patchMark(l string) string {
	for _, m := range []string{"diff -", "Index: ", "--- ", "+++ ", "@@ -", "-- ", ">From ", "From "} {
		if strings.HasPrefix(l, m) && (m != "From " || looksLikeFromLine(l)) {
			return m
		}
	}
	if l == "---" || l == "--" {
		return l
	}
	return ""
}

// looksLikeFromLine reports whether an mbox reader would split there: "From "
// with a time of day later in the line. Prose may well begin with "From".
func looksLikeFromLine(l string) bool {
	i := strings.LastIndexByte(l, ':')
	return i > 0 && i+2 < len(l) && digit(l[i-1]) && digit(l[i+1]) && digit(l[i+2])
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// exempt reports whether a line is a table, code, a quotation, a tag or a
// single word.
func exempt(l string) bool {
	if l == "" || l[0] == ' ' || l[0] == '\t' || l[0] == '>' || l[0] == '|' {
		return true
	}
	words := strings.Fields(l)
	return len(words) < 2 || strings.Contains(l, "  ") || tag(words[0])
}

// unbreakable reports whether a line is a quotation, a tag or a single word.
func unbreakable(l string) bool {
	words := strings.Fields(l)
	return len(words) < 2 || l[0] == '>' || tag(words[0])
}

// tag reports whether w begins a trailer: "Link:", "Reported-by:".
func tag(w string) bool {
	switch w {
	case "Link:", "Closes:", "Fixes:", "Message-ID:":
		return true
	}
	return strings.HasSuffix(w, "-by:")
}
