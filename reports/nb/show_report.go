package nb

import (
	"strings"

	"github.com/schedlab/schedlab/reports/html"
	"github.com/schedlab/schedlab/reports/post"
	"github.com/schedlab/schedlab/reports/view"
)

// report is the write-up of a study: a part of a page, and a post.
type report struct{ text, page string }

func newReport(r *view.Report) (any, error) {
	text, err := post.Render(r)
	if err != nil {
		return nil, err
	}
	page, err := html.Fragment(r)
	if err != nil {
		return nil, err
	}
	return report{strings.TrimSpace(string(text)), string(page)}, nil
}

func (r report) String() string { return r.text }

// HTML is the body of the report's page, its drawings in it.
func (r report) HTML() string { return r.page }
