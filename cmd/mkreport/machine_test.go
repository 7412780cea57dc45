package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/schedlab/schedlab/topology"
)

// machineFile writes a machine of the catalogue as a file of the user's.
func machineFile(t *testing.T) string {
	t.Helper()
	m, err := topology.Load("csl-2s-80")
	if err != nil {
		t.Fatal(err)
	}
	m.ID, m.Name = "mine", "my own machine"
	var text strings.Builder
	if err := m.WriteYAML(&text); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestMachineFormats(t *testing.T) {
	tests := []struct {
		format, begin string
		contains      []string
	}{
		{"text", "mine: my own machine", []string{"\nThread(s) per core:  2\n", "\nnode   0   1\n", "Sched domains, Linux v3.10 ", "Sched domains, Linux v6.12 "}},
		{"json", "{\n  \"format\": ", []string{`"id": "mine"`, `"v6.12": [`}},
		{"svg", "<svg ", []string{"<title id=\"mine-title\">mine: my own machine</title>", "</svg>\n"}},
	}
	file := machineFile(t)
	for _, test := range tests {
		t.Run(test.format, func(t *testing.T) {
			stdout, stderr := want(t, exitDone, "machine", file, "--format", test.format)
			if !strings.HasPrefix(stdout, test.begin) || stderr != "" {
				t.Errorf("begins with %.100q; stderr %q", stdout, stderr)
			}
			for _, text := range test.contains {
				if !strings.Contains(stdout, text) {
					t.Errorf("no %q", text)
				}
			}
			out := filepath.Join(t.TempDir(), "out")
			named, _ := want(t, exitDone, "machine", file, "--format", test.format, "-o", out)
			written, err := os.ReadFile(out)
			if err != nil || string(written) != stdout || named != out+"\n" {
				t.Errorf("-o: error %v, %d bytes written of %d, prints %q", err, len(written), len(stdout), named)
			}
		})
	}
}

func TestMachineKernel(t *testing.T) {
	stdout, _ := want(t, exitDone, "machine", "csl-2s-80", "--kernel", "v3.10", "--format", "json")
	var d struct{ Domains map[string]any }
	if err := json.Unmarshal([]byte(stdout), &d); err != nil {
		t.Fatal(err)
	}
	if len(d.Domains) != 1 || d.Domains["v3.10"] == nil {
		t.Errorf("domains %v, want those of v3.10", d.Domains)
	}
	stdout, _ = want(t, exitDone, "machine", "csl-2s-80", "--kernel", "v3.10")
	if strings.Count(stdout, "Sched domains") != 1 {
		t.Error("not the domains of one version")
	}
}

func TestMachineErrors(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.yaml")
	if err := os.WriteFile(bad, []byte("schema: schedlab-machine/1\ncolour: blue\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		args   []string
		status int
		want   string
	}{
		{"near miss", []string{"cls-2s-80"}, exitUsage, `no machine "cls-2s-80", use csl-2s-80`},
		{"format", []string{"csl-2s-80", "--format", "xml"}, exitUsage, `no format "xml"; use one of text, json, svg`},
		{"kernel", []string{"csl-2s-80", "--kernel", "v5.11"}, exitUsage, `no sched domains for kernel "v5.11"; use one of `},
		{"kernel of a drawing", []string{"csl-2s-80", "--kernel", "v5.10", "--format", "svg"}, exitUsage, "the drawing has no sched domains"},
		{"no file", []string{"./none.yaml"}, exitFailed, "none.yaml: no such file"},
		{"bad file", []string{bad}, exitFailed, bad + `:2: unknown field "colour"`},
		{"no place", []string{"csl-2s-80", "-o", filepath.Join(bad, "out")}, exitFailed, "give another file with -o"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			stdout, stderr := want(t, test.status, append([]string{"machine"}, test.args...)...)
			if !strings.Contains(stderr, test.want) || stdout != "" {
				t.Errorf("stdout %q, stderr %q, want %q", stdout, stderr, test.want)
			}
		})
	}
}

func TestMachineCompletion(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"machine p8", "p8-2s4n\n"},
		{"machine ./m", "yaml\nyml\n"},
		{"machine --format s", "svg\n"},
		{"machine --kernel v5", "v5.10\n"},
	} {
		t.Run(test.line, func(t *testing.T) {
			stdout, _ := want(t, exitDone, append([]string{"__complete"}, strings.Fields(test.line)...)...)
			if !strings.Contains(stdout, test.want) {
				t.Errorf("got %q, want %q", stdout, test.want)
			}
		})
	}
}

func TestShortName(t *testing.T) {
	for _, test := range []struct{ name, want string }{
		{"2x EPYC 7742 (Rome, Zen 2), 64 cores a socket, NPS1", "2x EPYC 7742"},
		{"4-socket, 4-node POWER7 (Power 750/755 class), a machine", "4-socket, 4-node POWER7"},
		{"short", "short"},
		{"", ""},
	} {
		if got := shortName(test.name); got != test.want {
			t.Errorf("%q: %q, want %q", test.name, got, test.want)
		}
	}
}
