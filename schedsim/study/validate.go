package study

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
)

var idPattern = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// kinds are the grades of evidence that a constant can have.
var kinds = []string{"measured", "vendor", "derived", "assumed"}

// validate returns everything that is wrong with a decoded study.
func validate(s *Study, doc *document) []error {
	var errs []error
	required := []struct{ path, value string }{
		{"$.id", s.ID}, {"$.title", s.Title},
		{"$.post.author", s.Post.Author}, {"$.post.date", s.Post.Date},
		{"$.post.message_id", s.Post.MessageID},
		{"$.machine", s.Machine}, {"$.kernel", s.Kernel},
		{"$.patch", s.Patch}, {"$.workload", s.Workload},
		{"$.table.id", s.Table.ID}, {"$.table.unit", s.Table.Unit},
		{"$.table.row_name", s.Table.RowName},
	}
	for _, r := range required {
		if strings.TrimSpace(r.value) == "" {
			errs = append(errs, doc.errorf(r.path, "%s is missing; add it", r.path[2:]))
		}
	}
	if s.ID != "" && !idPattern.MatchString(s.ID) {
		errs = append(errs, doc.errorf("$.id", "id %q is not lower-case words with hyphens; rename it", s.ID))
	}
	errs = append(errs, oneOf(doc, "$.table.better", s.Table.Better, "higher", "lower")...)
	errs = append(errs, oneOf(doc, "$.table.statistic", s.Table.Statistic, "Hmean", "Amean")...)
	errs = append(errs, validateRows(s, doc)...)
	errs = append(errs, validateClaims(s, doc)...)
	errs = append(errs, validateConstants(s, doc)...)
	errs = append(errs, validatePlans(s, doc)...)
	errs = append(errs, validateEvidence(s, doc)...)
	for i, key := range s.FitRows {
		if s.Row(key) == nil {
			errs = append(errs, doc.errorf(fmt.Sprintf("$.fit_rows[%d]", i), "row %q to fit is not in the table; correct it", key))
		}
	}
	return errs
}

// oneOf returns an error unless value is one of the allowed.
func oneOf(doc *document, path, value string, allowed ...string) []error {
	if slices.Contains(allowed, value) {
		return nil
	}
	return []error{doc.errorf(path, "%s is %q; use one of %s", path[2:], value, strings.Join(allowed, ", "))}
}

func validateRows(s *Study, doc *document) []error {
	var errs []error
	if len(s.Table.Rows) == 0 {
		errs = append(errs, doc.errorf("$.table.rows", "table has no rows; add the published ones"))
	}
	seen := make(map[string]bool)
	for i, r := range s.Table.Rows {
		at := fmt.Sprintf("$.table.rows[%d]", i)
		if r.Key == "" {
			errs = append(errs, doc.errorf(at, "row has no key; add it"))
		}
		if seen[r.Key] {
			errs = append(errs, doc.errorf(at+".key", "row %q is there twice; remove one", r.Key))
		}
		seen[r.Key] = true
		if !positive(r.Base) || !positive(r.Patched) {
			errs = append(errs, doc.errorf(at, "row %q needs positive figures for base and patched; correct them", r.Key))
			continue
		}
		if err := checkPct(r, at, doc); err != nil {
			errs = append(errs, err)
		}
		if doc.node(at+".again") != nil && !positive(float64(r.Again)) {
			errs = append(errs, doc.errorf(at+".again", "row %q has no positive figure for again; correct or remove it", r.Key))
		}
		if r.Again.Measured() && s.Table.Again.MessageID == "" {
			errs = append(errs, doc.errorf(at+".again", "row %q was measured again but table.again names no message_id; say where", r.Key))
		}
		if doc.node(at+".noise") != nil {
			if r.Noise.Pct < 0 || !finite(r.Noise.Pct) || r.Noise.Source == "" {
				errs = append(errs, doc.errorf(at+".noise", "noise of row %q needs a pct of at least 0 and a source; complete it", r.Key))
			}
		}
	}
	return errs
}

// checkPct recomputes a printed percentage. The two figures and the percentage
// are all rounded to their last printed digit, so the true percentage lies
// within half a unit of each.
func checkPct(r Row, at string, doc *document) error {
	got := 100 * (r.Patched - r.Base) / r.Base
	half := func(field string) float64 { return halfUnit(doc.literal(at + field)) }
	allowed := half(".pct") +
		100*half(".patched")/r.Base +
		100*half(".base")*r.Patched/(r.Base*r.Base)
	if !(math.Abs(got-r.Pct) <= allowed+1e-9) {
		return doc.errorf(at+".pct", "row %q prints %+.2f %% but its columns give %+.4f %%; compare all three with the post", r.Key, r.Pct, got)
	}
	return nil
}

// halfUnit is half a unit of the last decimal of a number as written.
func halfUnit(literal string) float64 {
	_, decimals, _ := strings.Cut(literal, ".")
	return 0.5 * math.Pow10(-len(decimals))
}

func validateClaims(s *Study, doc *document) []error {
	var errs []error
	for i, c := range s.Claims {
		at := fmt.Sprintf("$.claims[%d]", i)
		if c.Text == "" {
			errs = append(errs, doc.errorf(at, "claim has no text; quote the post"))
		}
		errs = append(errs, oneOf(doc, at+".expect", c.Expect, expectUp, expectNoneOrDown)...)
		if len(c.Rows) == 0 {
			errs = append(errs, doc.errorf(at, "claim names no rows; list those it speaks of"))
		}
		for j, key := range c.Rows {
			if s.Row(key) == nil {
				errs = append(errs, doc.errorf(fmt.Sprintf("%s.rows[%d]", at, j), "claim refers to row %q which the table does not have; correct it", key))
			}
		}
	}
	return errs
}

func validateConstants(s *Study, doc *document) []error {
	var errs []error
	seen := make(map[string]bool)
	fitted := 0
	for i, c := range s.Constants {
		at := fmt.Sprintf("$.constants[%d]", i)
		if c.Name == "" || c.Unit == "" || c.Source == "" {
			errs = append(errs, doc.errorf(at, "constant %q needs name, unit and source; complete it", c.Name))
		}
		if seen[c.Name] {
			errs = append(errs, doc.errorf(at+".name", "constant %q is there twice; remove one", c.Name))
		}
		seen[c.Name] = true
		errs = append(errs, oneOf(doc, at+".kind", c.Kind, kinds...)...)
		if !c.within(c.Value) || !finite(c.Low) || !finite(c.High) {
			errs = append(errs, doc.errorf(at, "constant %q needs low <= value <= high, has %g, %g, %g; correct them", c.Name, c.Low, c.Value, c.High))
		}
		if c.Fitted {
			fitted++
		}
	}
	// As many constants as rows would fit any base column.
	if fitted > 0 && 2*fitted >= len(s.Table.Rows) {
		errs = append(errs, doc.errorf("$.constants", "%d fitted constants for %d rows; fit fewer than half as many as there are rows", fitted, len(s.Table.Rows)))
	}
	return errs
}

// within reports whether v lies in the constant's bounds.
func (c Constant) within(v float64) bool { return c.Low <= v && v <= c.High }

// Row returns the row with that key, or nil.
func (s *Study) Row(key string) *Row {
	for i := range s.Table.Rows {
		if s.Table.Rows[i].Key == key {
			return &s.Table.Rows[i]
		}
	}
	return nil
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

func positive(v float64) bool { return finite(v) && v > 0 }
