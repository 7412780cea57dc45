package topology

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// writeRead writes a machine and reads it back.
func writeRead(t *testing.T, m *Machine) *Machine {
	t.Helper()
	var buf bytes.Buffer
	if err := m.WriteYAML(&buf); err != nil {
		t.Fatal(err)
	}
	back, err := Parse("written.yaml", buf.Bytes())
	if err != nil {
		t.Fatalf("%v\n%s", err, buf.String())
	}
	return back
}

func TestWriteYAML(t *testing.T) {
	for _, id := range Catalog() {
		t.Run(id, func(t *testing.T) {
			m := load(t, id)
			back := writeRead(t, m)
			if diff := cmp.Diff(m, back); diff != "" {
				t.Errorf("(-machine +read back):\n%s", diff)
			}
			if back.Hash() != m.Hash() {
				t.Error("another hash")
			}
		})
	}
}

// TestWriteYAMLTexts: whatever a text holds, it comes back.
func TestWriteYAMLTexts(t *testing.T) {
	m := load(t, "csl-2s-80")
	m.Name = `quotes " and ' , colons: #hash, {braces} [brackets] \n and é`
	m.Confidence = "no"
	m.Notes = []string{"- a dash", "tab\tand newline\nend", "1.5", "%s"}
	m.Sources["definition"] = "true"
	if diff := cmp.Diff(m, writeRead(t, m)); diff != "" {
		t.Errorf("(-machine +read back):\n%s", diff)
	}
}

func TestOpen(t *testing.T) {
	var buf bytes.Buffer
	m := load(t, "csl-2s-80")
	if err := m.WriteYAML(&buf); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(file, buf.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"csl-2s-80", file} {
		got, err := Open(name)
		if err != nil || got.Hash() != m.Hash() {
			t.Errorf("Open(%q): %v", name, err)
		}
	}
	dir := t.TempDir()
	for _, test := range []struct{ name, want string }{
		{"csl-2s-8", `topology: no machine "csl-2s-8", use csl-2s-80`},
		{"none.yaml", "topology: stat none.yaml: no such file or directory"},
		{dir, "topology: " + dir + " is no machine file: give a YAML file of at most 512 KiB"},
	} {
		if _, err := Open(test.name); err == nil || err.Error()[:len(test.want)] != test.want {
			t.Errorf("Open(%q): %v, want %s", test.name, err, test.want)
		}
	}
}
