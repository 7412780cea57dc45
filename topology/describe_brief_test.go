package topology_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/schedlab/schedlab/topology"
)

// TestWriteSummary: every line of the summary is a line of the description, and
// the long lists are not among them.
func TestWriteSummary(t *testing.T) {
	m, err := topology.Load("csl-2s-80")
	if err != nil {
		t.Fatal(err)
	}
	var brief, whole bytes.Buffer
	if err := m.WriteSummary(&brief); err != nil {
		t.Fatal(err)
	}
	if err := m.WriteText(&whole); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for line := range strings.Lines(whole.String()) {
		known[line] = true
	}
	for line := range strings.Lines(brief.String()) {
		if !known[line] {
			t.Errorf("%q is not in the description", line)
		}
	}
	for _, want := range []string{"csl-2s-80: ", "CPU(s):", "node distances:"} {
		if !strings.Contains(brief.String(), want) {
			t.Errorf("no %q in\n%s", want, brief.String())
		}
	}
	if strings.Contains(brief.String(), "SD_") {
		t.Error("the sched domains are in the summary")
	}
}
