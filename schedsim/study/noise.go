package study

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// assumedNoisePct is the noise of a published effect when neither a spread nor
// a second measurement is published. It is flagged as assumed wherever it is
// used.
const assumedNoisePct = 2

// fillNoise sets the noise of each row's effect, from the best that is known:
//
//   - what the row states;
//   - the published spread and number of the runs behind both figures, see
//     spreadNoise;
//   - a second measurement of the base cell, see againNoise;
//   - what the table states;
//   - or else the assumed default.
//
// The range of a claim is noise by itself, half of its width, and comes on top.
func (t *Table) fillNoise() {
	floor := t.againFloor()
	for i := range t.Rows {
		r := &t.Rows[i]
		switch {
		case r.Noise.Source != "":
			r.Noise = r.Noise.ofDifference()
		case r.BaseSpread.Measured():
			r.Noise = t.spreadNoise(r)
		case r.Again.Measured():
			r.Noise = t.againNoise(r, floor)
		case r.Printed.Range():
			// Nothing but the range is known.
		case t.Noise.Source != "":
			r.Noise = t.Noise.ofDifference()
		default:
			r.Noise = Noise{
				Pct:     assumedNoisePct,
				Source:  fmt.Sprintf("assumed: %d %%, nothing is published about the spread", assumedNoisePct),
				Assumed: true,
			}
		}
		r.baseNoise = t.noiseOfBase(r)
		if r.Printed.Range() {
			half := (r.Printed.High - r.Printed.Low) / 2
			source := fmt.Sprintf("half of the range that is claimed, %g to %g %%", r.Printed.Low, r.Printed.High)
			if r.Noise.Source != "" {
				source += "; and on top " + r.Noise.Source
			}
			r.Noise = Noise{Pct: half + r.Noise.Pct, Source: source, Assumed: r.Noise.Assumed}
		}
	}
}

// noiseOfBase is by how much another measurement of the base cell may differ, for
// which nothing of the patched column is used.
func (t *Table) noiseOfBase(r *Row) float64 {
	if !r.BaseSpread.Measured() || !r.Base.Measured() {
		return r.Noise.Pct
	}
	base := *r
	base.Patched, base.PatchedSpread = NotMeasured, NotMeasured
	return t.spreadNoise(&base).Pct
}

// The meanings of Noise.Of.
const (
	ofDifference = "difference"
	ofSingle     = "single"
)

// ofDifference turns the noise of one column into that of the difference of two,
// which are as noisy and independent.
func (n Noise) ofDifference() Noise {
	if n.Of == ofSingle {
		n.Source += fmt.Sprintf("; %.2f %% of one column, times the root of 2 for the difference of two", n.Pct)
		n.Pct *= math.Sqrt2
	}
	n.Of = ""
	return n
}

// againPct is by how much the second measurement of the base cell differs.
func (r *Row) againPct() float64 {
	return 100 * math.Abs(float64(r.Again-r.Base)) / float64(r.Base)
}

// againFloor is the median difference of the rows that were measured again; NaN if
// none was.
func (t *Table) againFloor() float64 {
	var differences []float64
	for i := range t.Rows {
		if t.Rows[i].Again.Measured() {
			differences = append(differences, t.Rows[i].againPct())
		}
	}
	return Median(differences)
}

// againNoise is the noise of a row whose base was measured a second time. The
// difference of two measurements of one kernel is what an effect of nothing looks
// like. The rule is
//
//	max(|again-base|/base, median of that over the rows)
//
// because the difference of only two measurements is often small by chance: it is
// a single draw, and the table's median is a floor made of all of them.
func (t *Table) againNoise(r *Row, floor float64) Noise {
	own := r.againPct()
	source := fmt.Sprintf("base measured twice: %.2f here, %.2f as %q of %s (%s), a difference of %.2f %%",
		float64(r.Base), float64(r.Again), t.Again.Label, t.Again.Date, t.Again.MessageID, own)
	if own < floor {
		source += fmt.Sprintf("; raised to %.2f %%, the median difference of the table's rows", floor)
	}
	return Noise{Pct: max(own, floor), Source: source}
}

// The kinds of a published spread.
const (
	spreadStddev     = "stddev"
	spreadPopulation = "population-stddev"
	spreadPct        = "stddev-pct"
)

// runsOf is how many runs a row's figures are the means of.
func (t *Table) runsOf(r *Row) int {
	if r.N > 0 {
		return r.N
	}
	return t.Spread.N
}

// relativeSD is the standard deviation of the runs behind a figure, of its mean.
func (t *Table) relativeSD(spread, mean Number, n int) float64 {
	switch t.Spread.Kind {
	case spreadPct:
		return float64(spread) / 100
	case spreadPopulation:
		return float64(spread/mean) * math.Sqrt(float64(n)/float64(n-1))
	}
	return float64(spread / mean)
}

// publishedCV is the standard deviation of the runs behind the two figures of a row,
// of their mean, percent.
func (t *Table) publishedCV(r *Row) (base, patched Number) {
	base, patched = NotMeasured, NotMeasured
	n := t.runsOf(r)
	if r.BaseSpread.Measured() && r.Base.Measured() {
		base = Number(100 * t.relativeSD(r.BaseSpread, r.Base, n))
	}
	if r.PatchedSpread.Measured() && r.Patched.Measured() {
		patched = Number(100 * t.relativeSD(r.PatchedSpread, r.Patched, n))
	}
	return base, patched
}

// spreadNoise is the half-width of the 95 % interval of the percentage between two
// means of n runs each, whose standard deviations are published: that of a ratio
// of independent means to first order (Cochran, Sampling Techniques, 3rd edition,
// 1977, section 6.3), by Student's t with the degrees of freedom of Welch ("The
// generalization of Student's problem", Biometrika 34, 1947). Where only the base
// column's spread is published the patched one counts as having it too.
func (t *Table) spreadNoise(r *Row) Noise {
	n := t.runsOf(r)
	b := t.relativeSD(r.BaseSpread, r.Base, n)
	p := b
	which := "base and patched"
	if r.PatchedSpread.Measured() {
		p = t.relativeSD(r.PatchedSpread, r.Patched, n)
	} else {
		which = "base, and patched alike for want of a figure"
	}
	vb, vp := b*b/float64(n), p*p/float64(n)
	df := (vb + vp) * (vb + vp) / (vb*vb/float64(n-1) + vp*vp/float64(n-1))
	if vb+vp == 0 {
		df = float64(2 * (n - 1))
	}
	ratio := 1.0
	if r.Patched.Measured() {
		ratio = float64(r.Patched / r.Base)
	}
	half := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}.Quantile(0.975) * 100 * ratio * math.Sqrt(vb+vp)
	source := fmt.Sprintf("published spread of %d runs a column: standard deviations of %.2f %% and %.2f %% (%s)", n, 100*b, 100*p, which)
	if t.Spread.Source != "" {
		source += ", " + t.Spread.Source
	}
	return Noise{Pct: half, Source: source}
}
