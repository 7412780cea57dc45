package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const resultFiles = "../../reports/measured/testdata/"

// TestImportResults: outputs of one command are its runs, and machines are still
// told from results.
func TestImportResults(t *testing.T) {
	file := filepath.Join(t.TempDir(), "measured.csv")
	stdout, _ := want(t, exitDone, "import", resultFiles+"hackbench.txt", resultFiles+"hackbench.txt", resultFiles+"tbench.txt", "-o", file)
	if stdout != file+"\n" {
		t.Errorf("printed %q, want the file", stdout)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[1], "hackbench,time,groups=2 mode=process,s,lower,2,0.08,0,0.08 0.08,") {
		t.Errorf("%q", lines)
	}
	_, stderr := want(t, exitFailed, "import", resultFiles+"tbench.txt", lscpuFile)
	if !strings.Contains(stderr, lscpuFile+":1: not known as a result") {
		t.Errorf("stderr %q", stderr)
	}
	want(t, exitUsage, "import", resultFiles+"tbench.txt", "--arch", "arm64")
}
