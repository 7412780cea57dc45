package html

import (
	"github.com/schedlab/schedlab/reports/markdown"
	"github.com/schedlab/schedlab/reports/view"
)

// Fragment writes r as a part of another page, such as a notebook: the body of
// [Render] without its frame and style. Drawings are in it.
func Fragment(r *view.Report) ([]byte, error) {
	md, err := markdown.Render(r)
	if err != nil {
		return nil, err
	}
	body, _, err := convert(r, md)
	return body, err
}
