package schedsim

import (
	"flag"
	"fmt"
	"os"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// TestModelVersion: a change that gives other results needs another
// ModelVersion, or stored runs of the old model would be taken for runs of the
// new one. The file has the version and the digests of four runs.
func TestModelVersion(t *testing.T) {
	const file = "testdata/model-version.txt"
	got := fmt.Sprintf("ModelVersion %s\n", ModelVersion)
	for _, tc := range []struct {
		name                           string
		sockets, cores, threads, tasks int
		flat                           bool
	}{
		{"idle", 2, 4, 2, 6, false},
		{"half", 2, 4, 2, 14, false},
		{"overloaded", 2, 2, 2, 60, false},
		{"flat", 1, 4, 1, 12, true},
	} {
		s := newTestSched(t, testMachine(tc.sockets, tc.cores, tc.threads), newChaos(tc.tasks, false), tc.flat)
		simulate(t, s, 200*time.Millisecond)
		got += fmt.Sprintf("%s %016x\n", tc.name, s.trace.hash)
	}
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("runs differ from %s:\n%swant\n%sIf that is meant, change ModelVersion, then run the test with -update.", file, got, want)
	}
}
