package study

import (
	"fmt"
	"time"
)

// Identity pins what is simulated: the version of the simulator and the hash
// of the machine's description.
type Identity struct {
	ModelVersion, MachineHash string
}

// Job is one run of the matrix.
type Job struct {
	Key
	Set int // index of the constant set
	Run int // index of the run with that set
}

// Jobs returns the matrix of a plan: every row, arm, constant set and run. The
// order makes a partial sweep useful: first the first run of every row and arm
// with the first set, then that with the next set, and only then a second run
// of anything.
func Jobs(s *Study, plan Plan, ident Identity) ([]Job, error) {
	if plan.N < 1 {
		return nil, fmt.Errorf("study: %s: plan has %d runs a cell; give at least 1", s.ID, plan.N)
	}
	for _, r := range s.Table.Rows {
		if plan.MeasureOf(r.Key) <= 0 || plan.WarmupOf(r.Key) < 0 {
			return nil, fmt.Errorf("study: %s: plan measures row %s for %v after %v; give it a time", s.ID, r.Key, plan.MeasureOf(r.Key), plan.WarmupOf(r.Key))
		}
	}
	sets := s.constantSets(plan.Sets)
	var jobs []Job
	for run := range plan.N {
		for set, constants := range sets {
			for _, r := range s.Table.Rows {
				for _, arm := range [...]string{ArmBase, ArmPatched, ArmControl} {
					stream := pairStream
					if arm == ArmControl {
						stream = controlStream
					}
					jobs = append(jobs, Job{
						Key: Key{
							ModelVersion: ident.ModelVersion,
							Study:        s.ID,
							Machine:      s.Machine,
							MachineHash:  ident.MachineHash,
							Kernel:       s.Kernel,
							Patch:        s.Patch,
							Workload:     s.Workload,
							Constants:    constants,
							Row:          r.Key,
							Arm:          arm,
							Seed:         deriveSeed(plan.Seed, stream, r.Key, set, run),
							Age:          plan.AgeOf(r.Key),
							Warmup:       plan.WarmupOf(r.Key),
							Measure:      plan.MeasureOf(r.Key),
						},
						Set: set,
						Run: run,
					})
				}
			}
		}
	}
	return jobs, nil
}

// constantSets returns the values of every constant, by name, for the first n
// sets of the ensemble, or the study's own values as the only set.
func (s *Study) constantSets(n int) []map[string]float64 {
	n = min(n, len(s.Ensemble.Sets))
	if n <= 0 {
		return []map[string]float64{s.constantValues()}
	}
	sets := make([]map[string]float64, n)
	for k := range sets {
		sets[k] = s.constantValues()
		for j, name := range s.Ensemble.Names {
			sets[k][name] = s.Ensemble.Sets[k][j]
		}
	}
	return sets
}

func (s *Study) constantValues() map[string]float64 {
	values := make(map[string]float64, len(s.Constants))
	for _, c := range s.Constants {
		values[c.Name] = c.Value
	}
	return values
}

// AgeOf is the simulated time for which a row is aged.
func (p Plan) AgeOf(row string) time.Duration { return byRow(p.Age, row) }

// WarmupOf is the simulated time before measuring of a row.
func (p Plan) WarmupOf(row string) time.Duration { return byRow(p.Warmup, row) }

// MeasureOf is the simulated time that a row is measured for.
func (p Plan) MeasureOf(row string) time.Duration { return byRow(p.Measure, row) }

func byRow(times map[string]time.Duration, row string) time.Duration {
	if d, ok := times[row]; ok {
		return d
	}
	return times[""]
}
