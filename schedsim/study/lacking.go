package study

import (
	"maps"
	"slices"
)

// LackingParts are the parts of n, in ascending order, that have runs of the plan
// which the store has not, and how many runs these are. Runs beyond the plan's N
// (see Plan.MaxN) belong to no part.
func LackingParts(s *Study, plan Plan, store *Store, ident Identity, n int) (parts []int, runs int, err error) {
	jobs, err := Jobs(s, plan, ident)
	if err != nil {
		return nil, 0, err
	}
	lacking := make(map[int]bool)
	for _, j := range jobs {
		_, ok, err := store.Get(j.Key)
		if err != nil {
			return nil, 0, err
		}
		if ok {
			continue
		}
		hash, err := j.Hash()
		if err != nil {
			return nil, 0, err
		}
		lacking[partOf(hash, n)] = true
		runs++
	}
	return slices.Sorted(maps.Keys(lacking)), runs, nil
}
