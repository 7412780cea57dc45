package study

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/schedlab/schedlab/schedsim"
)

// refitSteps is how often the fitted constants of a draw are moved.
const refitSteps = 3

// refitDamping keeps a step short where the rows hardly depend on a constant:
// it is added to the squares of their slopes, in units of their tolerances.
const refitDamping = 1.0

// RefitEnsemble is DrawEnsemble for base columns that few draws fit, as they depend
// much on the fitted constants: only the others are drawn, and the fitted ones are
// then moved, from their values in base, towards the rows that calibration fits, in
// refitSteps steps. Of the sets of one draw the closest to those rows is kept, if
// every row of the base column fits it as DrawEnsemble demands.
//
// A step is one of Gauss and Newton with slopes from runs apart by a fifth in one
// constant, corrected after each run by what it gave (C. G. Broyden, "A Class of
// Methods for Solving Nonlinear Simultaneous Equations", Mathematics of Computation
// 19, 1965).
func RefitEnsemble(ctx context.Context, base Base, seed uint64, keep, maxDraws int, progress EnsembleProgress) (Ensemble, error) {
	h := &historyMatch{
		fitter: fitter{base: base, seed: seed},
		rand:   schedsim.StreamFor(seed, -3, 0),
	}
	r := &refit{historyMatch: h, rows: h.fitRows()}
	start := make([]float64, len(base.Constants))
	e := Ensemble{Rule: fmt.Sprintf("every base row but one within its noise plus %g %%, that one within %d times this; the constants that are not fitted drawn uniformly over their ranges, the fitted ones moved to the fitted rows in %d steps",
		ModelAllowance, outlierFactor, refitSteps)}
	for i, c := range base.Constants {
		e.Names = append(e.Names, c.ID())
		start[i] = c.Value
		if c.Fitted {
			r.fitted = append(r.fitted, i)
		}
	}
	if len(r.fitted) == 0 || len(r.rows) < len(r.fitted) {
		return Ensemble{}, fmt.Errorf("study: %s: %d constants to move to %d rows; mark constants fitted, and as many fit_rows", base.Study, len(r.fitted), len(r.rows))
	}
	if err := r.differences(ctx, start); err != nil {
		return Ensemble{}, err
	}
	for len(e.Sets) < keep && e.Draws < maxDraws {
		// As many at a time as are wanted still, so that no draw is in vain.
		draws := make([]drawn, min(keep-len(e.Sets), maxDraws-e.Draws))
		for d := range draws {
			set := h.draw()
			for _, i := range r.fitted {
				set[i] = start[i]
			}
			draws[d].set = set
		}
		err := together(len(draws), func(d int) (err error) {
			draws[d].set, draws[d].fits, err = r.own().move(ctx, draws[d].set)
			return err
		})
		if err != nil {
			return Ensemble{}, err
		}
		for _, d := range draws {
			e.Draws++
			if d.fits {
				e.Sets = append(e.Sets, d.set)
			}
			if progress != nil {
				progress(e.Draws, len(e.Sets))
			}
		}
	}
	return e, nil
}

// drawn is a draw that was moved.
type drawn struct {
	set  []float64
	fits bool
}

// own is r with slopes of its own, to be corrected for one draw.
func (r *refit) own() *refit {
	own := *r
	own.slopes = mat.DenseCopyOf(r.slopes)
	return &own
}

// refit moves fitted constants to fitted rows.
type refit struct {
	*historyMatch
	rows, fitted []int
	// slopes are those of the rows' errors, in units of their tolerances, by the
	// logarithm of each fitted constant.
	slopes *mat.Dense
}

