package dialect

import (
	"io"
	"strings"
)

// A Form is a style of table other than mmtests'.
type Form interface {
	// Style names the style in messages: "0-day".
	Style() string
	// lines are the table's lines in UTF-8, without line ends.
	lines(t *Table) ([]string, error)
}

// An encoder is a Form that is not always UTF-8.
type encoder interface{ encode(text string) string }

// Style names the style of the table.
func (t *Table) Style() string {
	if t.Form == nil {
		return "mmtests"
	}
	return t.Form.Style()
}

// Write writes the table in its style, as the program or the author that the
// style is of does. Nothing is written when the table cannot be.
func (t *Table) Write(w io.Writer) error {
	if t.Form == nil {
		return t.WriteMMTests(w)
	}
	lines, err := t.Form.lines(t)
	if err != nil {
		return err
	}
	text := strings.Join(lines, "\n") + "\n"
	if e, ok := t.Form.(encoder); ok {
		text = e.encode(text)
	}
	_, err = io.WriteString(w, text)
	return err
}

// compare notes which of the lines that the table was read from would be
// written in another way.
func (t *Table) compare(got []line) error {
	want, err := t.Form.lines(t)
	if err != nil {
		return err
	}
	for i, ln := range got {
		w := ""
		if i < len(want) {
			w = want[i]
		}
		if ln.text != w {
			t.Deviations = append(t.Deviations, Deviation{Line: ln.n, Got: ln.text, Want: w})
		}
	}
	return nil
}
