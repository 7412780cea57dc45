package study

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/schedlab/schedlab/schedsim"
)

// Sensitivity is how the effects of a study depend on its constants: each of them at
// both ends of its range in turn, the others as they are.
type Sensitivity struct {
	Study *Study
	Plan  Plan
	Cells []SensitivityCell
	// HaveRuns of the WantRuns were in the store.
	HaveRuns, WantRuns int
}

// SensitivityCell is one row under all variations.
type SensitivityCell struct {
	Table, Row string
	// Effect and Verdict are with the constants as they are.
	Effect  Interval
	Verdict Verdict
	Moves   []Move
}

// Move is what one constant does to a row at the ends of its range.
type Move struct {
	Constant  string // as of Constant.ID
	Low, High Interval
	// LowVerdict and HighVerdict are those that the cell would have there.
	LowVerdict, HighVerdict Verdict
	// Moved: at one end the effect differs from that in the middle by more than
	// the intervals of both together, and by no less than what counts as an effect.
	Moved bool
}

// Moved lists the constants that move the cell.
func (c *SensitivityCell) Moved() []string {
	var names []string
	for _, m := range c.Moves {
		if m.Moved {
			names = append(names, m.Constant)
		}
	}
	return names
}

// HangsOn lists the constants that change the cell's verdict.
func (c *SensitivityCell) HangsOn() []string {
	var names []string
	for _, m := range c.Moves {
		if m.LowVerdict != c.Verdict && m.LowVerdict != NotRun || m.HighVerdict != c.Verdict && m.HighVerdict != NotRun {
			names = append(names, m.Constant)
		}
	}
	return names
}

// variation is one set of constants: all as they are, or one at an end.
type variation struct {
	constant string // "" for all as they are
	high     bool
	values   map[string]float64
}

// variations lists them: all constants as they are first, then each low and high.
func (s *Study) variations() []variation {
	out := []variation{{values: valuesOf(s.Constants)}}
	for _, c := range s.Constants {
		for _, high := range []bool{false, true} {
			v := variation{constant: c.ID(), high: high, values: maps.Clone(out[0].values)}
			v.values[c.ID()] = c.Low
			if high {
				v.values[c.ID()] = c.High
			}
			out = append(out, v)
		}
	}
	return out
}

// SensitivityJobs returns the runs that a plan's sensitivity takes: every row's own,
// both columns, under all variations and with the same seeds in all of them. A row
// is left out of the variations of constants that it does not have.
func SensitivityJobs(s *Study, plan Plan, ident Identity) ([]Job, error) {
	plan.AblationSets, plan.Histories = 0, 0
	points, err := s.points(plan)
	if err != nil {
		return nil, err
	}
	var jobs []Job
	for run := range max(plan.N, 1) {
		for k, v := range s.variations() {
			for i := range points {
				p := &points[i]
				if c := s.Constant(v.constant); c != nil && !c.isFor(p.table, p.setup.Workload) {
					continue
				}
				for _, arm := range []string{ArmBase, ArmPatched} {
					seed := deriveSeed(plan.Seed, pairStream, p.row, 0, run)
					j, err := s.job(ident, p, v.values, arm, seed)
					if err != nil {
						return nil, err
					}
					j.Set, j.Run, j.point = k, run, i
					jobs = append(jobs, j)
				}
			}
		}
	}
	return jobs, nil
}

// RunSensitivity does the runs that the store does not have, as Run does.
func RunSensitivity(ctx context.Context, s *Study, plan Plan, runner Runner, store *Store, opt Options) error {
	jobs, err := SensitivityJobs(s, plan, opt.Identity)
	if err != nil {
		return err
	}
	return runAll(ctx, jobs, runner, store, opt)
}

// BuildSensitivity judges what the store has of the runs. It simulates nothing.
func BuildSensitivity(s *Study, plan Plan, store *Store, ident Identity) (*Sensitivity, error) {
	plan.AblationSets, plan.Histories = 0, 0
	jobs, err := SensitivityJobs(s, plan, ident)
	if err != nil {
		return nil, err
	}
	variations := s.variations()
	out := &Sensitivity{Study: s, Plan: plan, WantRuns: len(jobs)}
	stored := make(map[int]*pointRuns)
	err = store.getAll(jobs, func(j Job, r schedsim.Result, ok bool) {
		if stored[j.point] == nil {
			stored[j.point] = newPointRuns(len(variations), max(plan.N, 1))
		}
		if ok {
			out.HaveRuns++
			stored[j.point].put(j, r)
		}
	})
	if err != nil {
		return nil, err
	}
	points, err := s.points(plan)
	if err != nil {
		return nil, err
	}
	for i, p := range points {
		stored[i].dropWarmup()
		for _, ref := range p.cells {
			cell, err := s.sensitivityCell(ref, variations, stored[i])
			if err != nil {
				return nil, err
			}
			out.Cells = append(out.Cells, cell)
		}
	}
	slices.SortStableFunc(out.Cells, func(a, b SensitivityCell) int {
		return s.position(a.Table, a.Row) - s.position(b.Table, b.Row)
	})
	return out, nil
}

