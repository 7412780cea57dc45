package study

import (
	"fmt"
	"math"

	"github.com/schedlab/schedlab/schedsim"
)

// Build reads the runs of a plan from the store and judges them. It simulates
// nothing. Rows without a pair of runs are in the outcome too, with the verdict
// NotRun, and in its Missing. The error is of the file system, of a bad plan,
// or says that runs are in another unit than the published table.
func Build(s *Study, plan Plan, store *Store, ident Identity) (*Outcome, error) {
	jobs, err := Jobs(s, plan, ident)
	if err != nil {
		return nil, err
	}
	o := &Outcome{
		Study:        s,
		Plan:         plan,
		ModelVersion: ident.ModelVersion,
		MachineHash:  ident.MachineHash,
		WantRuns:     len(jobs),
	}
	sets := len(s.constantSets(plan.Sets))
	rows := make(map[string]*rowRuns)
	for _, j := range jobs {
		r, ok, err := store.Get(j.Key)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		if r.Unit != s.Table.Unit {
			return nil, fmt.Errorf("study: %s: run is in %q, the published table in %q; make the workload report that", j.Key, r.Unit, s.Table.Unit)
		}
		o.HaveRuns++
		if rows[j.Row] == nil {
			rows[j.Row] = newRowRuns(sets, plan.N)
		}
		rows[j.Row].put(j, r)
	}
	for _, r := range s.Table.Rows {
		if rows[r.Key] == nil {
			rows[r.Key] = newRowRuns(sets, plan.N)
		}
		cell := buildCell(s, r, rows[r.Key])
		if cell.Simulated.N == 0 {
			o.Missing = append(o.Missing, r.Key)
		}
		o.Cells = append(o.Cells, cell)
	}
	o.Claims = JudgeClaims(s, o.Cells)
	if !s.Elsewhere() {
		o.Evidence = evidence(s, o.Cells)
	}
	o.MedianBaseErrPct = medianBaseError(o.Cells)
	o.Warnings = store.Warnings()
	return o, nil
}

// buildCell aggregates the runs of a row.
func buildCell(s *Study, r Row, runs *rowRuns) Cell {
	statistic := s.Table.Statistic
	pairs := runs.pairs(ArmPatched)
	effect := pairs.groups(statistic)
	control := runs.pairs(ArmControl).groups(statistic).Overall()
	c := Cell{
		Study:         s.ID,
		Table:         s.Table.ID,
		Machine:       s.Machine,
		Row:           r.Key,
		Metric:        s.Table.Statistic,
		Unit:          s.Table.Unit,
		Better:        s.Table.Better,
		Published:     Effect{Number(r.Base), Number(r.Patched), Number(r.Pct)},
		Noise:         r.Noise,
		Simulated:     effect.Overall(),
		PerSet:        effect.PerSet(),
		BaseErrorPct:  NotMeasured,
		Base:          pairs.arm(0),
		Patched:       pairs.arm(1),
		ControlPct:    control.Pct,
		ControlCILow:  control.CILow,
		ControlCIHigh: control.CIHigh,
	}
	if c.Simulated.Base.Measured() && !s.Elsewhere() {
		c.BaseErrorPct = 100 * (c.Simulated.Base - Number(r.Base)) / Number(r.Base)
	}
	ruling := JudgeEnsemble(c.Published, c.Noise, c.Simulated, c.PerSet, c.Better, s.Ensemble.Names, s.Ensemble.Sets)
	c.Verdict, c.Reason = ruling.Verdict, ruling.Reason
	c.Agreement, c.DecidingConstant = ruling.Agreement, ruling.Deciding
	switch {
	case c.Simulated.N == 0:
		c.Reason = fmt.Sprintf("the store has no pair of runs for row %s; run 'mkreport run %s'", r.Key, s.ID)
	case !c.Simulated.Pct.Measured():
		c.Reason = fmt.Sprintf("a run of row %s measured no throughput, which has no %s; run it for longer", r.Key, statistic)
	}
	if control.isEffect() {
		c.Reason += fmt.Sprintf("; beware: base against base under another seed differs as well, by %+.2f %% [%+.2f, %+.2f]",
			float64(control.Pct), float64(control.CILow), float64(control.CIHigh))
	}
	return c
}

// medianBaseError is the median absolute error of the simulated base column
// over the rows that were run.
func medianBaseError(cells []Cell) Number {
	var errs []float64
	for _, c := range cells {
		if c.BaseErrorPct.Measured() {
			errs = append(errs, math.Abs(float64(c.BaseErrorPct)))
		}
	}
	return Number(Median(errs))
}

// rowRuns has the runs of one row, by arm, constant set and run index; nil
// where the store has none.
type rowRuns struct {
	arms map[string][][]*schedsim.Result
}

func newRowRuns(sets, n int) *rowRuns {
	r := &rowRuns{arms: make(map[string][][]*schedsim.Result)}
	for _, arm := range [...]string{ArmBase, ArmPatched, ArmControl} {
		r.arms[arm] = make([][]*schedsim.Result, sets)
		for k := range sets {
			r.arms[arm][k] = make([]*schedsim.Result, n)
		}
	}
	return r
}

func (r *rowRuns) put(j Job, result schedsim.Result) {
	r.arms[j.Arm][j.Set][j.Run] = &result
}

// pairs returns the runs of which both the base arm and the other one are
// there, so that both columns are of the same seeds.
func (r *rowRuns) pairs(other string) runPairs {
	out := make(runPairs, len(r.arms[ArmBase]))
	for k, runs := range r.arms[ArmBase] {
		for i, base := range runs {
			if second := r.arms[other][k][i]; base != nil && second != nil {
				out[k] = append(out[k], [2]*schedsim.Result{base, second})
			}
		}
	}
	return out
}

// runPairs are pairs of runs by constant set.
type runPairs [][][2]*schedsim.Result

// groups returns the throughput of the pairs.
func (p runPairs) groups(statistic string) PairedGroups {
	g := PairedGroups{
		Statistic: statistic,
		Base:      make([][]float64, len(p)),
		Patched:   make([][]float64, len(p)),
	}
	for k, pairs := range p {
		for _, pair := range pairs {
			g.Base[k] = append(g.Base[k], pair[0].Throughput)
			g.Patched[k] = append(g.Patched[k], pair[1].Throughput)
		}
	}
	return g
}

// arm aggregates the first (0) or second (1) runs of the pairs.
func (p runPairs) arm(which int) Arm {
	var a Arm
	for _, pairs := range p {
		for _, pair := range pairs {
			r := pair[which]
			a.Values = append(a.Values, r.Throughput)
			a.SocketShare = append(a.SocketShare, r.SocketShare)
			a.SimulatedNS += r.MeasuredNS
			addCounters(&a.Counters, r.Counters)
		}
	}
	a.Spread = spread(a.Values)
	return a
}
