package study

import (
	"os"
	"strings"
	"testing"
)

// TestDocs: the example of docs/studies.md is a study.
func TestDocs(t *testing.T) {
	data, err := os.ReadFile("../../docs/studies.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(data), "```yaml\n")
	text, _, ok := strings.Cut(text, "```")
	if !ok {
		t.Fatal("no example")
	}
	s, err := Parse("docs/studies.md", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Plan(ModeQuick); err != nil {
		t.Error(err)
	}
}
