package study

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/topology"
)

// ModelAllowance is how far, in percent, a base cell may be off beyond its
// noise for a constant set to count as fitting: what a model of this kind
// leaves out. Assumed, and fixed before any patched run.
const ModelAllowance = 6.0

// fitter simulates base columns for sets of constants. It is made from a Base
// and can see nothing else of a study.
type fitter struct {
	base Base
	seed uint64
}

// column returns the simulated base cells of the given rows, computed side by
// side, and 0 for the others.
func (f *fitter) column(ctx context.Context, constants map[string]float64, rows []int) ([]float64, error) {
	out := make([]float64, len(f.base.Rows))
	errs := make([]error, len(rows))
	var wg sync.WaitGroup
	gate := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, row := range rows {
		wg.Go(func() {
			gate <- struct{}{}
			defer func() { <-gate }()
			out[row], errs[i] = f.cell(ctx, constants, row)
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (f *fitter) cell(ctx context.Context, constants map[string]float64, row int) (float64, error) {
	b := &f.base
	m, err := topology.Load(b.Machine)
	if err != nil {
		return 0, err
	}
	cfg, err := configOf(m, b.Kernel, b.Workload, b.Rows[row].Key, constants)
	if err != nil {
		return 0, err
	}
	r := &b.Rows[row]
	if r.Measure <= 0 {
		return 0, fmt.Errorf("study: %s has no time for row %s; give it a quick plan", b.Study, r.Key)
	}
	cfg.Seed, cfg.Age, cfg.Warmup, cfg.Measure = f.seed, r.Age, r.Warmup, r.Measure
	result, err := schedsim.Run(ctx, cfg)
	if err != nil {
		return 0, fmt.Errorf("study: fitting row %s: %w", b.Rows[row].Key, err)
	}
	return result.Throughput, nil
}

// tolerance is how far a row may be off, as a ratio.
func (f *fitter) tolerance(row int) float64 {
	return (f.base.Rows[row].Noise + ModelAllowance) / 100
}

// implausibility is the distance of a simulated cell from the published one in
// units of the tolerance.
func (f *fitter) implausibility(row int, simulated float64) float64 {
	return math.Abs(math.Log(simulated/f.base.Rows[row].Value)) / f.tolerance(row)
}

// errorsPct returns the absolute errors of all rows in percent.
func (f *fitter) errorsPct(column []float64) []float64 {
	var errs []float64
	for i, v := range column {
		if v > 0 {
			errs = append(errs, 100*math.Abs(v/f.base.Rows[i].Value-1))
		}
	}
	return errs
}

// fitRows are the rows to fit.
func (f *fitter) fitRows() []int {
	var rows []int
	for i, r := range f.base.Rows {
		if r.Fit {
			rows = append(rows, i)
		}
	}
	return rows
}

func (f *fitter) allRows() []int {
	rows := make([]int, len(f.base.Rows))
	for i := range rows {
		rows[i] = i
	}
	return rows
}

func valuesOf(constants []Constant) map[string]float64 {
	values := make(map[string]float64, len(constants))
	for _, c := range constants {
		values[c.Name] = c.Value
	}
	return values
}
