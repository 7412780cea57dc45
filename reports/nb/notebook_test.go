package nb

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// testdata/jupyter.ipynb was written by nbformat 5.5.0, the package with
// which Jupyter writes notebooks.
func TestEncodeAsJupyter(t *testing.T) {
	path := filepath.Join("testdata", "jupyter.ipynb")
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	n, err := ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := n.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("read and written again (-want +got):\n%s", diff)
	}
	o := n.Cells[0].Outputs
	if text, ok := o[1].MIME("text/html"); text != "<b>\n</b>" || !ok {
		t.Errorf("html = %q, %v; want the lines joined", text, ok)
	}
	if o[0].Text != "10%\r20%\r\n\"quote\"\\" {
		t.Errorf("stream = %q", o[0].Text)
	}
}

const oneCell = `{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [%]}`

func TestParseErrors(t *testing.T) {
	tests := []struct{ name, cell, file, want string }{
		{name: "empty", file: "", want: "nb: x.ipynb:1:1: the file ends too early"},
		{name: "cut", file: "{\n \"cells\": [", want: "nb: x.ipynb:2:12: the file ends too early"},
		{name: "syntax", file: "{\n \"cells\": [}", want: "nb: x.ipynb:2:12: invalid character '}'"},
		{name: "trailing", file: "{} {}", want: "nb: x.ipynb:1:"},
		{name: "latin1", file: "{\n\"\xe9\": 1}", want: "nb: x.ipynb:2:2: not UTF-8 text"},
		{name: "list", file: "[]", want: "nb: x.ipynb: not a notebook: the file holds a list"},
		{name: "no-format", file: "{}", want: "nbformat is missing"},
		{name: "format-3", file: `{"nbformat": 3}`, want: "notebook format 3 is too old, want 4"},
		{name: "format-5", file: `{"nbformat": 5, "nbformat_minor": 0, "cells": []}`, want: "notebook format 5 is newer than 4.5"},
		{name: "list", file: `[1, 2]`, want: "not a notebook: the file holds a list"},
		{name: "format-float", file: `{"nbformat": 4.5}`, want: "nbformat is not a whole number: 4.5"},
		{name: "no-cells", file: `{"nbformat": 4, "nbformat_minor": 5}`, want: "cells is missing"},
		{name: "cell-text", cell: `"x"`, want: "cell 1 of 1: is text, want an object"},
		{name: "no-type", cell: `{"source": ""}`, want: "cell 1 of 1: cell_type is missing"},
		{name: "type", cell: `{"cell_type": "go", "source": ""}`, want: `cell_type is "go"`},
		{name: "source", cell: `{"cell_type": "raw", "source": [1]}`, want: "source is a list, want text or a list of lines"},
		{name: "id", cell: `{"cell_type": "raw", "source": "", "id": "a b"}`, want: `id "a b"`},
		{name: "outputs", cell: `{"cell_type": "code", "source": "", "outputs": {}}`, want: "outputs is an object, want a list"},
		{name: "output", cell: `{"cell_type": "code", "source": "", "outputs": [{"output_type": "pyout"}]}`,
			want: `cell 1 of 1: output 1: output_type is "pyout"`},
		{name: "count", cell: `{"cell_type": "code", "source": "", "execution_count": "1"}`,
			want: "execution_count is text, want a number"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := tt.file
			if tt.cell != "" {
				file = strings.Replace(oneCell, "%", tt.cell, 1)
			}
			_, err := Parse("x.ipynb", []byte(file))
			if err == nil {
				t.Fatal("no error")
			}
			if !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "nb: x.ipynb:") {
				t.Errorf("error %q, want one with %q", err, tt.want)
			}
		})
	}
}

