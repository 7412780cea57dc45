package view

import (
	"fmt"
	"testing"

	"github.com/schedlab/schedlab/schedsim/study"
)

// TestFailureSentenceOfMany: a sentence names a few rows and counts the others, but no single one.
func TestFailureSentenceOfMany(t *testing.T) {
	for n, want := range map[int]string{
		5:  "Not reproduced: rows 1, 2, 3, 4 and 5 (missed).",
		18: "Not reproduced: rows 1, 2, 3, 4 and 14 others (missed).",
	} {
		var rows []row
		for i := range n {
			rows = append(rows, row{name: fmt.Sprint(i + 1), verdict: study.Missed})
		}
		if got := failureSentence(rows); got != want {
			t.Errorf("%d rows: %q, want %q", n, got, want)
		}
	}
}