// position is the place of a row in the study.
func (s *Study) position(table, row string) int {
	n := 0
	for i := range s.Tables {
		for j := range s.Tables[i].Rows {
			if s.Tables[i].ID == table && s.Tables[i].Rows[j].Key == row {
				return n
			}
			n++
		}
	}
	return n
}

// sensitivityCell is one row; the variations take the place of constant sets.
func (s *Study) sensitivityCell(ref cellRef, variations []variation, runs *pointRuns) (SensitivityCell, error) {
	t := &s.Tables[ref.table]
	r := &t.Rows[ref.row]
	c := SensitivityCell{Table: t.ID, Row: r.Key, Effect: notMeasuredInterval, Verdict: NotRun}
	groups, err := runs.pairs(ArmBase, runs, ArmPatched).groups(t.Statistic, figure{t.MetricOf(r), t.UnitOf(r)})
	if err != nil {
		return c, fmt.Errorf("study: %s row %s: %w", s.ID, s.RowName(t.ID, r.Key), err)
	}
	effects := groups.PerSet()
	rule := s.ruleFor(t, r)
	judge := func(iv Interval) Verdict {
		if !iv.decidable() {
			return NotRun
		}
		v, _ := rule.judge(iv)
		return v
	}
	c.Effect, c.Verdict = effects[0], judge(effects[0])
	for k := 1; k < len(effects); k += 2 {
		m := Move{Constant: variations[k].constant, Low: effects[k], High: effects[k+1]}
		if m.Low.N == 0 && m.High.N == 0 {
			continue // of another table, or not run
		}
		m.LowVerdict, m.HighVerdict = judge(m.Low), judge(m.High)
		m.Moved = apart(c.Effect, m.Low) || apart(c.Effect, m.High)
		c.Moves = append(c.Moves, m)
	}
	return c, nil
}

// apart reports whether two effects differ by more than chance.
func apart(a, b Interval) bool {
	if !a.decidable() || !b.decidable() {
		return false
	}
	d := math.Abs(float64(a.Pct - b.Pct))
	return d >= minEffectPct && d > math.Hypot(a.halfWidth(), b.halfWidth())
}

// cell is that of a row, or nil.
func (s *Sensitivity) cell(table, row string) *SensitivityCell {
	i := slices.IndexFunc(s.Cells, func(c SensitivityCell) bool { return c.Table == table && c.Row == row })
	if i < 0 {
		return nil
	}
	return &s.Cells[i]
}

// Unfalsifiable reports whether all constants were tried on the cell and none moves
// it, where a move as great as the effect itself would have shown.
func (c *SensitivityCell) Unfalsifiable() bool {
	if !c.Effect.decidable() || len(c.Moves) == 0 || len(c.Moved()) > 0 {
		return false
	}
	shows := func(end Interval) bool {
		return end.decidable() && math.Hypot(c.Effect.halfWidth(), end.halfWidth()) < math.Abs(float64(c.Effect.Pct))
	}
	return !slices.ContainsFunc(c.Moves, func(m Move) bool { return !shows(m.Low) || !shows(m.High) })
}

// job is one run of a point.
func (s *Study) job(ident Identity, p *point, values map[string]float64, arm string, seed uint64) (Job, error) {
	hash, ok := ident.Machines[p.setup.Machine]
	if !ok {
		return Job{}, fmt.Errorf("study: %s: the identity has no machine %s", s.ID, p.setup.Machine)
	}
	return Job{Key: Key{
		ModelVersion:  ident.ModelVersion,
		Study:         s.ID,
		Machine:       p.setup.Machine,
		MachineHash:   hash,
		Kernel:        p.setup.Kernel,
		KernelPatches: slices.Clone(p.setup.KernelPatches),
		Patches:       slices.Clone(p.setup.PatchNames()),
		Reverse:       p.setup.Reversed(),
		Ablated:       slices.Clone(p.last),
		Workload:      p.setup.Workload,
		Params:        maps.Clone(p.setup.Params),
		System:        maps.Clone(p.setup.System),
		Constants:     s.constantsOf(p, values),
		Row:           p.row,
		Arm:           arm,
		Seed:          seed,
		Age:           p.age,
		Warmup:        p.warmup,
		Measure:       p.measure,
	}}, nil
}
