package html

import (
	"errors"
	"html/template"

	"github.com/schedlab/schedlab/reports/view"
	"github.com/schedlab/schedlab/schedsim/study"
)

// index is what the list of studies sees.
type index struct {
	Style   template.CSS
	Entries []entry
	Total   []view.Count
	Cells   int
	// Reproduced of the Beyond cells beyond noise are, over all studies.
	Reproduced, Beyond int
}

// entry is one study of the list.
type entry struct {
	Study  *study.Study
	Mode   string
	Model  string
	Counts []view.Count
	Cells  int
	// Reproduced of the Beyond cells beyond noise are.
	Reproduced, Beyond int
}

// Index writes the page that lists the studies with their verdicts. The pages
// of the studies are expected beside it, named by the study's id.
func Index(outcomes []*study.Outcome) ([]byte, error) {
	var ix index
	var err error
	if ix.Style, err = style(); err != nil {
		return nil, err
	}
	for _, o := range outcomes {
		if o == nil || o.Study == nil {
			return nil, errors.New("html: index: an outcome names no study; fill Outcome.Study")
		}
		e := entry{Study: o.Study, Mode: o.Plan.Mode, Model: o.ModelVersion, Counts: view.Tally(o)}
		for _, c := range e.Counts {
			e.Cells += c.N
		}
		for i := range o.Cells {
			if c := &o.Cells[i]; c.BeyondNoise() {
				e.Beyond++
				if c.Verdict == study.Reproduced {
					e.Reproduced++
				}
			}
		}
		ix.Reproduced, ix.Beyond = ix.Reproduced+e.Reproduced, ix.Beyond+e.Beyond
		ix.Cells += e.Cells
		ix.Entries = append(ix.Entries, e)
	}
	ix.Total = view.Tally(outcomes...)
	return execute("index.html.tmpl", ix)
}
