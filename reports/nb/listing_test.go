package nb

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestListing(t *testing.T) {
	var long []string
	for range 40 {
		long = append(long, "x")
	}
	tests := []struct{ name, source, text, want string }{
		{"not-begun", "", "line 1: bad", ""},
		{"compile", "a\n\nb", "line 3: undefined: b", "     1 | a\n     2 |\n>    3 | b\n"},
		{"panic", "a\nb", "panic: p\n\nmain.main()\n\t [[ Cell [2] Line 2 ]] main.go:7", "     1 | a\n>    2 | b\n"},
		{"no-such-line", "a", "line 9: bad", "     1 | a\n"},
		{"middle", strings.Join(long, "\n"), "line 20: bad",
			"       ...\n    16 | x\n    17 | x\n    18 | x\n    19 | x\n>   20 | x\n    21 | x\n    22 | x\n    23 | x\n    24 | x\n       ...\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := &CellError{Source: tt.source, Text: tt.text}
			if diff := cmp.Diff(fixColumns(tt.want), fixColumns(e.Listing())); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	begin := (&CellError{Source: strings.Join(long, "\n")}).Listing()
	if n := strings.Count(begin, "\n"); n != 26 || !strings.HasSuffix(begin, "...\n") {
		t.Errorf("%d lines of a long cell without a place:\n%s", n, begin)
	}
}

// fixColumns leaves one blank where there are several, so that the table can be
// read.
func fixColumns(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString(strings.Join(strings.Fields(line), " ") + "\n")
	}
	return b.String()
}
