package html

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/schedlab/schedlab/reports/view"
)

// origins unfolds how the figures of each row came about. A link to a row's opens
// what it is folded into.
func (b *body) origins(s *view.Section) (template.HTML, error) {
	all, err := s.Origins()
	if err != nil || len(all) == 0 {
		return "", err
	}
	var w strings.Builder
	noun := "rows"
	if len(all) == 1 {
		noun = "row"
	}
	fmt.Fprintf(&w, "<details class=\"origins\">\n<summary>How these figures came about: %d %s of %s</summary>\n", len(all), noun, template.HTMLEscapeString(s.Table.ID))
	for _, o := range all {
		// The address is of what is inside, so that a link opens it.
		id := b.id("how", s.Table.ID, o.Key)
		fmt.Fprintf(&w, "<details>\n<summary><strong>%s</strong>: %s; %s</summary>\n<div class=\"origin\" id=\"%s\">\n",
			template.HTMLEscapeString(o.Key), template.HTMLEscapeString(o.Summary), chip(string(o.Verdict), ""), id)
		w.WriteString(string(facts(o.Facts)))
		w.WriteByte('\n')
		runs, err := b.table(o.Runs)
		if err != nil {
			return "", err
		}
		w.WriteString(string(runs))
		if o.Rerun != "" {
			w.WriteString("\n<p>A record is a file of the store, DIR/ab/abcdef….json. The same runs again; and the decisions of one, under the seed of the first and with the study's own constants:</p>\n")
			w.WriteString(string(pre(o.Rerun + "\n" + o.Trace)))
		}
		w.WriteString("\n</div>\n</details>\n")
	}
	w.WriteString("</details>")
	return template.HTML(w.String()), nil
}
