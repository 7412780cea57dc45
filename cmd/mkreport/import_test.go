package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/schedlab/schedlab/topology"
)

// Inputs of import: a server of two Xeon Gold 6226R.
const (
	lscpuFile   = "testdata/import/lscpu.json"
	numactlFile = "testdata/import/numactl.txt"
)

func TestImport(t *testing.T) {
	file := filepath.Join(t.TempDir(), "my.yaml")
	stdout, stderr := want(t, exitDone, "import", lscpuFile, numactlFile, "-o", file)
	if stdout != file+"\n" {
		t.Errorf("printed %q, want the file", stdout)
	}
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "import/my.yaml", string(written))
	golden(t, "import/stderr.txt", stderr)

	m, err := topology.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	if m.ID != "my" || len(m.OnlineCPUs()) != 64 || m.Cores() != 32 || m.Sockets() != 2 || m.Distances[0][1] != 21 {
		t.Errorf("%s: %s, distances %v", m.ID, machineLine(m), m.Distances)
	}
	// Every command that takes a machine takes the file.
	if text, _ := want(t, exitDone, "machine", file); !strings.Contains(text, "Gold 6226R") {
		t.Errorf("machine %s prints\n%s", file, text)
	}
	// Without -o it is what is printed.
	if stdout, _ := want(t, exitDone, "import", lscpuFile, numactlFile, "--id", "my"); stdout != string(written) {
		t.Error("the file and the standard output differ")
	}
}

func TestImportConflict(t *testing.T) {
	dir := t.TempDir()
	text, err := os.ReadFile(numactlFile)
	if err != nil {
		t.Fatal(err)
	}
	// numactl of another boot, in which CPU 15 and 31 have changed places.
	moved := strings.NewReplacer(" 14 15 ", " 14 31 ", "cpus: 16 ", "cpus: 15 16 ", " 30 31 ", " 30 ").Replace(string(text))
	file := filepath.Join(dir, "moved.txt")
	if err := os.WriteFile(file, []byte(moved), 0o666); err != nil {
		t.Fatal(err)
	}
	status, _, stderr := invoke(t.Context(), "import", lscpuFile, file)
	if !strings.Contains(stderr, "mkreport: conflict: ") || !strings.Contains(stderr, "moved.txt") {
		t.Errorf("exit status %d, no conflict in\n%s", status, stderr)
	}
}

// TestImportRefused: nothing is written of what cannot be imported.
func TestImportRefused(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return file
	}
	whole, err := os.ReadFile(lscpuFile)
	if err != nil {
		t.Fatal(err)
	}
	out := write("my.yaml", "precious\n")
	tests := []struct {
		name, want string
		files      []string
	}{
		{"truncated", "cut.json:", []string{write("cut.json", string(whole[:len(whole)/2]))}},
		{"no dump", "mail.txt:", []string{write("mail.txt", "Hi,\n\nsee below\n")}},
		{"missing file", "none.json", []string{filepath.Join(dir, "none.json")}},
		{"two machines", "not of one machine", []string{lscpuFile, write("other.txt", "Architecture: x86_64\nCPU(s): 8\nOn-line CPU(s) list: 0-7\n")}},
		{"no architecture", "no input tells the architecture", []string{numactlFile}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, stderr := want(t, exitFailed, append([]string{"import", "-o", out}, test.files...)...)
			if !strings.Contains(stderr, test.want) {
				t.Errorf("no %q in\n%s", test.want, stderr)
			}
			if text, err := os.ReadFile(out); err != nil || string(text) != "precious\n" {
				t.Errorf("the file to write is now %q, %v", text, err)
			}
		})
	}
	if _, stderr := want(t, exitUsage, "import"); !strings.Contains(stderr, "name the outputs of lscpu -J") {
		t.Errorf("without a file: %s", stderr)
	}
}
