package nb

import (
	"os"
	"strings"
	"testing"
)

// TestToolVersions: what a module without tool lines is told to take is what
// this one has.
func TestToolVersions(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{gonbTool + " " + gonbVersion, "golang.org/x/tools " + goimportsVersion} {
		if !strings.Contains(string(mod), "\t"+line) {
			t.Errorf("go.mod has no line %q", line)
		}
	}
}
