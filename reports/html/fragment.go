package html

import "github.com/schedlab/schedlab/reports/view"

// Fragment writes r as a part of another page, such as a notebook: the body of
// [Render] without its frame and style. Drawings are in it.
func Fragment(r *view.Report) ([]byte, error) {
	content, err := newBody(r).render()
	return []byte(content), err
}
