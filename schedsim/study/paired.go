package study

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// PairedGroups are paired runs grouped by constant set: Base[s][i] and
// Patched[s][i] were run with set s and the same seed. Groups may differ in
// size; an empty group is ignored.
//
// The effect is the percentage between the two columns as a published table
// has it, both columns averaged by the table's statistic. It is not the mean of
// the percentages of single pairs: that is biased upwards when runs vary, by
// the square of their coefficient of variation (a row that varies by 15 % would
// show a benefit of 2 % against itself).
//
// With u the quantity whose mean is in the numerator and v the one in the
// denominator (v/u of a harmonic mean is the mean of 1/base over that of
// 1/patched), the effect is a ratio of means. Its uncertainty is that of the
// linearised differences e = 100 (u - R v) / mean(v), which are paired: what
// moves both arms of a pair alike cancels. See W. G. Cochran, Sampling
// Techniques, 3rd edition (1977), sections 2.11 and 6.3.
type PairedGroups struct {
	Statistic string // "Hmean" or "Amean", of the two columns
	// Counts: the figures are counts, of which none in either column is no effect,
	// and not a benchmark that did not run.
	Counts        bool
	Base, Patched [][]float64
}

// Overall is the effect over all groups. A constant set is a cluster: its runs
// share its error, so with several sets the interval is a t interval over the
// sets' means, and more runs of one set do not narrow it. With one set it is
// over the runs. Every set has the same weight.
func (g PairedGroups) Overall() Interval {
	var u, v [][]float64
	for s := range g.Base {
		if us, vs := g.quantities(s); len(us) > 0 {
			u, v = append(u, us), append(v, vs)
		}
	}
	if len(u) == 0 {
		return notMeasuredInterval
	}
	iv := Interval{Ensemble: len(u)}
	for _, group := range u {
		iv.N += len(group)
	}
	um, vm := groupMeans(u), groupMeans(v)
	mu, mv := Mean(um), Mean(vm)
	iv.Effect = g.effect(mu, mv)
	samplesU, samplesV := um, vm
	if len(u) == 1 {
		samplesU, samplesV = u[0], v[0]
	}
	_, low, high := TInterval(linearised(samplesU, samplesV, mu, mv))
	// The linearised differences have mean zero; the bounds are offsets.
	iv.CILow = iv.Pct + Number(low)
	iv.CIHigh = iv.Pct + Number(high)
	return iv
}

// PerSet is the effect of each group, in their order; that of an empty one is
// not measured. Few runs of one set say little about their variance, so it is
// pooled: the mean of the sets' variances of e weighted by their degrees of
// freedom, as in a one-way analysis of variance. With one run in every set
// there is no interval.
func (g PairedGroups) PerSet() []Interval {
	out := make([]Interval, len(g.Base))
	squares, df := 0.0, 0
	for s := range out {
		u, v := g.quantities(s)
		out[s] = notMeasuredInterval
		if len(u) == 0 {
			continue
		}
		mu, mv := Mean(u), Mean(v)
		out[s].Effect, out[s].N, out[s].Ensemble = g.effect(mu, mv), len(u), 1
		if n := len(u); n > 1 {
			squares += float64(n-1) * stat.Variance(linearised(u, v, mu, mv), nil)
			df += n - 1
		}
	}
	for s := range out {
		h := Number(halfWidth(squares/float64(df), out[s].N, df))
		out[s].CILow = out[s].Pct - h
		out[s].CIHigh = out[s].Pct + h
	}
	return out
}

// quantities returns the numerator and denominator quantities of a group.
func (g PairedGroups) quantities(s int) (u, v []float64) {
	if s >= len(g.Patched) {
		return nil, nil
	}
	base, patched := g.Base[s], g.Patched[s]
	for i := range min(len(base), len(patched)) {
		if g.Statistic == "Hmean" {
			u, v = append(u, inverse(base[i])), append(v, inverse(patched[i]))
		} else {
			u, v = append(u, patched[i]), append(v, base[i])
		}
	}
	return u, v
}

// inverse is 1/x, or NaN where a harmonic mean is not defined.
func inverse(x float64) float64 {
	if !positive(x) {
		return math.NaN()
	}
	return 1 / x
}

// effect turns the means of numerator and denominator into columns.
func (g PairedGroups) effect(mu, mv float64) Effect {
	e := Effect{Base: Number(mv), Patched: Number(mu), Pct: Number(100 * (mu/mv - 1))}
	if g.Statistic == "Hmean" {
		e.Base, e.Patched = Number(1/mu), Number(1/mv)
	}
	switch {
	case g.Counts && mu == 0 && mv == 0:
		return Effect{0, 0, 0}
	case !finite(float64(e.Pct)):
		e.Pct = NotMeasured
	}
	return e
}

// linearised returns the paired differences e in percentage points.
func linearised(u, v []float64, mu, mv float64) []float64 {
	e := make([]float64, len(u))
	if mu == 0 && mv == 0 {
		return e
	}
	for i := range u {
		e[i] = 100 * (u[i] - mu/mv*v[i]) / mv
	}
	return e
}

func groupMeans(groups [][]float64) []float64 {
	means := make([]float64, len(groups))
	for i, g := range groups {
		means[i] = Mean(g)
	}
	return means
}

// notMeasuredEffect and notMeasuredInterval are what a cell without runs has.
var (
	notMeasuredEffect   = Effect{NotMeasured, NotMeasured, NotMeasured}
	notMeasuredInterval = Interval{Effect: notMeasuredEffect, CILow: NotMeasured, CIHigh: NotMeasured}
)
