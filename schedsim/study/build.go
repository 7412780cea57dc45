package study

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/schedlab/schedlab/schedsim"
)

// Build reads the runs of a plan from the store and judges them. It simulates
// nothing. Rows without a pair of runs are in the outcome too, with the verdict
// NotRun, and in its Missing. The error is of the file system, of a bad plan,
// or says that runs do not have a figure in the unit of the published table.
func Build(s *Study, plan Plan, store *Store, ident Identity) (*Outcome, error) {
	runs, err := readRuns(s, plan, store, ident)
	if err != nil {
		return nil, err
	}
	points, stored := runs.points, runs.by
	o := &Outcome{
		Study:        s,
		Plan:         plan,
		ModelVersion: ident.ModelVersion,
		Machines:     maps.Clone(ident.Machines),
		HaveRuns:     runs.have,
		WantRuns:     runs.want,
	}
	dropped := make([]Number, len(points))
	for i := range points {
		dropped[i] = NotMeasured
		if share, ok := stored[i].dropWarmup(); ok {
			dropped[i] = Number(100 * share)
		}
	}
	own := make(map[cellRef]*pointRuns) // of the row as published
	warmup := make(map[cellRef]Number)
	for i, p := range points {
		for _, ref := range p.cells {
			if p.published() {
				own[ref] = stored[i]
				warmup[ref] = dropped[i]
			}
		}
	}
	for i := range s.Tables {
		for j := range s.Tables[i].Rows {
			cell, err := buildCell(s, &s.Tables[i], &s.Tables[i].Rows[j], own[cellRef{i, j}])
			if err != nil {
				return nil, err
			}
			cell.DroppedPct = NotMeasured
			if d, ok := warmup[cellRef{i, j}]; ok && s.Tables[i].MetricOf(&s.Tables[i].Rows[j]) == throughput {
				cell.DroppedPct = d
			}
			if cell.Simulated.N == 0 && cell.Verdict != NotModelled {
				o.Missing = append(o.Missing, s.RowName(cell.Table, cell.Row))
			}
			o.Cells = append(o.Cells, cell)
		}
	}
	for i := range points {
		if points[i].history < 0 {
			continue
		}
		cell, err := buildHistory(s, &points[i], stored[i])
		if err != nil {
			return nil, err
		}
		o.Histories = append(o.Histories, cell)
	}
	for i, p := range points {
		if p.ablation < 0 {
			continue
		}
		for _, ref := range p.cells {
			cell, err := buildAblation(s, &s.Ablations[p.ablation], ref, stored[i], own[ref])
			if err != nil {
				return nil, err
			}
			o.Ablations = append(o.Ablations, cell)
		}
	}
	if err := o.applySensitivity(store, ident); err != nil {
		return nil, err
	}
	for i := range o.Cells {
		c := &o.Cells[i]
		c.Findings = s.findingsOf(c.Table, c.Row, c.Verdict)
	}
	o.Claims = JudgeClaims(s, o.Cells)
	if !s.Elsewhere() {
		for i := range s.Tables {
			o.Evidence = append(o.Evidence, evidence(&s.Tables[i], o.Cells)...)
		}
	}
	o.MedianBaseErrPct = medianBaseError(o.Cells)
	o.Warnings = store.Warnings()
	return o, nil
}

// applySensitivity adds the sensitivity of the plan, or if the store has not all of that
// that of the quick plan: to see what moves a cell takes fewer runs than to say by how
// much. A cell that no constant moves would agree with anything that the model gives,
// so it does not count as reproduced.
func (o *Outcome) applySensitivity(store *Store, ident Identity) error {
	plans := []Plan{o.Plan}
	if quick, err := o.Study.Plan(ModeQuick); err == nil && o.Plan.Mode != ModeQuick {
		quick.Seed = o.Plan.Seed
		plans = append(plans, quick)
	}
	for _, plan := range plans {
		sens, err := storedSensitivity(o.Study, plan, store, ident)
		if err != nil {
			return err
		}
		if sens != nil {
			o.Sensitivity = sens
			break
		}
	}
	if o.Sensitivity == nil {
		return nil
	}
	for i := range o.Cells {
		c := &o.Cells[i]
		if c.Verdict != Reproduced {
			continue
		}
		if sc := o.Sensitivity.cell(c.Table, c.Row); sc != nil && sc.Unfalsifiable() {
			c.Verdict = Unfalsifiable
			c.Reason += "; but no constant moves it over its range, so that agreement means nothing"
		}
	}
	return nil
}

// storedSensitivity is the sensitivity of a plan if the store has all its runs, or nil.
func storedSensitivity(s *Study, plan Plan, store *Store, ident Identity) (*Sensitivity, error) {
	jobs, err := SensitivityJobs(s, plan, ident)
	if err != nil || len(jobs) == 0 {
		return nil, err
	}
	// The last is run last: without it there is no need to read the others.
	if _, ok, err := store.Get(jobs[len(jobs)-1].Key); !ok || err != nil {
		return nil, err
	}
	sens, err := BuildSensitivity(s, plan, store, ident)
	if err != nil || sens.HaveRuns < sens.WantRuns {
		return nil, err
	}
	return sens, nil
}

