package study

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/schedlab/schedlab/schedsim/workload"
)

// point is one setup with its times: what the runs of one or several rows, of
// which each takes its own figure, simulate.
type point struct {
	setup Setup
	table string // whose constants apply
	// row is the key of the first row that has the point. The runs' seeds follow
	// from it: rows of one key have common random numbers in all tables.
	row string
	// ablation is the index of the ablation that the point is of, or -1.
	ablation int
	// history is the index of the histories that the point is of, or -1.
	history int
	// last are patches that are applied after those of the arm.
	last                 []string
	age, warmup, measure time.Duration
	cells                []cellRef
}

// published reports whether the point is a row's as it was published, and not of an
// ablation or of another past.
func (p *point) published() bool { return p.ablation < 0 && p.history < 0 }

// cellRef is a row of a study by its place.
type cellRef struct{ table, row int }

// points returns what a plan runs: first every row's own point, then those of the
// ablations, then those of other pasts. Rows whose setups are equal share one.
func (s *Study) points(plan Plan) ([]point, error) {
	var out []point
	index := make(map[string]int)
	add := func(p point, ref cellRef) error {
		id, err := p.identity(s)
		if err != nil {
			return err
		}
		i, ok := index[id]
		if !ok {
			i = len(out)
			index[id] = i
			out = append(out, p)
		}
		out[i].cells = append(out[i].cells, ref)
		return nil
	}
	for i := range s.Tables {
		t := &s.Tables[i]
		for j := range t.Rows {
			r := &t.Rows[j]
			if r.NotModelled != "" || plan.skips(t, r) {
				continue
			}
			p, err := s.pointOf(plan, t, r)
			if err != nil {
				return nil, err
			}
			if err := add(p, cellRef{i, j}); err != nil {
				return nil, err
			}
		}
	}
	if plan.AblationSets == 0 {
		past, err := s.historyPoints(plan)
		return append(out, past...), err
	}
	for k := range s.Ablations {
		a := &s.Ablations[k]
		for _, ref := range s.ablated(a) {
			t := &s.Tables[ref.table]
			r := &t.Rows[ref.row]
			if r.NotModelled != "" || plan.skips(t, r) {
				continue
			}
			p, err := s.pointOf(plan, t, r)
			if err != nil {
				return nil, err
			}
			p.ablation = k
			p.last = a.Patches
			p.setup.System = merged(p.setup.System, a.System)
			if p.setup.Params, err = completeParams(p.setup.Workload, merged(t.setupOf(r).Params, a.Params)); err != nil {
				return nil, fmt.Errorf("study: %s: ablation %s: %w", s.ID, a.ID, err)
			}
			if err := add(p, ref); err != nil {
				return nil, err
			}
		}
	}
	past, err := s.historyPoints(plan)
	return append(out, past...), err
}

// pointOf is the point of a row.
func (s *Study) pointOf(plan Plan, t *Table, r *Row) (point, error) {
	p := point{
		setup: t.setupOf(r), table: t.ID, row: r.Key, ablation: -1, history: -1,
		age: plan.AgeOf(t.ID, r.Key), warmup: plan.WarmupOf(t.ID, r.Key), measure: plan.MeasureOf(t.ID, r.Key),
	}
	if p.measure <= 0 || p.warmup < 0 || p.age < 0 {
		return point{}, fmt.Errorf("study: %s: plan measures row %s for %v after %v; give it a time", s.ID, s.RowName(t.ID, r.Key), p.measure, p.warmup)
	}
	if s.model != nil {
		p.setup.Machine = s.model.ID
	}
	var err error
	if p.setup.Params, err = completeParams(p.setup.Workload, p.setup.Params); err != nil {
		return point{}, fmt.Errorf("study: %s: row %s: %w", s.ID, s.RowName(t.ID, r.Key), err)
	}
	return p, nil
}

// completeParams adds the defaults of the workload, so that a run's key has all
// that determines it.
func completeParams(load string, given map[string]string) (map[string]string, error) {
	spec, err := workload.Lookup(load)
	if err != nil {
		return nil, err
	}
	values, err := spec.Values(given)
	if err != nil {
		return nil, err
	}
	out := maps.Clone(given)
	if out == nil {
		out = make(map[string]string)
	}
	for _, p := range spec.Params {
		if _, ok := out[p.Name]; ok {
			continue
		}
		if p.Text {
			out[p.Name] = values.Text(p.Name)
		} else {
			out[p.Name] = formatFloat(values.Number(p.Name))
		}
	}
	return out, nil
}

// identity is a text that two points have in common if their runs are the same.
func (p *point) identity(s *Study) (string, error) {
	var constants []string
	for _, c := range s.Constants {
		if c.isFor(p.table, p.setup.Workload) {
			constants = append(constants, c.ID())
		}
	}
	b, err := json.Marshal(struct {
		Setup                Setup
		Ablation             int
		Age, Warmup, Measure time.Duration
		Constants            []string
	}{p.setup, p.ablation, p.age, p.warmup, p.measure, constants})
	return string(b), err
}

// ablated lists the rows that an ablation is of.
func (s *Study) ablated(a *Ablation) []cellRef {
	var out []cellRef
	for i := range s.Tables {
		t := &s.Tables[i]
		if a.Table != "" && a.Table != t.ID {
			continue
		}
		for j := range t.Rows {
			if len(a.Rows) == 0 || slices.Contains(a.Rows, t.Rows[j].Key) {
				out = append(out, cellRef{i, j})
			}
		}
	}
	return out
}