func TestCellIDs(t *testing.T) {
	const cells = `{"cell_type": "code", "source": "a"}, {"cell_type": "code", "source": "a"},
		{"cell_type": "raw", "source": "b", "id": "kept"}, {"cell_type": "raw", "source": "b", "id": "kept"}`
	file := []byte(strings.Replace(oneCell, "%", cells, 1))
	n, err := Parse("x.ipynb", file)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Parse("x.ipynb", file)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i, c := range n.Cells {
		if !validID(c.ID) || seen[c.ID] {
			t.Errorf("cell %d: id %q is not valid or not its own", i, c.ID)
		}
		seen[c.ID] = true
		if c.ID != again.Cells[i].ID {
			t.Errorf("cell %d: id %q, and %q when read again", i, c.ID, again.Cells[i].ID)
		}
	}
	if n.Cells[2].ID != "kept" {
		t.Errorf("the first cell with an id lost it: %q", n.Cells[2].ID)
	}
}

func TestUnknownFieldsAreKept(t *testing.T) {
	const cell = `{"cell_type": "code", "source": "a", "id": "a", "later": 1e400,
		"outputs": [{"output_type": "stream", "name": "stdout", "text": "x", "shade": {"of": "blue"}}]}`
	file := strings.Replace(oneCell, "%", cell, 1)
	file = strings.Replace(file, `"metadata"`, `"top": [null, 1.50], "metadata"`, 1)
	n, err := Parse("x.ipynb", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	data, err := n.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"later": 1e400`, `"of": "blue"`, "null,\n  1.50\n"} {
		if !strings.Contains(string(data), want) {
			t.Errorf("%s is lost:\n%s", want, data)
		}
	}
}

func TestFirstLine(t *testing.T) {
	tests := []struct{ name, source, want string }{
		{"plain", "a := 1\nb := 2", "a := 1"},
		{"blank-before", "\n\n  \t x()\n", "x()"},
		{"empty", " \n", ""},
		{"long", strings.Repeat("µ", 61), strings.Repeat("µ", 57) + "..."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := (&Cell{Source: tt.source}).FirstLine(); got != tt.want {
				t.Errorf("FirstLine(%q) = %q, want %q", tt.source, got, tt.want)
			}
		})
	}
}

// TestLaterMinor: what a later format of the same major number has is kept, with
// that number.
func TestLaterMinor(t *testing.T) {
	n, err := Parse("later", []byte(`{"nbformat": 4, "nbformat_minor": 7, "cells": [], "metadata": {}, "later": [1]}`))
	if err != nil {
		t.Fatal(err)
	}
	data, err := n.Encode()
	if err != nil || !strings.Contains(string(data), `"nbformat_minor": 7`) || !strings.Contains(string(data), `"later"`) {
		t.Errorf("%s, %v", data, err)
	}
}

// FuzzParse checks that no file makes Parse panic, and that what it takes
// comes out in a form that it takes again without a further change.
func FuzzParse(f *testing.F) {
	// The seeds are short: the fuzzer would spend its time on shortening
	// whole notebooks.
	for _, cell := range []string{
		`{"cell_type": "code", "source": ["a\r", "\n"], "outputs": null}`,
		`{"cell_type": "raw", "source": "\u2028", "id": "a", "metadata": {"x": 1.50}}`,
		`{"cell_type": "code", "source": "", "outputs": [{"output_type": "stream", "name": "", "text": ""}]}`,
		`{"cell_type": "code", "source": "", "outputs": [{"output_type": "display_data", "data": {"text/html": ["a"]}}]}`,
		`{"cell_type": "code", "source": "", "outputs": [{"output_type": "error", "ename": "", "evalue": "", "traceback": [""]}]}`,
	} {
		f.Add([]byte(strings.Replace(oneCell, "%", cell, 1)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := Parse("fuzz", data)
		if err != nil {
			return
		}
		once, err := n.Encode()
		if err != nil {
			t.Fatalf("cannot write what was read: %v", err)
		}
		n, err = Parse("fuzz", once)
		if err != nil {
			t.Fatalf("cannot read what was written: %v\n%s", err, once)
		}
		twice, err := n.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(once, twice) {
			t.Errorf("changed when read and written again:\n%s\n%s", once, twice)
		}
	})
}