// buildCell aggregates the runs of a row, of which there are none if runs is nil.
func buildCell(s *Study, t *Table, r *Row, runs *pointRuns) (Cell, error) {
	statistic := t.Statistic
	skipped := runs == nil
	if skipped {
		runs = newPointRuns(1, 1)
	}
	take := figure{t.MetricOf(r), t.UnitOf(r)}
	pairs := runs.pairs(ArmBase, runs, ArmPatched)
	effect, err := pairs.groups(statistic, take)
	if err != nil {
		return Cell{}, fmt.Errorf("study: %s row %s: %w", s.ID, s.RowName(t.ID, r.Key), err)
	}
	controlled, err := runs.pairs(ArmBase, runs, ArmControl).groups(statistic, take)
	if err != nil {
		return Cell{}, fmt.Errorf("study: %s row %s: %w", s.ID, s.RowName(t.ID, r.Key), err)
	}
	control := controlled.Overall()
	metric := statistic
	if take.metric != throughput {
		metric = take.metric
	}
	c := Cell{
		Study:         s.ID,
		Table:         t.ID,
		Machine:       t.Machine,
		Row:           r.Key,
		Metric:        metric,
		Unit:          take.unit,
		Better:        t.BetterOf(r),
		Published:     Effect{r.Base, r.Patched, r.Pct},
		Expect:        r.Expect,
		Noise:         r.Noise,
		Simulated:     effect.Overall(),
		PerSet:        effect.PerSet(),
		BaseErrorPct:  NotMeasured,
		Base:          pairs.arm(0, take),
		Patched:       pairs.arm(1, take),
		Pairs:         runs.provenance(),
		ControlPct:    control.Pct,
		ControlCILow:  control.CILow,
		ControlCIHigh: control.CIHigh,
	}
	c.Base.PublishedCVPct, c.Patched.PublishedCVPct = t.publishedCV(r)
	c.RunWidth = NotMeasured
	if width, n := effect.RunWidth(); n > 0 && !math.IsNaN(width) {
		c.RunWidth, c.MoreRuns = Number(width), moreRuns(width, widthWanted(r.Noise), n)
	}
	if c.Simulated.Base.Measured() && r.Base.Measured() && !s.Elsewhere() {
		c.BaseErrorPct = 100 * (c.Simulated.Base - r.Base) / r.Base
	}
	if r.NotModelled != "" {
		c.Verdict, c.Reason, c.Agreement = NotModelled, r.NotModelled, NotMeasured
		return c, nil
	}
	ruling := judgeSets(s.ruleFor(t, r), c.Simulated, c.PerSet, s.ownNames(t), s.Ensemble.Sets)
	c.Verdict, c.Reason = ruling.Verdict, ruling.Reason
	c.Agreement, c.DecidingConstant = ruling.Agreement, ruling.Deciding
	switch {
	case skipped:
		c.Reason = "the plan leaves the row out"
	case c.Simulated.N == 0:
		c.Reason = fmt.Sprintf("the store has no pair of runs for row %s; run 'mkreport run %s'", s.RowName(t.ID, r.Key), s.ID)
	case !c.Simulated.Pct.Measured():
		c.Reason = fmt.Sprintf("a run of row %s measured no %s, which has no %s; run it for longer", s.RowName(t.ID, r.Key), take.metric, statistic)
	}
	if control.isEffect() {
		c.Reason += fmt.Sprintf("; beware: base against base under another seed differs as well, by %+.2f %% [%+.2f, %+.2f]",
			float64(control.Pct), float64(control.CILow), float64(control.CIHigh))
	}
	return c, nil
}

// ownNames are the names of the ensemble's constants, empty for those that runs of the
// table do not have.
func (s *Study) ownNames(t *Table) []string {
	names := slices.Clone(s.Ensemble.Names)
	for i, id := range names {
		if c := s.Constant(id); c == nil || !c.isFor(t.ID, t.Workload) {
			names[i] = ""
		}
	}
	return names
}

// ruleFor is the rule by which a row is judged.
func (s *Study) ruleFor(t *Table, r *Row) rule {
	if r.Expect != "" && r.Expect != expectNone {
		return ruleOfClaim(r.Expect, t.BetterOf(r))
	}
	return ruleOf(Effect{r.Base, r.Patched, r.Pct}, r.Noise, t.BetterOf(r))
}

