package study

import "context"

// BaseColumn simulates every cell of a base column with the constants as they
// are, in the way that Calibrate and DrawEnsemble do, and returns the values in
// Base.Unit, in the order of the rows. It shows how a fit came out.
func BaseColumn(ctx context.Context, base Base, seed uint64) ([]float64, error) {
	f := &fitter{base: base, seed: seed}
	return f.column(ctx, valuesOf(base.Constants), f.allRows())
}
