package study

import (
	"errors"
	"fmt"
	"slices"
)

// modelFile is the layout of a study's model file: what calibration and the
// drawing of the ensemble found. It is written by UpdateFile only.
type modelFile struct {
	Study       string           `yaml:"study"`
	Values      []modelValue     `yaml:"values"`
	Calibration modelCalibration `yaml:"calibration"`
	Ensemble    modelEnsemble    `yaml:"ensemble"`
}

// modelValue is the fitted value of a constant.
type modelValue struct {
	Name  string  `yaml:"name"`
	Value float64 `yaml:"value"`
}

type modelCalibration struct {
	Optimiser       string   `yaml:"optimiser"`
	Date            string   `yaml:"date"`
	ModelVersion    string   `yaml:"model_version"`
	Rows            []string `yaml:"rows"`
	MedianAbsErrPct *float64 `yaml:"median_abs_err_pct"` // null: not measured
}

type modelEnsemble struct {
	Draws  int         `yaml:"draws"`
	Rule   string      `yaml:"rule"`
	Date   string      `yaml:"date"`
	SHA256 string      `yaml:"sha256"`
	Names  []string    `yaml:"names"`
	Sets   [][]float64 `yaml:"sets"`
}

// readModel applies the text of a model file to the study.
func (s *Study) readModel(filename string, data []byte) error {
	var m modelFile
	doc, err := decode(filename, data, &m)
	if err != nil {
		return err
	}
	if m.Study != s.ID {
		return doc.errorf("$.study", "model is of study %q, not %q; calibrate this study", m.Study, s.ID)
	}
	errs := s.applyValues(m.Values, doc)
	for i, key := range m.Calibration.Rows {
		if _, r := s.FindRow(key); r == nil {
			errs = append(errs, doc.errorf(fmt.Sprintf("$.calibration.rows[%d]", i), "calibrated on row %q which the study does not have; calibrate again", key))
		}
	}
	s.Calibration = Calibration{
		Optimiser:       m.Calibration.Optimiser,
		Date:            m.Calibration.Date,
		ModelVersion:    m.Calibration.ModelVersion,
		Rows:            m.Calibration.Rows,
		MedianAbsErrPct: NotMeasured,
	}
	if p := m.Calibration.MedianAbsErrPct; p != nil {
		s.Calibration.MedianAbsErrPct = Number(*p)
	}
	s.Ensemble = Ensemble(m.Ensemble)
	errs = append(errs, s.checkEnsemble(doc)...)
	return errors.Join(errs...)
}

// applyValues sets the fitted constants.
func (s *Study) applyValues(values []modelValue, doc *document) []error {
	var errs []error
	for i, v := range values {
		at := fmt.Sprintf("$.values[%d]", i)
		c := s.Constant(v.Name)
		switch {
		case c == nil:
			errs = append(errs, doc.errorf(at, "constant %q is not in the study; calibrate again", v.Name))
		case !c.Fitted:
			errs = append(errs, doc.errorf(at, "constant %q is not a fitted one; set it in the study's file", v.Name))
		case !c.within(v.Value):
			errs = append(errs, doc.errorf(at, "%s = %g is outside of [%g, %g]; calibrate again", v.Name, v.Value, c.Low, c.High))
		default:
			c.Value = v.Value
		}
	}
	return errs
}

// checkEnsemble verifies that the ensemble is the one that was frozen and that
// it belongs to the study's constants as they are now.
func (s *Study) checkEnsemble(doc *document) []error {
	e := s.Ensemble
	if len(e.Names) == 0 && len(e.Sets) == 0 && e.SHA256 == "" {
		return nil
	}
	if got := e.Digest(); got != e.SHA256 {
		return []error{doc.errorf("$.ensemble.sha256", "ensemble was changed after it was frozen (its hash is %s, recorded is %s); restore the file or calibrate again", got, e.SHA256)}
	}
	var errs []error
	for i, name := range e.Names {
		at := fmt.Sprintf("$.ensemble.names[%d]", i)
		if s.Constant(name) == nil {
			errs = append(errs, doc.errorf(at, "constant %q is not in the study; calibrate again", name))
		}
		if slices.Index(e.Names, name) != i {
			errs = append(errs, doc.errorf(at, "constant %q is there twice; calibrate again", name))
		}
	}
	if len(errs) > 0 {
		return errs
	}
	for i, set := range e.Sets {
		at := fmt.Sprintf("$.ensemble.sets[%d]", i)
		if len(set) != len(e.Names) {
			errs = append(errs, doc.errorf(at, "set has %d values for %d names; calibrate again", len(set), len(e.Names)))
			continue
		}
		for j, v := range set {
			if c := s.Constant(e.Names[j]); !c.within(v) {
				errs = append(errs, doc.errorf(at, "%s = %g is outside of [%g, %g]; calibrate again", c.Name, v, c.Low, c.High))
			}
		}
	}
	return errs
}