// buildAblation aggregates the runs of a row with a mechanism switched off.
func buildAblation(s *Study, a *Ablation, ref cellRef, without, with *pointRuns) (AblationCell, error) {
	t := &s.Tables[ref.table]
	r := &t.Rows[ref.row]
	take := figure{t.MetricOf(r), t.UnitOf(r)}
	c := AblationCell{Ablation: *a, Table: t.ID, Row: r.Key, With: notMeasuredInterval, Effect: notMeasuredInterval}
	if with == nil {
		c.judge(t.BetterOf(r))
		return c, nil
	}
	pairs := without.pairs(ArmBase, without, ArmPatched)
	if a.Against == againstBase {
		pairs = with.pairs(ArmBase, without, ArmBase)
	}
	groups, err := pairs.groups(t.Statistic, take)
	if err == nil {
		c.Effect = groups.Overall()
		var whole PairedGroups
		whole, err = with.pairs(ArmBase, with, ArmPatched).groups(t.Statistic, take)
		c.With = whole.Overall()
	}
	if err != nil {
		return c, fmt.Errorf("study: %s ablation %s: %w", s.ID, a.ID, err)
	}
	c.Identical = c.Effect.N > 0
	for k := range groups.Base {
		c.Identical = c.Identical && slices.Equal(groups.Base[k], groups.Patched[k])
	}
	c.judge(t.BetterOf(r))
	return c, nil
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

// pointRuns has the runs of one point, by arm, constant set and run index; nil
// where the store has none.
type pointRuns struct {
	arms map[string][][]*schedsim.Result
	keys map[string][][]*Key
}

func newPointRuns(sets, n int) *pointRuns {
	r := &pointRuns{arms: make(map[string][][]*schedsim.Result), keys: make(map[string][][]*Key)}
	for _, arm := range [...]string{ArmBase, ArmPatched, ArmControl} {
		r.arms[arm] = make([][]*schedsim.Result, sets)
		r.keys[arm] = make([][]*Key, sets)
		for k := range sets {
			r.arms[arm][k] = make([]*schedsim.Result, n)
			r.keys[arm][k] = make([]*Key, n)
		}
	}
	return r
}

func (r *pointRuns) put(j Job, result schedsim.Result) {
	r.arms[j.Arm][j.Set][j.Run] = &result
	r.keys[j.Arm][j.Set][j.Run] = &j.Key
}

// pairs returns the runs of which both the first arm and the second, of the same or
// another point, are there, so that both columns are of the same seeds.
func (r *pointRuns) pairs(first string, other *pointRuns, second string) runPairs {
	out := make(runPairs, len(r.arms[first]))
	for k, runs := range r.arms[first] {
		for i, base := range runs {
			if b := other.arms[second][k][i]; base != nil && b != nil {
				out[k] = append(out[k], [2]*schedsim.Result{base, b})
			}
		}
	}
	return out
}

// figure is what is taken from a run.
type figure struct{ metric, unit string }

// runPairs are pairs of runs by constant set.
type runPairs [][][2]*schedsim.Result

// groups returns a figure of the pairs.
func (p runPairs) groups(statistic string, f figure) (PairedGroups, error) {
	g := PairedGroups{
		Statistic: statistic,
		Counts:    f.metric != throughput && statistic != "Hmean",
		Base:      make([][]float64, len(p)),
		Patched:   make([][]float64, len(p)),
	}
	for k, pairs := range p {
		for _, pair := range pairs {
			base, err := figureOf(pair[0], f.metric, f.unit)
			if err != nil {
				return g, err
			}
			patched, err := figureOf(pair[1], f.metric, f.unit)
			if err != nil {
				return g, err
			}
			g.Base[k] = append(g.Base[k], base)
			g.Patched[k] = append(g.Patched[k], patched)
		}
	}
	return g, nil
}

// arm aggregates the first (0) or second (1) runs of the pairs.
func (p runPairs) arm(which int, f figure) Arm {
	a := Arm{PublishedCVPct: NotMeasured}
	counts := make(map[string]int)
	sets := make([][]float64, len(p))
	for set, pairs := range p {
		for _, pair := range pairs {
			r := pair[which]
			v, _ := figureOf(r, f.metric, f.unit) // groups has seen it
			a.Values = append(a.Values, v)
			sets[set] = append(sets[set], v)
			a.SocketShare = append(a.SocketShare, r.SocketShare)
			a.SimulatedNS += r.MeasuredNS
			addCounters(&a.Counters, r.Counters)
			for _, m := range r.Metrics {
				if a.Metrics == nil {
					a.Metrics = make(map[string]float64)
				}
				a.Metrics[m.Name] += m.Value
				counts[m.Name]++
			}
		}
	}
	for name, n := range counts {
		if n < len(a.Values) {
			delete(a.Metrics, name)
		} else {
			a.Metrics[name] /= float64(n)
		}
	}
	a.Spread = spread(a.Values)
	a.CVPct = withinCV(sets)
	a.Bimodal = bimodal(a.Values)
	return a
}
