package reports

import (
	"strings"

	"github.com/schedlab/schedlab/reports/html"
	"github.com/schedlab/schedlab/reports/post"
	"github.com/schedlab/schedlab/reports/view"
	"github.com/schedlab/schedlab/schedsim/study"
)

// WriteUp is the report of one study as a notebook cell shows it: the page, or
// the post where only text can be shown.
//
//	report, err := reports.NewWriteUp(outcome, reports.Parts{})
//	nb.Show(report)
type WriteUp struct{ text, page string }

// NewWriteUp writes o up.
func NewWriteUp(o *study.Outcome, p Parts) (*WriteUp, error) {
	r, err := view.New(o, p)
	if err != nil {
		return nil, err
	}
	text, err := post.Render(r)
	if err != nil {
		return nil, err
	}
	page, err := html.Fragment(r)
	if err != nil {
		return nil, err
	}
	return &WriteUp{strings.TrimSpace(string(text)), string(page)}, nil
}

// String is the post.
func (w *WriteUp) String() string { return w.text }

// HTML is the body of the page, its drawings in it.
func (w *WriteUp) HTML() string { return w.page }
