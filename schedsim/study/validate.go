package study

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/topology"
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
	}
	for _, r := range required {
		if strings.TrimSpace(r.value) == "" {
			errs = append(errs, doc.errorf(r.path, "%s is missing; add it", r.path[2:]))
		}
	}
	if s.ID != "" && !idPattern.MatchString(s.ID) {
		errs = append(errs, doc.errorf("$.id", "id %q is not lower-case words with hyphens; rename it", s.ID))
	}
	if len(s.Tables) == 0 {
		errs = append(errs, doc.errorf("$.tables", "study has no tables; add the published ones"))
	}
	seen := make(map[string]bool)
	for i := range s.Tables {
		t := &s.Tables[i]
		at := fmt.Sprintf("$.tables[%d]", i)
		if t.ID != "" && !idPattern.MatchString(t.ID) {
			errs = append(errs, doc.errorf(at+".id", "table id %q is not lower-case words with hyphens; rename it", t.ID))
		}
		if seen[t.ID] {
			errs = append(errs, doc.errorf(at+".id", "table %q is there twice; remove one", t.ID))
		}
		seen[t.ID] = true
		errs = append(errs, validateTable(s, t, at, doc)...)
	}
	errs = append(errs, validateClaims(s, doc)...)
	errs = append(errs, validateAblations(s, doc)...)
	errs = append(errs, validateHistories(s, doc)...)
	errs = append(errs, validateFindings(s, doc)...)
	errs = append(errs, validateConstants(s, doc)...)
	errs = append(errs, validatePlans(s, doc)...)
	errs = append(errs, validatePictures(s, doc)...)
	return distinctErrors(errs)
}

// distinctErrors leaves out what is said again, such as of a name that several
// tables inherit.
func distinctErrors(errs []error) []error {
	seen := make(map[string]bool)
	return slices.DeleteFunc(errs, func(err error) bool {
		again := seen[err.Error()]
		seen[err.Error()] = true
		return again
	})
}

// stated is the path of a name of a table, or that of the study where the table
// has inherited it.
func stated(doc *document, at, name string) string {
	if own := at + "." + name; doc.node(own) != nil || doc.node("$."+name) == nil {
		return own
	}
	return "$." + name
}

// oneOf returns an error unless value is one of the allowed.
func oneOf(doc *document, path, value string, allowed ...string) []error {
	if slices.Contains(allowed, value) {
		return nil
	}
	return []error{doc.errorf(path, "%s is %q; use one of %s", path[2:], value, strings.Join(allowed, ", "))}
}

func validateTable(s *Study, t *Table, at string, doc *document) []error {
	var errs []error
	required := []struct{ name, value string }{
		{"id", t.ID}, {"unit", t.Unit}, {"row_name", t.RowName},
		{"machine", t.Machine}, {"kernel", t.Kernel}, {"workload", t.Workload},
		{"patch", strings.Join(t.PatchNames(), "")},
	}
	for _, r := range required {
		if strings.TrimSpace(r.value) == "" {
			errs = append(errs, doc.errorf(at+"."+r.name, "%s of table %q is missing; add it", r.name, t.ID))
		}
	}
	errs = append(errs, oneOf(doc, at+".better", t.Better, "higher", "lower")...)
	errs = append(errs, oneOf(doc, at+".statistic", t.Statistic, "Hmean", "Amean")...)
	errs = append(errs, oneOf(doc, at+".pct_sign", t.PctSign, signChange, signGain)...)
	errs = append(errs, validateSetup(t.Setup, at, doc)...)
	if doc.node(at+".spread") != nil {
		errs = append(errs, oneOf(doc, at+".spread.kind", t.Spread.Kind, spreadStddev, spreadPopulation, spreadPct)...)
	}
	if doc.node(at+".noise") != nil {
		errs = append(errs, validateNoise(t.Noise, "table "+fmt.Sprintf("%q", t.ID), at+".noise", doc)...)
	}
	if len(t.Rows) == 0 {
		errs = append(errs, doc.errorf(at+".rows", "table %q has no rows; add the published ones", t.ID))
	}
	seen := make(map[string]bool)
	for j := range t.Rows {
		r := &t.Rows[j]
		at := fmt.Sprintf("%s.rows[%d]", at, j)
		if seen[r.Key] {
			errs = append(errs, doc.errorf(at+".key", "row %q is there twice; remove one", r.Key))
		}
		seen[r.Key] = true
		errs = append(errs, validateRow(s, t, r, at, doc)...)
	}
	for j, key := range t.FitRows {
		if r := t.Row(key); r == nil || !r.Base.Measured() || r.HeldOut {
			errs = append(errs, doc.errorf(fmt.Sprintf("%s.fit_rows[%d]", at, j), "row %q to fit is not in the table, is held out, or has no base; correct it", key))
		}
	}
	return append(errs, validateEvidence(t, at, doc)...)
}

