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
// side, and 0 for the others. Rows that differ in their figure only share a run.
func (f *fitter) column(ctx context.Context, values map[string]float64, rows []int) ([]float64, error) {
	groups := f.groups(rows)
	out := make([]float64, len(f.base.Rows))
	err := together(len(groups), func(i int) error { return f.cells(ctx, values, groups[i], out) })
	if err != nil {
		return nil, err
	}
	return out, nil
}

// together calls do with 0 to n-1, as many at a time as there are processors, and
// returns the first error.
func together(n int, do func(i int) error) error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	gate := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range n {
		wg.Go(func() {
			gate <- struct{}{}
			defer func() { <-gate }()
			errs[i] = do(i)
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// groups puts rows together that one run serves.
func (f *fitter) groups(rows []int) [][]int {
	var out [][]int
	index := make(map[string]int)
	for _, row := range rows {
		r := f.base.Rows[row]
		r.Key, r.Metric, r.Unit, r.Better = "", "", "", ""
		r.Value, r.Noise, r.Assumed, r.Fit = 0, 0, false, false
		id := fmt.Sprintf("%+v", r)
		if i, ok := index[id]; ok {
			out[i] = append(out[i], row)
			continue
		}
		index[id] = len(out)
		out = append(out, []int{row})
	}
	return out
}

// cells runs a group of rows once and puts their figures into out.
func (f *fitter) cells(ctx context.Context, values map[string]float64, group []int, out []float64) error {
	b := &f.base
	r := &b.Rows[group[0]]
	name := b.name(group[0])
	m, err := topology.Load(r.Machine)
	if err != nil {
		return err
	}
	cfg, err := configOf(m, Setup{
		Kernel: r.Kernel, KernelPatches: r.Applied,
		Workload: r.Workload, Params: asMap(r.Params), System: asMap(r.System),
	}, constantsFor(b.Constants, values, r.Table, r.Workload))
	if err != nil {
		return err
	}
	if r.Measure <= 0 {
		return fmt.Errorf("study: %s has no time for row %s; give it a quick plan", b.Study, name)
	}
	cfg.Seed, cfg.Age, cfg.Warmup, cfg.Measure = f.seed, r.Age, r.Warmup, r.Measure
	result, err := schedsim.Run(ctx, cfg)
	if err != nil {
		return fmt.Errorf("study: fitting row %s: %w", name, err)
	}
	for _, row := range group {
		if out[row], err = figureOf(&result, b.Rows[row].Metric, b.Rows[row].Unit); err != nil {
			return fmt.Errorf("study: fitting row %s: %w", b.name(row), err)
		}
	}
	return nil
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
