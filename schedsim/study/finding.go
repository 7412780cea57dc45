package study

import (
	"fmt"
	"slices"
	"strings"
)

// Finding is what is known of why cells do not come out as published: what the model
// lacks, what the post does not say, or what was tried. It is printed beside the
// verdicts that it is about only, so that a cell which comes out otherwise loses it.
type Finding struct {
	// Cells are tables with all of their rows, or rows as of Study.RowName.
	Cells []string `yaml:"cells"`
	// Verdicts are those that it explains: without, every one that was run and does
	// not agree.
	Verdicts []Verdict `yaml:"verdicts"`
	// Reason is what is missing or not known, in a few words.
	Reason string `yaml:"reason"`
	// Evidence is what it is known from: an ablation, a measurement, a source.
	Evidence string `yaml:"evidence"`
}

// explicable are the verdicts that a finding can be about.
var explicable = []Verdict{Direction, Missed, Phantom, Contradicted, Undecided, Unidentified, Unfalsifiable}

// findingsOf are those about a cell that has come to a verdict.
func (s *Study) findingsOf(table, row string, v Verdict) []Finding {
	var out []Finding
	for _, f := range s.Findings {
		verdicts := f.Verdicts
		if len(verdicts) == 0 {
			verdicts = explicable
		}
		if slices.Contains(verdicts, v) && (slices.Contains(f.Cells, table) || slices.Contains(f.Cells, s.RowName(table, row))) {
			out = append(out, f)
		}
	}
	return out
}

// Unexplained reports whether the cell is beyond its noise, was run, does not agree, and
// nothing is known of the reason. Unfalsifiable is its own reason.
func (c *Cell) Unexplained() bool {
	return c.BeyondNoise() && slices.Contains(explicable, c.Verdict) && c.Verdict != Unfalsifiable && len(c.Findings) == 0
}

func validateFindings(s *Study, doc *document) []error {
	var errs []error
	for i, f := range s.Findings {
		at := fmt.Sprintf("$.findings[%d]", i)
		if strings.TrimSpace(f.Reason) == "" || strings.TrimSpace(f.Evidence) == "" || len(f.Cells) == 0 {
			errs = append(errs, doc.errorf(at, "a finding needs cells, a reason and evidence; complete it"))
		}
		for j, name := range f.Cells {
			if !s.hasCells(name) {
				errs = append(errs, doc.errorf(fmt.Sprintf("%s.cells[%d]", at, j), "finding is about %q, which is no table and no row of the study; correct it", name))
			}
		}
		for j, v := range f.Verdicts {
			if !slices.Contains(explicable, v) {
				errs = append(errs, doc.errorf(fmt.Sprintf("%s.verdicts[%d]", at, j), "no finding explains %q; use one of %s", v, joined(explicable)))
			}
		}
	}
	return errs
}

// hasCells reports whether name is a table or a row.
func (s *Study) hasCells(name string) bool {
	for i := range s.Tables {
		t := &s.Tables[i]
		if t.ID == name || slices.ContainsFunc(t.Rows, func(r Row) bool { return s.RowName(t.ID, r.Key) == name }) {
			return true
		}
	}
	return false
}

func joined(verdicts []Verdict) string {
	parts := make([]string, len(verdicts))
	for i, v := range verdicts {
		parts[i] = string(v)
	}
	return strings.Join(parts, ", ")
}
