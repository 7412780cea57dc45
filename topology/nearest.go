package topology

import (
	"cmp"
	"slices"
	"strings"
)

// nearestShown bounds how many names an error suggests, and nearestSlack how
// many edits farther than the nearest one they may be.
const (
	nearestShown = 3
	nearestSlack = 1
)

// nearest returns at most three names that name is a part of, or else that take the
// fewest edits, or one more, to become from it. Ties keep the order of names. If none
// is near, as more than half of each would have to be edited, it returns all.
func nearest(name string, names []string) []string {
	sorted := slices.Clone(names)
	slices.SortStableFunc(sorted, func(a, b string) int {
		return cmp.Compare(editDistance(name, a), editDistance(name, b))
	})
	if part := containing(name, names); len(part) > 0 {
		return part[:min(nearestShown, len(part))]
	}
	if len(sorted) > 0 && 2*editDistance(name, sorted[0]) > len(sorted[0]) {
		return names
	}
	n := 0
	for n < min(nearestShown, len(sorted)) && editDistance(name, sorted[n]) <= editDistance(name, sorted[0])+nearestSlack {
		n++
	}
	return sorted[:n]
}

// containing returns the names that name is a part of.
func containing(name string, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(s string) bool {
		return name == "" || !strings.Contains(s, strings.ToLower(name))
	})
}

// editDistance counts the insertions, deletions and substitutions of bytes
// (Levenshtein) that turn a into b; letter case does not count.
func editDistance(a, b string) int {
	a, b = strings.ToLower(a), strings.ToLower(b)
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			substitute := diagonal
			if a[i] != b[j] {
				substitute++
			}
			diagonal = row[j+1]
			row[j+1] = min(substitute, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