// errors simulates a set: the errors of the fitted rows, in units of their
// tolerances, and whether the whole column fits.
func (r *refit) errors(ctx context.Context, set []float64) ([]float64, bool, error) {
	constants := slices.Clone(r.base.Constants)
	for i := range constants {
		constants[i].Value = set[i]
	}
	column, err := r.column(ctx, valuesOf(constants), r.allRows())
	if err != nil {
		return nil, false, err
	}
	far := make([]float64, len(column))
	for row, v := range column {
		far[row] = r.implausibility(row, v)
	}
	out := make([]float64, len(r.rows))
	for i, row := range r.rows {
		out[i] = math.Log(column[row]/r.base.Rows[row].Value) / r.tolerance(row)
	}
	return out, misfit(far) <= 1, nil
}

// differences takes the slopes at start.
func (r *refit) differences(ctx context.Context, start []float64) error {
	// At start, and with each constant moved.
	sets := make([][]float64, 1+len(r.fitted))
	sets[0] = start
	for j, i := range r.fitted {
		next := slices.Clone(start)
		if next[i] = r.within(i, start[i]*1.2); next[i] == start[i] {
			next[i] = r.within(i, start[i]/1.2)
		}
		sets[1+j] = next
	}
	at := make([][]float64, len(sets))
	if err := together(len(sets), func(k int) (err error) {
		at[k], _, err = r.errors(ctx, sets[k])
		return err
	}); err != nil {
		return err
	}
	r.slopes = mat.NewDense(len(r.rows), len(r.fitted), nil)
	for j, i := range r.fitted {
		by := math.Log(sets[1+j][i] / start[i])
		for k := range r.rows {
			r.slopes.Set(k, j, (at[1+j][k]-at[0][k])/by)
		}
	}
	return nil
}

// within rounds a constant and keeps it in its range.
func (r *refit) within(i int, v float64) float64 {
	c := &r.base.Constants[i]
	return min(max(round3(v), c.Low), c.High)
}

// move returns the set that is closest to the fitted rows of those on the way, and
// whether it fits the column.
func (r *refit) move(ctx context.Context, set []float64) (best []float64, fits bool, err error) {
	at, ok, err := r.errors(ctx, set)
	if err != nil {
		return nil, false, err
	}
	best, fits = set, ok
	least := squares(at)
	for range refitSteps {
		next := slices.Clone(set)
		moved := make([]float64, len(r.fitted))
		step := r.step(at)
		for j, i := range r.fitted {
			next[i] = r.within(i, set[i]*math.Exp(step[j]))
			moved[j] = math.Log(next[i] / set[i])
		}
		there, ok, err := r.errors(ctx, next)
		if err != nil {
			return nil, false, err
		}
		r.correct(moved, at, there)
		set, at = next, there
		if s := squares(at); s < least {
			best, fits, least = set, ok, s
		}
	}
	return best, fits, nil
}

// step is the step of Gauss and Newton from where the errors are at, in logarithms
// of the fitted constants, none by more than half.
func (r *refit) step(at []float64) []float64 {
	n := len(r.fitted)
	var normal mat.Dense
	normal.Mul(r.slopes.T(), r.slopes)
	for j := range n {
		normal.Set(j, j, normal.At(j, j)+refitDamping)
	}
	var right, x mat.VecDense
	right.MulVec(r.slopes.T(), mat.NewVecDense(len(at), at))
	out := make([]float64, n)
	// A matrix of squares plus a positive diagonal can be solved.
	if x.SolveVec(&normal, &right) != nil {
		return out
	}
	for j := range out {
		out[j] = min(max(-x.AtVec(j), -0.5), 0.5)
	}
	return out
}

// correct makes the slopes give what a step gave.
func (r *refit) correct(moved, at, there []float64) {
	length := 0.0
	for _, m := range moved {
		length += m * m
	}
	// What a short step gave is noise.
	if length < 0.05*0.05 {
		return
	}
	for k := range at {
		miss := there[k] - at[k]
		for j, m := range moved {
			miss -= r.slopes.At(k, j) * m
		}
		for j, m := range moved {
			r.slopes.Set(k, j, r.slopes.At(k, j)+miss*m/length)
		}
	}
}

func squares(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	return sum
}
