package study

// Pair is a pair of runs that a cell rests on: one of each column, under one seed
// and one set of constants. Its figures are the values of the cell's arms at the
// same place.
type Pair struct {
	Set, Run int // of the ensemble, and with that set; from 0
	// Base and Patched are everything that determined the two runs; their hashes
	// name the records in the store.
	Base, Patched Key
}

// provenance lists the pairs in the order of runPairs.
func (r *pointRuns) provenance() []Pair {
	var out []Pair
	base, patched := r.keys[ArmBase], r.keys[ArmPatched]
	for k := range base {
		for i := range base[k] {
			if base[k][i] != nil && patched[k][i] != nil {
				out = append(out, Pair{Set: k, Run: i, Base: *base[k][i], Patched: *patched[k][i]})
			}
		}
	}
	return out
}
