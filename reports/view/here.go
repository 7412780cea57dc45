package view

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/schedlab/schedlab/reports/overlay"
	"github.com/schedlab/schedlab/schedsim/study"
)

// Here is what was measured on a machine of the reader's, beside what was published
// and simulated.
type Here struct {
	// Files and Sentence say what it is of; Table has a line a row that was measured.
	Files    string
	Sentence string
	Table    Table
	// Brief is Table with the columns that a mail has room for.
	Brief Table
	// Unmatched are figures of the files that are of no row, with the reason.
	Unmatched []Fact
}

// newHere is nil without an overlay.
func newHere(o *study.Outcome, rows []row, v *overlay.Overlay) *Here {
	if v == nil {
		return nil
	}
	several := len(o.Study.Tables) > 1
	var files []string // their directories are the reader's own business
	for _, f := range v.Files {
		files = append(files, filepath.Base(f))
	}
	h := &Here{Files: list(files), Table: Table{Cols: []Col{
		text(rowNameIn(o.Study)), num("measured here\nbase"), num("measured here\npatched"),
		num("measured\nhere %"), num("95 %\ninterval"), num("published\n%"), num("simulated\n%"), text("measured and\nsimulated"),
	}}}
	h.Brief.Cols = []Col{h.Table.Cols[0], h.Table.Cols[1], h.Table.Cols[2], h.Table.Cols[3], num("simulated\n[*] %"), h.Table.Cols[7]}
	h.Table.name("measured", "Measured here, beside the published and the simulated effect")
	measured, agree := 0, 0
	for _, r := range rows {
		m := v.Row(r.cell.Table, r.cell.Row)
		if m == nil {
			continue
		}
		key := r.key
		if several {
			key = r.name
		}
		against := m.Against(r.cell.Simulated)
		if m.Pct.Measured() {
			measured++
		}
		if strings.HasPrefix(against, "agree") {
			agree++
		}
		h.Table.Rows = append(h.Table.Rows, []string{
			key, sample(m.Base, r.decimals()), sample(m.Patched, r.decimals()), Signed(m.Pct, 2), Range(m.CILow, m.CIHigh, 2),
			starred(r), Signed(r.cell.Simulated.Pct, 2), against,
		})
	}
	for _, r := range h.Table.Rows {
		h.Brief.Rows = append(h.Brief.Rows, []string{r[0], r[1], r[2], r[3], r[6], r[7]})
	}
	h.Sentence = fmt.Sprintf("Of %[2]d rows %[1]d %[3]s measured here, as %[4]s %[5]s. Measured and simulated effect agree in %[6]d of %[7]s in which both columns were measured. "+
		"Verdicts stay those against the published figures: this need not be the machine of the post.",
		len(h.Table.Rows), len(rows), was(len(h.Table.Rows)), h.Files, tell(len(v.Files)), agree, counted(measured, "row"))
	h.Unmatched = unmatched(v)
	return h
}

// unmatched names every figure that is of no row, those with one reason together.
func unmatched(v *overlay.Overlay) []Fact {
	var out []Fact
	for _, u := range v.Unmatched {
		name := u.Title + " (" + filepath.Base(u.Where) + ")"
		i := slices.IndexFunc(out, func(f Fact) bool { return f.Label == upper(u.Reason) })
		if i < 0 {
			out = append(out, Fact{upper(u.Reason), name})
			continue
		}
		out[i].Text += ", " + name
	}
	return out
}

func tell(n int) string {
	if n == 1 {
		return "tells"
	}
	return "tell"
}

func rowNameIn(s *study.Study) string {
	if len(s.Tables) == 1 {
		return rowName(&s.Tables[0])
	}
	return "row"
}

// sample is a measured figure with its standard deviation and number of runs, each
// of which may not be known.
func sample(s overlay.Sample, dec int) string {
	if !s.Measured() {
		return Missing
	}
	out := Fixed(study.Number(s.Mean), dec)
	if !math.IsNaN(s.Stddev) {
		out += " ±" + Fixed(study.Number(s.Stddev), dec)
	}
	if s.N > 0 {
		out += fmt.Sprintf(" (%d)", s.N)
	}
	return out
}

// withHere adds the columns of what was measured here to a comparison, if anything
// of the table was.
func withHere(t Table, s *study.Table, rows []row, v *overlay.Overlay) Table {
	some := false
	for _, r := range rows {
		some = some || v.Row(s.ID, r.cell.Row) != nil
	}
	if !some {
		return t
	}
	at := 0
	for i, c := range t.Cols {
		if c.Head == intervalHead {
			at = i + 1
		}
	}
	t.Cols = append(append(append([]Col{}, t.Cols[:at]...), num("measured here %")), t.Cols[at:]...)
	t.Cols = append(t.Cols, num("measured here base"), num("measured here patched"))
	for i, r := range rows {
		pct, base, patched := Missing, Missing, Missing
		if m := v.Row(s.ID, r.cell.Row); m != nil {
			pct, base, patched = Signed(m.Pct, 2), sample(m.Base, r.decimals()), sample(m.Patched, r.decimals())
		}
		line := append(append(append([]string{}, t.Rows[i][:at]...), pct), t.Rows[i][at:]...)
		t.Rows[i] = append(line, base, patched)
	}
	return t
}
