package study

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// emulator predicts the time an operation takes in a row as a linear function
// of the constants. Time, not throughput, is what the constants add up to. It
// only proposes sets, to spend simulations where they may fit: a set is kept
// for what its simulation gives.
type emulator struct {
	coef []float64 // intercept, then one a constant
}

// fitEmulator solves the least-squares problem of one row: places[i] are the
// constants of a set, each mapped to [-1, 1], and times[i] its simulated time.
func fitEmulator(places [][]float64, times []float64) (emulator, error) {
	n, k := len(places), len(places[0])+1
	if n < k+1 {
		return emulator{}, fmt.Errorf("study: emulator: %d runs for %d coefficients", n, k)
	}
	a := mat.NewDense(n, k, nil)
	for i, p := range places {
		a.Set(i, 0, 1)
		for j, v := range p {
			a.Set(i, j+1, v)
		}
	}
	var x mat.VecDense
	if err := x.SolveVec(a, mat.NewVecDense(n, times)); err != nil {
		return emulator{}, fmt.Errorf("study: emulator: %w", err)
	}
	return emulator{coef: x.RawVector().Data}, nil
}

func (e emulator) predict(place []float64) float64 {
	t := e.coef[0]
	for j, v := range place {
		t += e.coef[j+1] * v
	}
	return t
}
