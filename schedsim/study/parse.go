package study

import (
	"errors"
)

// Parse reads a study's YAML text and checks it. The filename is used in
// errors only, which have the form "study: file:line: what is wrong, what to
// do"; several are joined. The study has its start constants, no calibration
// and no ensemble; see ParseWithModel.
func Parse(filename string, data []byte) (*Study, error) {
	return ParseWithModel(filename, data, "", nil)
}

// ParseWithModel reads a study's YAML text together with the text of its model
// file (see UpdateFile), which sets the fitted constants, the calibration and
// the ensemble. With nil as model there is none.
func ParseWithModel(filename string, data []byte, modelname string, model []byte) (*Study, error) {
	s := &Study{Calibration: Calibration{MedianAbsErrPct: NotMeasured}}
	doc, err := decode(filename, data, s)
	if err != nil {
		return nil, err
	}
	s.complete()
	if errs := validate(s, doc); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	for i := range s.Tables {
		s.Tables[i].fillNoise()
	}
	if model == nil {
		return s, nil
	}
	if err := s.readModel(modelname, model); err != nil {
		return nil, err
	}
	return s, nil
}

// complete fills in what the text leaves open: tables inherit from the study, and
// figures that are not there are NotMeasured.
func (s *Study) complete() {
	for i := range s.Tables {
		t := &s.Tables[i]
		t.Setup = t.Setup.over(s.Setup)
		if t.PctSign == "" {
			t.PctSign = signChange
		}
		if t.Statistic == "" && t.onlyClaims() {
			t.Statistic = "Amean"
		}
		for j := range t.Rows {
			r := &t.Rows[j]
			// An absent figure decodes as 0. No benchmark scores 0, so one that
			// is written is caught by validation as absent here.
			for _, n := range []*Number{&r.Base, &r.Patched, &r.Again, &r.BaseSpread, &r.PatchedSpread} {
				if *n == 0 {
					*n = NotMeasured
				}
			}
			r.Pct = t.changePct(r)
		}
	}
	// What all tables agree on is the study's.
	for _, f := range []struct {
		own *string
		all []string
	}{{&s.Machine, s.Machines()}, {&s.Kernel, s.distinct(func(t *Table) string { return t.Kernel })}, {&s.Workload, s.Workloads()}} {
		if *f.own == "" && len(f.all) == 1 {
			*f.own = f.all[0]
		}
	}
}

// The meanings of a positive percentage.
const (
	signChange = "change" // the value went up
	signGain   = "gain"   // it improved
)

// printedSign is what a printed percentage has to be multiplied with to be the
// change of the value.
func (t *Table) printedSign(r *Row) float64 {
	if t.PctSign == signGain && t.BetterOf(r) == "lower" {
		return -1
	}
	return 1
}

// changePct is the published effect of a row, percent of change of the value.
func (t *Table) changePct(r *Row) Number {
	switch {
	case r.Printed.Given:
		return Number(t.printedSign(r) * (r.Printed.Low + r.Printed.High) / 2)
	case r.Base.Measured() && r.Patched.Measured():
		return 100 * (r.Patched - r.Base) / r.Base
	case r.Expect == expectNone:
		return 0
	}
	return NotMeasured
}

// onlyClaims reports whether all rows are statements in prose.
func (t *Table) onlyClaims() bool {
	for i := range t.Rows {
		if !t.Rows[i].IsClaim() {
			return false
		}
	}
	return true
}
