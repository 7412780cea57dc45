package study

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/google/renameio/v2"
)

// UpdateFile records what calibration found for the study in the YAML file at
// path: it writes the fitted values of c, the calibration and the ensemble to
// the model file beside it (see ModelPath), replacing that file atomically.
// The study's own file, which is written by hand, is not touched.
//
// The ensemble's hash is computed here, which freezes it. The result is read
// back through the same checks as LoadFile before it replaces anything, so a
// value out of its bounds, a constant that the study does not fit or a changed
// unfitted constant is an error and leaves the old model in place.
func UpdateFile(path string, c []Constant, cal Calibration, e Ensemble) error {
	data, err := ReadFile(path)
	if err != nil {
		return err
	}
	s, err := Parse(path, data)
	if err != nil {
		return err
	}
	for _, k := range c {
		old := s.Constant(k.ID())
		if old != nil && !old.Fitted && old.Value != k.Value {
			return fmt.Errorf("study: %s:1: constant %q is not fitted but changed from %g to %g; set it in the study's file", path, k.ID(), old.Value, k.Value)
		}
	}
	e.SHA256 = ""
	if len(e.Sets) > 0 {
		e.SHA256 = e.Digest()
	} else {
		e.Names = nil
	}
	text := formatModel(s, c, cal, e)
	model := ModelPath(path)
	if _, err := ParseWithModel(path, data, model, text); err != nil {
		return fmt.Errorf("study: %s not written: %w", model, err)
	}
	if err := replaceFile(model, text); err != nil {
		return fmt.Errorf("study: %s not written: %w", model, err)
	}
	return nil
}

// replaceFile replaces the file at path as a whole or not at all. The
// temporary file is made beside it: a rename does not cross file systems.
func replaceFile(path string, data []byte) error {
	return renameio.WriteFile(path, data, 0o644, renameio.WithTempDir(filepath.Dir(path)))
}

// formatModel writes a model file's text. It is made by hand and not by the
// YAML library to have one set a line, which diffs well.
func formatModel(s *Study, c []Constant, cal Calibration, e Ensemble) []byte {
	var b strings.Builder
	b.WriteString("# Written by calibration; do not edit. The ensemble is frozen: its hash is\n")
	b.WriteString("# verified whenever the study is loaded.\n")
	fmt.Fprintf(&b, "study: %s\n\nvalues:%s\n", strconv.Quote(s.ID), emptyList(countFitted(c)))
	for _, k := range c {
		if k.Fitted {
			fmt.Fprintf(&b, "  - {name: %s, value: %s}\n", strconv.Quote(k.ID()), formatFloat(k.Value))
		}
	}
	errPct := "null"
	if cal.MedianAbsErrPct.Measured() {
		errPct = formatFloat(float64(cal.MedianAbsErrPct))
	}
	fmt.Fprintf(&b, "\ncalibration:\n  optimiser: %s\n  date: %s\n  model_version: %s\n  rows: %s\n  median_abs_err_pct: %s\n",
		strconv.Quote(cal.Optimiser), strconv.Quote(cal.Date), strconv.Quote(cal.ModelVersion), quoteList(cal.Rows), errPct)
	fmt.Fprintf(&b, "\nensemble:\n  draws: %d\n  rule: %s\n  date: %s\n  sha256: %s\n  names: %s\n  sets:%s\n",
		e.Draws, strconv.Quote(e.Rule), strconv.Quote(e.Date), strconv.Quote(e.SHA256), quoteList(e.Names), emptyList(len(e.Sets)))
	for _, set := range e.Sets {
		values := make([]string, len(set))
		for i, v := range set {
			values[i] = formatFloat(v)
		}
		fmt.Fprintf(&b, "    - [%s]\n", strings.Join(values, ", "))
	}
	return []byte(b.String())
}

func countFitted(c []Constant) int {
	n := 0
	for _, k := range c {
		if k.Fitted {
			n++
		}
	}
	return n
}

// emptyList completes "key:" for a list without items.
func emptyList(n int) string {
	if n == 0 {
		return " []"
	}
	return ""
}

func quoteList(items []string) string {
	quoted := make([]string, len(items))
	for i, s := range items {
		quoted[i] = strconv.Quote(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
