package study

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/schedlab/schedlab/schedsim"
)

// EnsembleProgress is told of each simulated set: how many there were, and how
// many of them were kept.
type EnsembleProgress func(simulated, kept int)

// Sizes of the search for an ensemble.
const (
	designRuns    = 32    // simulated sets that the emulators are made from
	proposalDraws = 20000 // draws among which a proposal is looked for
)

// outlierFactor is how many tolerances the worst row of a kept set may be off.
const outlierFactor = 3

// misfit condenses the implausibilities of all rows: a set fits if it is at
// most 1. The second largest counts in full and the largest by a third, the
// second-maximum rule of history matching (Vernon, Goldstein, Bower, Bayesian
// Analysis 2010): what a model leaves out may show in one row alone, which must
// not rule out every set, nor be hidden by bending all other rows.
func misfit(implausibilities []float64) float64 {
	first, second := 0.0, 0.0
	for _, v := range implausibilities {
		if v > first {
			first, second = v, first
		} else {
			second = max(second, v)
		}
	}
	return max(second, first/outlierFactor)
}

// DrawEnsemble looks for keep constant sets that are as consistent with the
// base column as the fitted one (history matching): every constant is drawn
// uniformly over its range, and a set is kept if, when simulated, every row of
// the base column but one is within its tolerance, and that one within three
// times its own (see misfit).
//
// Few draws over nine ranges fit. So a first batch of draws is simulated, a
// linear emulator of each row is made of it, and further draws are simulated
// only if the emulators hold them possible. It stops with what it has after
// simulating maxSets sets.
func DrawEnsemble(ctx context.Context, base Base, seed uint64, keep, maxSets int, progress EnsembleProgress) (Ensemble, error) {
	h := &historyMatch{
		fitter: fitter{base: base, seed: seed},
		rand:   schedsim.StreamFor(seed, -2, 0),
	}
	e := Ensemble{Rule: fmt.Sprintf("every base row but one within its noise plus %g %%, that one within %d times this; proposals by linear emulators, the first from %d draws",
		ModelAllowance, outlierFactor, designRuns)}
	for _, c := range base.Constants {
		e.Names = append(e.Names, c.ID())
	}
	var emulators []emulator
	for len(e.Sets) < keep && e.Draws < maxSets {
		set := h.draw()
		if len(h.places) >= designRuns {
			if len(h.places)%designRuns == 0 || emulators == nil {
				var err error
				if emulators, err = h.emulators(); err != nil {
					return Ensemble{}, err
				}
			}
			set = h.propose(emulators)
		}
		ok, err := h.simulate(ctx, set)
		if err != nil {
			return Ensemble{}, err
		}
		e.Draws++
		if ok {
			e.Sets = append(e.Sets, set)
		}
		if progress != nil {
			progress(e.Draws, len(e.Sets))
		}
	}
	return e, nil
}

// historyMatch is the state of one search.
type historyMatch struct {
	fitter
	rand   schedsim.Rand
	places [][]float64 // of the sets simulated so far
	times  [][]float64 // by row: what ofTime makes of the figure
}

// draw returns a set of constants, uniform over their ranges.
func (h *historyMatch) draw() []float64 {
	set := make([]float64, len(h.base.Constants))
	for i, c := range h.base.Constants {
		set[i] = round3(c.Low + (c.High-c.Low)*h.rand.Float64())
		set[i] = min(max(set[i], c.Low), c.High)
	}
	return set
}

// place maps a set to [-1, 1] in each constant.
func (h *historyMatch) place(set []float64) []float64 {
	p := make([]float64, len(set))
	for i, c := range h.base.Constants {
		p[i] = 2*(set[i]-c.Low)/(c.High-c.Low) - 1
	}
	return p
}

// ofTime turns a rate into the time an operation takes, which is what constants add
// up to, and back; what is a time already stays.
func (h *historyMatch) ofTime(row int, v float64) float64 {
	if h.base.Rows[row].Better == "lower" {
		return v
	}
	return 1 / v
}

func (h *historyMatch) emulators() ([]emulator, error) {
	out := make([]emulator, len(h.base.Rows))
	for row := range out {
		e, err := fitEmulator(h.places, h.times[row])
		if err != nil {
			return nil, err
		}
		out[row] = e
	}
	return out, nil
}

// propose returns the first draw that the emulators hold possible in every
// row, or the one that they like best.
func (h *historyMatch) propose(emulators []emulator) []float64 {
	var best []float64
	least := math.Inf(1)
	far := make([]float64, len(emulators))
	for range proposalDraws {
		set := h.draw()
		p := h.place(set)
		for row, e := range emulators {
			// A time that comes out negative is as implausible as can be.
			far[row] = math.Inf(1)
			if t := e.predict(p); t > 0 {
				far[row] = h.implausibility(row, h.ofTime(row, t))
			}
		}
		if m := misfit(far); m < least {
			best, least = set, m
		}
		if least < 1 {
			break
		}
	}
	return best
}

// simulate runs the base column of a set, remembers it, and reports whether
// all of it is within tolerance.
func (h *historyMatch) simulate(ctx context.Context, set []float64) (bool, error) {
	constants := slices.Clone(h.base.Constants)
	for i := range constants {
		constants[i].Value = set[i]
	}
	column, err := h.column(ctx, valuesOf(constants), h.allRows())
	if err != nil {
		return false, err
	}
	if h.times == nil {
		h.times = make([][]float64, len(column))
	}
	h.places = append(h.places, h.place(set))
	far := make([]float64, len(column))
	for row, v := range column {
		h.times[row] = append(h.times[row], h.ofTime(row, v))
		far[row] = h.implausibility(row, v)
	}
	return misfit(far) <= 1, nil
}
