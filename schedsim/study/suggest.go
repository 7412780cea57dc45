package study

import (
	"sort"
	"strings"
)

// suggest says what the user may have meant by an unknown name: the two
// closest of the known ones, or all if none is close.
func suggest(name string, known []string) string {
	type candidate struct {
		name     string
		distance int
	}
	var near []candidate
	for _, k := range known {
		d := editDistance(name, k)
		if name != "" && strings.Contains(k, name) {
			d = 0
		}
		if 2*d <= len(k) {
			near = append(near, candidate{k, d})
		}
	}
	sort.SliceStable(near, func(i, j int) bool { return near[i].distance < near[j].distance })
	switch {
	case len(near) == 0:
		return "known are " + strings.Join(known, ", ")
	case len(near) == 1:
		return "did you mean " + near[0].name + "?"
	}
	return "did you mean " + near[0].name + " or " + near[1].name + "?"
}

// editDistance is the Levenshtein distance in bytes.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			substitute := diagonal
			if a[i-1] != b[j-1] {
				substitute++
			}
			diagonal = row[j]
			row[j] = min(substitute, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
