package lint_test

import (
	"os"
	"strings"
	"testing"

	"github.com/schedlab/schedlab/reports/lint"
)

// BenchmarkText checks a megabyte of a mail with a table in it, again and again.
func BenchmarkText(b *testing.B) {
	data, err := os.ReadFile(dialects + "lkp/switch.txt")
	if err != nil {
		b.Fatal(err)
	}
	prose, err := os.ReadFile(dialects + "gorman2020-mail.txt")
	if err != nil {
		b.Fatal(err)
	}
	text := strings.Repeat(string(prose)+string(data), 1<<20/(len(prose)+len(data)))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		lint.Text(text, "bench")
	}
}

// FuzzText: every remark has a line of the text, and none panics.
func FuzzText(f *testing.F) {
	for _, name := range []string{"gorman2020-mail.txt", "lawall2020-idle-prev.txt", "srikar/june2018.txt", "ratios/latency-prio.txt"} {
		data, err := os.ReadFile(dialects + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	f.Add("count  Min  Max  Avg  Variance  %Change\n5      10   20   15   900\n5      10   20   15   5        0\n")
	f.Add("a  100  110  +10.0%\ngeomean  0  110  -45.0%\n")
	f.Fuzz(func(t *testing.T, text string) {
		r := lint.Text(text, "fuzz")
		lines := strings.Count(text, "\n") + 1
		for _, x := range r.Findings {
			if x.Line < 0 || x.Line > lines || x.Text == "" {
				t.Errorf("line %d of %d: %s: %s", x.Line, lines, x.Rule, x.Text)
			}
		}
	})
}