// validateSetup checks the names of what is run.
func validateSetup(s Setup, at string, doc *document) []error {
	var errs []error
	if s.Machine != "" && !slices.Contains(topology.Catalog(), s.Machine) {
		errs = append(errs, doc.errorf(stated(doc, at, "machine"), "no machine %q in the catalogue; %s", s.Machine, suggest(s.Machine, topology.Catalog())))
	}
	var kernel schedsim.Kernel
	if s.Kernel != "" {
		var err error
		if kernel, err = schedsim.LookupKernel(s.Kernel, 1); err != nil {
			errs = append(errs, doc.errorf(stated(doc, at, "kernel"), "%w", err))
		}
	}
	if _, err := withPatches(kernel, slices.Concat(s.KernelPatches, s.PatchNames())); err != nil {
		errs = append(errs, doc.errorf(stated(doc, at, "patch"), "%w", err))
	}
	return append(errs, validateSystem(s.System, at+".system", doc)...)
}

func validateSystem(system map[string]string, at string, doc *document) []error {
	var errs []error
	for _, v := range nameValues(system) {
		if err := checkSystem(v.Name, v.Value); err != nil {
			errs = append(errs, doc.errorf(at+"."+v.Name, "%w", err))
		}
	}
	return errs
}

func validateRow(s *Study, t *Table, r *Row, at string, doc *document) []error {
	if r.Key == "" {
		return []error{doc.errorf(at, "row has no key; add it")}
	}
	var errs []error
	if r.Better != "" {
		errs = append(errs, oneOf(doc, at+".better", r.Better, "higher", "lower")...)
	}
	errs = append(errs, validateSystem(r.System, at+".system", doc)...)
	if setup := t.setupOf(r); setup.Workload != "" && r.NotModelled == "" {
		if _, err := completeParams(setup.Workload, setup.Params); err != nil {
			errs = append(errs, doc.errorf(at+".params", "row %q: %w", r.Key, err))
		}
	}
	errs = append(errs, validateFigures(t, r, at, doc)...)
	if doc.node(at+".again") != nil && !positive(float64(r.Again)) {
		errs = append(errs, doc.errorf(at+".again", "row %q has no positive figure for again; correct or remove it", r.Key))
	}
	if r.Again.Measured() && t.Again.MessageID == "" {
		errs = append(errs, doc.errorf(at+".again", "row %q was measured again but the table's again names no message_id; say where", r.Key))
	}
	if r.BaseSpread.Measured() || r.PatchedSpread.Measured() {
		switch {
		case t.Spread.Kind == "":
			errs = append(errs, doc.errorf(at+".base_spread", "row %q has a spread and the table's spread no kind; say what it is", r.Key))
		case t.runsOf(r) < 2:
			errs = append(errs, doc.errorf(at+".base_spread", "row %q has a spread of %d runs; give n of at least 2", r.Key, t.runsOf(r)))
		case !positive(float64(r.BaseSpread)) || r.PatchedSpread.Measured() && !positive(float64(r.PatchedSpread)) || !r.Base.Measured():
			errs = append(errs, doc.errorf(at+".base_spread", "row %q needs a base with a positive base_spread; complete it", r.Key))
		}
	}
	if doc.node(at+".noise") != nil {
		errs = append(errs, validateNoise(r.Noise, fmt.Sprintf("row %q", r.Key), at+".noise", doc)...)
	}
	return errs
}

func validateNoise(n Noise, of, at string, doc *document) []error {
	if n.Pct < 0 || !finite(n.Pct) || n.Source == "" {
		return []error{doc.errorf(at, "noise of %s needs a pct of at least 0 and a source; complete it", of)}
	}
	if n.Of != "" {
		return oneOf(doc, at+".of", n.Of, ofDifference, ofSingle)
	}
	return nil
}

