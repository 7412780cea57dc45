package study

import (
	"errors"
	"fmt"
	"math"
)

// assumedNoisePct is the noise of a published effect when neither a spread nor
// a second measurement is published. It is flagged as assumed wherever it is
// used.
const assumedNoisePct = 2

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
	for i := range s.Table.Rows {
		// An absent figure decodes as 0. No benchmark scores 0, so
		// one that is written is caught by validation as absent here.
		if s.Table.Rows[i].Again == 0 {
			s.Table.Rows[i].Again = NotMeasured
		}
	}
	if errs := validate(s, doc); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	s.fillNoise()
	if model == nil {
		return s, nil
	}
	if err := s.readModel(modelname, model); err != nil {
		return nil, err
	}
	return s, nil
}

// fillNoise sets the noise of each row that does not state its own: from the
// second measurement of the base column if there is one, or else the assumed
// default. The rule for the former is
//
//	max(|again-base|/base, median of that over the rows)
//
// because the difference of only two measurements is often small by chance:
// it is a single draw, and the table's median is a floor made of all of them.
func (s *Study) fillNoise() {
	var differences []float64
	for _, r := range s.Table.Rows {
		if r.Again.Measured() {
			differences = append(differences, r.againPct())
		}
	}
	floor := Median(differences)
	again := s.Table.Again
	for i := range s.Table.Rows {
		r := &s.Table.Rows[i]
		switch {
		case r.Noise.Source != "":
		case r.Again.Measured():
			own := r.againPct()
			source := fmt.Sprintf("base measured twice: %.2f here, %.2f as %q of %s (%s), a difference of %.2f %%",
				r.Base, float64(r.Again), again.Label, again.Date, again.MessageID, own)
			if own < floor {
				source += fmt.Sprintf("; raised to %.2f %%, the median difference of the table's rows", floor)
			}
			r.Noise = Noise{Pct: max(own, floor), Source: source}
		default:
			r.Noise = Noise{
				Pct:     assumedNoisePct,
				Source:  fmt.Sprintf("assumed: %d %%, nothing is published about the spread", assumedNoisePct),
				Assumed: true,
			}
		}
	}
}

// againPct is by how much the second measurement of the base cell differs.
func (r Row) againPct() float64 {
	return 100 * math.Abs(float64(r.Again)-r.Base) / r.Base
}
