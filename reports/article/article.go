package article

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/schedlab/schedlab/reports/nb"
)

// Code says what becomes of the source of code cells.
type Code string

// What may become of it.
const (
	Show Code = "show" // in full
	Fold Code = "fold" // behind its first line; a post has the first line only
	Hide Code = "hide" // nowhere
)

// Codes are the names of all, for a command line.
func Codes() []string { return []string{string(Show), string(Fold), string(Hide)} }

// hidden are the tags of cells whose source is not for readers, as Jupyter Book
// and nbconvert know them.
var hidden = []string{"hide-input", "remove-input", "hide_input"}

// An Article is a notebook to be written up.
type Article struct {
	notebook *nb.Notebook
	name     string // of its files
	code     Code
	title    string
}

// New makes an article of a notebook. The name is that of its files without an
// extension; files of pictures begin with it.
func New(n *nb.Notebook, name string, code Code) (*Article, error) {
	if name == "" || strings.ContainsAny(name, `/\`) || strings.HasPrefix(name, ".") {
		return nil, fmt.Errorf("article: %q does not make a file name; rename the notebook", name)
	}
	switch code {
	case Show, Fold, Hide:
	default:
		return nil, fmt.Errorf("article: no way %q to write code; use one of %s", code, strings.Join(Codes(), ", "))
	}
	return &Article{notebook: n, name: name, code: code, title: titleOf(n, name)}, nil
}

// Title is the notebook's first heading, or its name.
func (a *Article) Title() string { return a.title }

// codeOf is what becomes of the source of a cell.
func (a *Article) codeOf(c *nb.Cell) Code {
	if a.code == Hide || strings.TrimSpace(c.Source) == "" {
		return Hide
	}
	for _, tag := range hidden {
		if c.HasTag(tag) {
			return Hide
		}
	}
	return a.code
}

// label names a code cell: its number in the execution, as errors name it, or
// nothing for one that was not executed.
func label(c *nb.Cell) string {
	if c.ExecutionCount == 0 {
		return "code"
	}
	return fmt.Sprintf("code [%d]", c.ExecutionCount)
}

// summary stands for folded code: how long it is, and the first line that says
// something.
func summary(c *nb.Cell) string {
	lines := strings.Count(strings.TrimSpace(c.Source), "\n") + 1
	if lines == 1 {
		return label(c) + ": " + c.FirstLine()
	}
	return fmt.Sprintf("%s, %d lines: %s", label(c), lines, telling(c).FirstLine())
}

// imports are import declarations at the begin of a source, and lines for the
// kernel; what a cell does begins after them.
var imports = regexp.MustCompile(`^(?:\s*(?:import \((?:[^()]|\n)*\)|import [^\n(]+|%[^\n]*)\n)+`)

// telling is the part of a cell that tells what it does.
func telling(c *nb.Cell) *nb.Cell {
	if rest := imports.ReplaceAllString(c.Source, ""); strings.TrimSpace(rest) != "" {
		return &nb.Cell{Source: rest}
	}
	return c
}

// titleOf is the first heading of level 1 of a notebook's text.
func titleOf(n *nb.Notebook, otherwise string) string {
	for _, c := range n.Cells {
		if c.Type != nb.Markdown {
			continue
		}
		doc, source := parse(c.Source)
		if t := firstHeading(doc, source); t != "" {
			return t
		}
	}
	return otherwise
}

// escapes are the sequences of a terminal that set colours and move the cursor.
var escapes = regexp.MustCompile("\x1b(?:\\[[0-9;?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\))")

// plain is printed text as it looks when all is printed: without colours, and of a
// line that was written over only what was written last.
func plain(s string) string {
	s = escapes.ReplaceAllString(s, "")
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if !strings.ContainsAny(s, "\r\b") {
		return s
	}
	var b strings.Builder
	for line := range strings.Lines(s) {
		body, end := strings.TrimSuffix(line, "\n"), ""
		if len(body) < len(line) {
			end = "\n"
		}
		body = strings.TrimRight(body, "\r")
		b.WriteString(body[strings.LastIndexByte(body, '\r')+1:] + end)
	}
	return b.String()
}

// errorText is what a failed cell's error says.
func errorText(o *nb.Output) string {
	head := strings.TrimSpace(o.ErrName + ": " + o.ErrValue)
	if len(o.Traceback) == 0 {
		return plain(head)
	}
	text := plain(strings.Join(o.Traceback, "\n"))
	if strings.Contains(text, plain(o.ErrValue)) || o.ErrValue == "" {
		return text
	}
	return plain(head) + "\n" + text
}