// validateFigures checks what is published of a row.
func validateFigures(t *Table, r *Row, at string, doc *document) []error {
	for _, f := range []struct {
		name  string
		value Number
	}{{"base", r.Base}, {"patched", r.Patched}} {
		if n := doc.node(at + "." + f.name); n != nil && !positive(float64(f.value)) {
			return []error{doc.errorf(at+"."+f.name, "row %q needs positive figures for base and patched; correct them", r.Key)}
		}
	}
	if r.Patched.Measured() && !r.Base.Measured() {
		return []error{doc.errorf(at, "row %q has a patched figure and no base; add it", r.Key)}
	}
	if !r.IsClaim() && r.NotModelled == "" && (!r.Base.Measured() || !r.Patched.Measured()) {
		return []error{doc.errorf(at, "row %q needs positive figures for base and patched, or a text and what it claims; complete it", r.Key)}
	}
	if r.Expect != "" {
		if errs := oneOf(doc, at+".expect", r.Expect, expectations...); errs != nil {
			return errs
		}
		if r.Printed.Given || r.Patched.Measured() {
			return []error{doc.errorf(at+".expect", "row %q has figures, which say what to expect; remove expect", r.Key)}
		}
	} else if r.IsClaim() && r.NotModelled == "" && !r.Pct.Measured() {
		return []error{doc.errorf(at, "row %q claims nothing: give it a pct, or expect", r.Key)}
	}
	if r.Printed.Given && !(finite(r.Printed.Low) && finite(r.Printed.High) && r.Printed.Low <= r.Printed.High) {
		return []error{doc.errorf(at+".pct", "pct of row %q is not a number, nor a range with low <= high; correct it", r.Key)}
	}
	if r.Printed.Given && r.Base.Measured() && r.Patched.Measured() {
		return checkPct(t, r, at, doc)
	}
	if r.PublishedError != "" {
		return []error{doc.errorf(at+".published_error", "row %q has nothing to recompute, so nothing can be in error; remove it", r.Key)}
	}
	return nil
}

// checkPct recomputes a printed percentage. The two figures and the percentage
// are all rounded to their last printed digit, so the true percentage lies
// within half a unit of each. A slip in the post stays as it is, with a note; a
// note on what is right is an error as well.
func checkPct(t *Table, r *Row, at string, doc *document) []error {
	base, patched := float64(r.Base), float64(r.Patched)
	got := t.printedSign(r) * 100 * (patched - base) / base
	half := func(field string) float64 { return halfUnit(doc.literal(at + field)) }
	allowed := half(".pct") +
		100*half(".patched")/base +
		100*half(".base")*patched/(base*base)
	follows := got >= r.Printed.Low-allowed-1e-9 && got <= r.Printed.High+allowed+1e-9
	switch {
	case !follows && r.PublishedError == "":
		hint := "compare all three with the post"
		if math.Abs(got+r.Printed.Low) <= allowed {
			hint += ", and say pct_sign: " + signGain + " if a positive percentage means an improvement"
		}
		return []error{doc.errorf(at+".pct", "row %q prints %+.2f %% but its columns give %+.4f %%; %s, or note the slip as published_error",
			r.Key, r.Printed.Low, got, hint)}
	case follows && r.PublishedError != "":
		return []error{doc.errorf(at+".published_error", "the figures of row %q do follow from one another; remove published_error", r.Key)}
	}
	return nil
}

// halfUnit is half a unit of the last decimal of a number as written.
func halfUnit(literal string) float64 {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(literal), "e")
	_, decimals, _ := strings.Cut(mantissa, ".")
	tens, _ := strconv.Atoi(exponent) // 0 without
	return 0.5 * math.Pow10(tens-len(decimals))
}

