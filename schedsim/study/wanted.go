package study

import "errors"

// Wanted is the set of runs that studies ask for with some seed, some number of runs
// and some times: those of their plans as they are now, of their ablations and their
// sensitivity.
type Wanted struct{ setups map[string]bool }

// Add adds the runs of a study on the machines of an identity.
func (w *Wanted) Add(s *Study, ident Identity) error {
	if w.setups == nil {
		w.setups = make(map[string]bool)
	}
	for _, mode := range Modes() {
		plan, err := s.Plan(mode)
		if err != nil {
			continue // it has none of that mode
		}
		plan.N, plan.ControlSets = 1, 0
		// The ensemble, and the constants as they are: --sets chooses.
		for _, sets := range []int{len(s.Ensemble.Sets), 0} {
			plan.Sets, plan.AblationSets = sets, max(sets, 1)
			runs, err := Jobs(s, plan, ident)
			sensitivity, err2 := SensitivityJobs(s, plan, ident)
			if err := errors.Join(err, err2); err != nil {
				return err
			}
			for _, jobs := range [][]Job{runs, sensitivity} {
				for i := range jobs {
					hash, err := setupHash(jobs[i].Key)
					if err != nil {
						return err
					}
					w.setups[hash] = true
				}
			}
		}
	}
	return nil
}

// Has reports whether a run is of the set.
func (w *Wanted) Has(k Key) bool {
	hash, err := setupHash(k)
	return err == nil && w.setups[hash]
}

// setupHash is the hash of a key without what the command line chooses.
func setupHash(k Key) (string, error) {
	k.Arm, k.Seed, k.Age, k.Warmup, k.Measure = "", 0, 0, 0, 0
	return k.Hash()
}
