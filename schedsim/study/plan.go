package study

import (
	"fmt"
	"time"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/topology"
)

// Identity pins what is simulated: the version of the simulator and the hash
// of each machine's description, by the machine's id.
type Identity struct {
	ModelVersion string
	Machines     map[string]string
}

// Identity returns that of the study as this program simulates it.
func (s *Study) Identity() (Identity, error) {
	out := Identity{ModelVersion: schedsim.ModelVersion, Machines: make(map[string]string)}
	if s.model != nil {
		out.Machines[s.model.ID] = s.model.Hash()
		return out, nil
	}
	for _, id := range s.Machines() {
		m, err := topology.Load(id)
		if err != nil {
			return Identity{}, fmt.Errorf("study: %s: %w", s.ID, err)
		}
		out.Machines[id] = m.Hash()
	}
	return out, nil
}

// Job is one run of the matrix.
type Job struct {
	Key
	Set int // index of the constant set
	Run int // index of the run with that set

	point int // index into Study.points
}

// Jobs returns the matrix of a plan: every row, arm, constant set and run, rows
// with equal setups once. The order makes a partial sweep useful: first the first
// run of every row and arm with the first set, then that with the next set, and
// only then a second run of anything. Ablations have no control.
func Jobs(s *Study, plan Plan, ident Identity) ([]Job, error) {
	if plan.N < 1 {
		return nil, fmt.Errorf("study: %s: plan has %d runs a cell; give at least 1", s.ID, plan.N)
	}
	points, err := s.points(plan)
	if err != nil {
		return nil, err
	}
	var jobs []Job
	for run := range max(plan.N, plan.Histories) {
		more, err := s.jobsOf(plan, ident, points, run, func(i int) bool {
			if points[i].history >= 0 {
				return run < plan.Histories
			}
			return run < plan.N
		})
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, more...)
	}
	return jobs, nil
}

// jobsOf is one run of every kind of the points that are wanted.
func (s *Study) jobsOf(plan Plan, ident Identity, points []point, run int, wanted func(point int) bool) ([]Job, error) {
	var jobs []Job
	for set, values := range s.constantSets(plan.Sets) {
		for i := range points {
			p := &points[i]
			if !wanted(i) {
				continue
			}
			arms := []string{ArmBase, ArmPatched, ArmControl}
			if plan.ControlSets > 0 && set >= plan.ControlSets {
				arms = arms[:2]
			}
			if p.history >= 0 {
				if set > 0 {
					continue
				}
				arms = []string{ArmBase, ArmPatched}
			}
			if p.ablation >= 0 {
				if set >= plan.AblationSets {
					continue
				}
				arms = s.Ablations[p.ablation].arms()
			}
			for _, arm := range arms {
				stream := pairStream
				if arm == ArmControl {
					stream = controlStream
				}
				j, err := s.job(ident, p, values, arm, deriveSeed(plan.Seed, stream, p.row, set, run))
				if err != nil {
					return nil, err
				}
				j.Set, j.Run, j.point = set, run, i
				jobs = append(jobs, j)
			}
		}
	}
	return jobs, nil
}

// skips reports whether the plan leaves a row out.
func (p *Plan) skips(t *Table, r *Row) bool {
	for _, name := range p.Skip {
		if name == t.ID || name == t.ID+"/"+r.Key || name == r.Key {
			return true
		}
	}
	return false
}

// AgeOf is the simulated time for which a row of a table is aged.
func (p Plan) AgeOf(table, row string) time.Duration { return byRow(p.Age, table, row) }

// WarmupOf is the simulated time before measuring of a row.
func (p Plan) WarmupOf(table, row string) time.Duration { return byRow(p.Warmup, table, row) }

// MeasureOf is the simulated time that a row is measured for.
func (p Plan) MeasureOf(table, row string) time.Duration { return byRow(p.Measure, table, row) }

// byRow looks up a row, from the most to the least specific.
func byRow(times map[string]time.Duration, table, row string) time.Duration {
	for _, name := range [...]string{table + "/" + row, row, table, ""} {
		if d, ok := times[name]; ok {
			return d
		}
	}
	return 0
}