func validateClaims(s *Study, doc *document) []error {
	var errs []error
	for i, c := range s.Claims {
		at := fmt.Sprintf("$.claims[%d]", i)
		if c.Text == "" {
			errs = append(errs, doc.errorf(at, "claim has no text; quote the post"))
		}
		errs = append(errs, oneOf(doc, at+".expect", c.Expect, expectUp, expectNoneOrDown)...)
		t := s.claimTable(c)
		if t == nil {
			errs = append(errs, doc.errorf(at, "claim is about table %q; name one of the study's", c.Table))
			continue
		}
		if len(c.Rows) == 0 {
			errs = append(errs, doc.errorf(at, "claim names no rows; list those it speaks of"))
		}
		for j, key := range c.Rows {
			if t.Row(key) == nil {
				errs = append(errs, doc.errorf(fmt.Sprintf("%s.rows[%d]", at, j), "claim refers to row %q which the table does not have; correct it", key))
			}
		}
	}
	return errs
}

func validateAblations(s *Study, doc *document) []error {
	var errs []error
	seen := make(map[string]bool)
	for i := range s.Ablations {
		a := &s.Ablations[i]
		at := fmt.Sprintf("$.ablations[%d]", i)
		if a.ID == "" || a.Doc == "" || seen[a.ID] {
			errs = append(errs, doc.errorf(at, "ablation %q needs an id of its own and a doc; complete it", a.ID))
		}
		seen[a.ID] = true
		errs = append(errs, oneOf(doc, at+".expect", a.Expect, expectations...)...)
		if a.Against != "" {
			errs = append(errs, oneOf(doc, at+".against", a.Against, againstPatch, againstBase)...)
		}
		errs = append(errs, validateSystem(a.System, at+".system", doc)...)
		if len(a.System) == 0 && len(a.Params) == 0 && len(a.Patches) == 0 {
			errs = append(errs, doc.errorf(at, "ablation %q switches nothing off; give it system, params or patches", a.ID))
		}
		if _, err := withPatches(schedsim.Kernel{}, a.Patches); err != nil {
			errs = append(errs, doc.errorf(at+".patches", "%w", err))
		}
		if a.Table != "" && s.Table(a.Table) == nil {
			errs = append(errs, doc.errorf(at+".table", "ablation %q is about table %q which the study does not have; correct it", a.ID, a.Table))
			continue
		}
		refs := s.ablated(a)
		for j, key := range a.Rows {
			if !slices.ContainsFunc(refs, func(r cellRef) bool { return s.Tables[r.table].Rows[r.row].Key == key }) {
				errs = append(errs, doc.errorf(fmt.Sprintf("%s.rows[%d]", at, j), "ablation refers to row %q which is not there; correct it", key))
			}
		}
		for _, ref := range refs {
			t := &s.Tables[ref.table]
			setup := t.setupOf(&t.Rows[ref.row])
			if _, err := completeParams(setup.Workload, merged(setup.Params, a.Params)); err != nil && len(a.Params) > 0 && t.Workload != "" {
				errs = append(errs, doc.errorf(at+".params", "ablation %q: %w", a.ID, err))
				break
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
		if seen[c.ID()] {
			errs = append(errs, doc.errorf(at+".name", "constant %q is there twice; remove one", c.ID()))
		}
		seen[c.ID()] = true
		errs = append(errs, oneOf(doc, at+".kind", c.Kind, kinds...)...)
		if !c.within(c.Value) || !finite(c.Low) || !finite(c.High) {
			errs = append(errs, doc.errorf(at, "constant %q needs low <= value <= high, has %g, %g, %g; correct them", c.ID(), c.Low, c.Value, c.High))
		}
		if !slices.ContainsFunc(s.Tables, func(t Table) bool { return c.isFor(t.ID, t.Workload) }) {
			errs = append(errs, doc.errorf(at+".name", "constant %q is of no table of the study: neither a parameter of their workloads nor a cost of the kernel (%s); correct its name, workload or table",
				c.Name, strings.Join(CostNames(), ", ")))
		}
		if c.Fitted {
			fitted++
		}
	}
	// As many constants as rows would fit any base column.
	if fitted > 0 && 2*fitted >= s.rows() {
		errs = append(errs, doc.errorf("$.constants", "%d fitted constants for %d rows; fit fewer than half as many as there are rows", fitted, s.rows()))
	}
	return errs
}

// within reports whether v lies in the constant's bounds.
func (c Constant) within(v float64) bool { return c.Low <= v && v <= c.High }

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

func positive(v float64) bool { return finite(v) && v > 0 }
