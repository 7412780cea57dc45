package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/schedlab/schedlab/internal/hostile"
	"github.com/schedlab/schedlab/topology"
)

// hostileStudy is a study of one short row whose texts are the vectors.
func hostileStudy(vectors []hostile.Vector) string {
	quote := func(format string, args ...any) string {
		text, _ := json.Marshal(fmt.Sprintf(format, args...)) // which is YAML, too
		return string(text)
	}
	var b strings.Builder
	v := vectors[0].Text
	fmt.Fprintf(&b, "id: hostile\ntitle: %s\n", quote("title %s", v))
	fmt.Fprintf(&b, "post: {author: %s, date: \"2099-01-02\", message_id: \"hostile@example.invalid\", subject: %s, link: %s, quote: %s}\n",
		quote("author %s", v), quote("subject %s", v), quote("https://example.invalid/%s", v), quote("quote %s", v))
	b.WriteString(`machine: core2-2s
kernel: v5.10
patch: idle-prev
workload: tbench
params: {copy_ns_per_kib: 90}
tables:
  - id: figures
    dialect: mmtests
    statistic: Hmean
    unit: MB/sec
    better: higher
    row_name: clients
    row_param: clients
`)
	fmt.Fprintf(&b, "    benchmark: %s\n    spread: {kind: stddev, n: 5, source: %s}\n", quote("bench %s", v), quote("spread %s", v))
	b.WriteString("    rows:\n      - {key: \"2\", base: 200, patched: 210, base_spread: 4, patched_spread: 2}\n")
	for i, v := range vectors {
		fmt.Fprintf(&b, "      - {key: %s, text: %s, not_modelled: %s}\n", quote("k%d %s", i, v.Text), quote("row %s", v.Text), quote("reason %s", v.Text))
	}
	fmt.Fprintf(&b, "constants:\n  - {name: work_ns, unit: ns, doc: %s, value: 1500, low: 500, high: 4000, kind: assumed, source: %s}\n", quote("doc %s", v), quote("source %s", v))
	b.WriteString("plans:\n  quick: {n: 2, sets: 1, warmup: {default: 5ms}, measure: {default: 5ms}}\nnot_modelled:\n")
	for _, v := range vectors {
		fmt.Fprintf(&b, "  - %s\n", quote("not modelled %s", v.Text))
	}
	return b.String()
}

// TestHostileStudy runs a study of somebody else: its pages, drawings and mail do
// nothing.
func TestHostileStudy(t *testing.T) {
	store := filepath.Join(t.TempDir(), "store")
	// What has control characters, which no drawing can have, is refused.
	var fit []hostile.Vector
	for _, v := range hostile.Vectors {
		if !strings.ContainsFunc(v.Text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }) {
			fit = append(fit, v)
			continue
		}
		name := textFile(t, "hostile.yaml", hostileStudy([]hostile.Vector{v}))
		if _, stderr := want(t, exitFailed, "run", name, "--store", store); !strings.Contains(stderr, name+":2: a text has a control character") {
			t.Errorf("%q: %s", v.Text, stderr)
		}
	}
	if len(fit) == len(hostile.Vectors) {
		t.Error("no vector has a control character")
	}
	const each = 12
	for i := 0; i < len(fit); i += each {
		vectors := fit[i:min(i+each, len(fit))]
		out := t.TempDir()
		want(t, exitDone, "run", textFile(t, "hostile.yaml", hostileStudy(vectors)), "--store", store, "-o", out)
		written := files(t, out)
		drawings := 0
		for name, text := range written {
			var found []string
			switch filepath.Ext(name) {
			case ".html":
				found = hostile.Page([]byte(text))
			case ".svg":
				drawings++
				if _, root, ok := strings.Cut(text, "<svg"); ok {
					found = hostile.Fragment([]byte("<svg" + root))
				} else {
					t.Errorf("%s is no SVG", name)
				}
			case ".txt":
				if i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }); i >= 0 {
					found = append(found, fmt.Sprintf("a control character: %q", text[max(i-20, 0):i+1]))
				}
			}
			if len(found) > 0 {
				t.Errorf("%q and so on: %s has %.500s", vectors[0].Text, name, strings.Join(found, "\n"))
			}
		}
		if drawings == 0 || written["hostile.html"] == "" {
			t.Fatalf("files %v", len(written))
		}
	}
}

// TestHostileTerminal: what is printed of texts and names of others cannot steer the
// terminal.
func TestHostileTerminal(t *testing.T) {
	for control, escaped := range map[string]string{
		"\x1b[31m": `\x1b[31m`, "\x1b]0;title\a": `\x1b]0;title\a`, "\u009b31m": `\u009b31m`, "\r": `\r`, "\u202e": `\u202e`,
	} {
		_, stdout, stderr := invoke(t.Context(), "check", "none"+control)
		if !strings.Contains(stderr, "none"+escaped) || strings.Contains(stdout+stderr, control) {
			t.Errorf("%q: %q", control, stdout+stderr)
		}
	}
	if got := shown("a\tb\x00\n\u00b5\x7f"); got != "a\tb\\x00\n\u00b5\\x7f" {
		t.Errorf("got %q", got)
	}
}

// TestHostileMachine: a drawing of a machine of somebody else does nothing.
func TestHostileMachine(t *testing.T) {
	stdout, _ := want(t, exitDone, "machine", "core2-2s", "--format", "svg")
	if found := hostile.Fragment([]byte(stdout[strings.Index(stdout, "<svg"):])); len(found) > 0 {
		t.Fatalf("the check refuses an honest drawing: %s", strings.Join(found, "\n"))
	}
	m, err := topology.Load("core2-2s")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := m.WriteYAML(&b); err != nil {
		t.Fatal(err)
	}
	for _, v := range hostile.Vectors {
		name, _ := json.Marshal("machine " + v.Text)
		lines := strings.Split(b.String(), "\n")
		for i, l := range lines {
			if strings.HasPrefix(l, "name:") {
				lines[i] = "name: " + string(name)
			}
		}
		status, stdout, stderr := invoke(t.Context(), "machine", textFile(t, "m.yaml", strings.Join(lines, "\n")), "--format", "svg")
		if status != exitDone {
			if !strings.Contains(stderr, "m.yaml:") {
				t.Errorf("%q: %s", v.Text, stderr)
			}
			continue
		}
		if found := hostile.Fragment([]byte(stdout[strings.Index(stdout, "<svg"):])); len(found) > 0 {
			t.Errorf("%q: the drawing has %s", v.Text, strings.Join(found, "\n"))
		}
	}
}
