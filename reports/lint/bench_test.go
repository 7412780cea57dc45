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
