package html_test

import (
	"strings"
	"testing"

	"github.com/schedlab/schedlab/internal/hostile"
	"github.com/schedlab/schedlab/reports/html"
	"github.com/schedlab/schedlab/reports/internal/sample"
	"github.com/schedlab/schedlab/reports/view"
)

// FuzzPage: a study with any text in its fields makes a page that runs and loads
// nothing.
func FuzzPage(f *testing.F) {
	for _, v := range hostile.Vectors {
		f.Add(v.Text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		o := hostileOutcome(sample.Quick(), text)
		machines := map[string]string{o.Study.Tables[0].Machine: text}
		for id := range o.Machines {
			machines[id] = text
		}
		r, err := view.New(o, view.Parts{Machines: machines, Command: text})
		if err != nil {
			return
		}
		page, err := html.Render(r)
		if err != nil {
			return
		}
		if found := hostile.Page(page); len(found) > 0 {
			t.Errorf("%q: the page has %s", text, strings.Join(found, "\n"))
		}
	})
}
