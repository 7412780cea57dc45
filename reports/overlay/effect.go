package overlay

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/schedlab/schedlab/reports/measured"
	"github.com/schedlab/schedlab/schedsim/study"
)

// collect makes rows of the figures, in the order of the study.
func (o *Overlay) collect(s *study.Study, found []candidate) error {
	for i := range s.Tables {
		t := &s.Tables[i]
		for j := range t.Rows {
			row := Row{
				Table: t.ID, Key: t.Rows[j].Key, Unit: t.UnitOf(&t.Rows[j]), Better: t.BetterOf(&t.Rows[j]),
				Base: Sample{Mean: math.NaN()}, Patched: Sample{Mean: math.NaN()},
			}
			some := false
			for _, arm := range []struct {
				name string
				to   *Sample
			}{{study.ArmBase, &row.Base}, {study.ArmPatched, &row.Patched}} {
				var of []measured.Series
				for _, c := range found {
					if c.table == t && c.row == &t.Rows[j] && c.arm == arm.name {
						of = append(of, c.series)
					}
				}
				if len(of) == 0 {
					continue
				}
				some = true
				sample, err := sampleOf(of, t.Statistic, row.Unit)
				if err != nil {
					return fmt.Errorf("overlay: row %s of table %s, %s: %w", row.Key, t.ID, arm.name, err)
				}
				*arm.to = sample
			}
			if some {
				row.effect()
				o.Rows = append(o.Rows, row)
			}
		}
	}
	return nil
}

// sampleOf joins the figures of one column: runs of the same program, or else there
// may be but one.
func sampleOf(of []measured.Series, statistic, unit string) (Sample, error) {
	first := of[0]
	out := Sample{Mean: first.Mean, Stddev: first.Stddev, N: first.N, Where: at(first)}
	for _, r := range of {
		factor, _ := convert(r.Unit, unit)
		if len(of) > 1 && (len(r.Values) == 0 || r.Program != first.Program || r.Name != first.Name) {
			return out, fmt.Errorf("two figures, %s (%s) and %s (%s); leave one out", title(first), at(first), title(of[1]), at(of[1]))
		}
		for _, v := range r.Values {
			out.Values = append(out.Values, v*factor)
		}
		if r.File != first.File {
			out.Where = places(of)
		}
	}
	factor, _ := convert(first.Unit, unit)
	out.Mean, out.Stddev = out.Mean*factor, out.Stddev*factor
	if len(out.Values) > 0 {
		out.N = len(out.Values)
		out.Mean, out.Stddev = study.Mean(out.Values), study.Stddev(out.Values)
		if statistic == "Hmean" {
			out.Mean = study.Hmean(out.Values)
		}
	}
	if !(math.Abs(out.Mean) < math.MaxFloat64) {
		return out, fmt.Errorf("%s: %s is no number", at(first), title(first))
	}
	return out, nil
}

func places(of []measured.Series) string {
	var out []string
	for _, r := range of {
		if p := at(r); len(out) == 0 || out[len(out)-1] != p {
			out = append(out, p)
		}
	}
	return strings.Join(out, ", ")
}

// effect fills the change between the columns.
func (r *Row) effect() {
	r.Pct, r.CILow, r.CIHigh = study.NotMeasured, study.NotMeasured, study.NotMeasured
	b, p := r.Base, r.Patched
	if !b.Measured() || !p.Measured() || b.Mean == 0 {
		return
	}
	r.Pct = study.Number(100 * (p.Mean - b.Mean) / math.Abs(b.Mean))
	half := welch(b, p)
	if math.IsNaN(half) {
		return
	}
	half = 100 * half / math.Abs(b.Mean)
	r.CILow, r.CIHigh = r.Pct-study.Number(half), r.Pct+study.Number(half)
}

// welch is the half-width of the 95 % interval of the difference of two means whose
// variances differ, NaN where a spread or a number of runs is not known (B. L. Welch,
// "The generalization of Student's problem", Biometrika 34, 1947).
func welch(a, b Sample) float64 {
	if a.N < 2 || b.N < 2 || math.IsNaN(a.Stddev) || math.IsNaN(b.Stddev) {
		return math.NaN()
	}
	va, vb := a.Stddev*a.Stddev/float64(a.N), b.Stddev*b.Stddev/float64(b.N)
	if va+vb == 0 {
		return 0
	}
	df := (va + vb) * (va + vb) / (va*va/float64(a.N-1) + vb*vb/float64(b.N-1))
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}.Quantile(0.975) * math.Sqrt(va+vb)
}

// Against says whether the measured effect and a simulated one agree, in a few words.
// The measured one takes the place of the published one in study.Judge, with the
// half-width of its interval for noise: "agree", "agree on none" where neither is an
// effect, "sizes differ" where both are one in the same direction, "opposite", "only
// measured" or "only simulated" where one is, and otherwise what is missing to tell.
func (r *Row) Against(sim study.Interval) string {
	switch {
	case !r.Base.Measured():
		return "no base"
	case !r.Patched.Measured():
		return "no patched"
	case !r.CILow.Measured():
		return "no spread or n"
	}
	noise := study.Noise{Pct: float64(r.CIHigh-r.CILow) / 2}
	v, _ := study.Judge(study.Effect{Base: study.Number(r.Base.Mean), Patched: study.Number(r.Patched.Mean), Pct: r.Pct}, noise, sim, r.Better)
	switch v {
	case study.Reproduced:
		return "agree"
	case study.Direction:
		return "sizes differ"
	case study.AgreesOnNone:
		return "agree on none"
	case study.Missed:
		return "only measured"
	case study.Phantom:
		return "only simulated"
	case study.Contradicted:
		return "opposite"
	case study.Undecided:
		return "too few runs"
	}
	return "not simulated"
}
