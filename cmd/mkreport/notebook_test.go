package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const notebookText = `{
 "cells": [
  {"cell_type": "code", "execution_count": null, "id": "only", "metadata": {}, "outputs": [], "source": ["CELL"]}
 ],
 "metadata": {"kernelspec": {"display_name": "Go (gonb)", "language": "go", "name": "gonb"}},
 "nbformat": 4,
 "nbformat_minor": 5
}
`

// TestNotebook executes one notebook that works and one that does not. They lie
// in the module, whose go.mod has the kernel.
func TestNotebook(t *testing.T) {
	dir := notebookDir(t)
	good, bad := filepath.Join(dir, "good.ipynb"), filepath.Join(dir, "bad.ipynb")
	writeNotebook(t, good, "[]", "!echo it works")
	writeNotebook(t, bad, "[]", "!echo it broke && exit 3")
	stdout, stderr := want(t, exitFailed, "notebook", bad, good)
	if stdout != good+": 1 cell executed\n" {
		t.Errorf("stdout %q", stdout)
	}
	for _, text := range []string{"mkreport: ", "bad.ipynb", "code cell 1", "exit 3", "     1 | !echo it broke", "the outputs of 1 cell"} {
		if !strings.Contains(stderr, text) {
			t.Errorf("no %q in %s", text, stderr)
		}
	}
	data, err := os.ReadFile(good)
	if err != nil || !strings.Contains(string(data), `it works\n`) {
		t.Errorf("the output is not stored: %v\n%s", err, data)
	}
}

// notebookDir is a folder in the module, whose go.mod has the kernel.
func notebookDir(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a Go kernel")
	}
	// The kernel is a tool, whose modules nothing else has downloaded on a new machine.
	if out, err := exec.Command("go", "list", "-deps", "tool").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("GOPROXY", "off")
	dir, err := os.MkdirTemp("testdata", "notebook-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// writeNotebook writes a notebook with one cell, with tags as JSON.
func writeNotebook(t *testing.T, path, tags, cell string) {
	t.Helper()
	source, err := json.Marshal(cell)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer(`"CELL"`, string(source), `"metadata": {}, "outputs"`, `"metadata": {"tags": `+tags+`}, "outputs"`).Replace(notebookText)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestNotebookParameters executes a notebook with another value into another
// file. The notebook itself stays.
func TestNotebookParameters(t *testing.T) {
	dir := notebookDir(t)
	in, out := filepath.Join(dir, "in.ipynb"), filepath.Join(dir, "out.ipynb")
	writeNotebook(t, in, `["parameters"]`, "import \"fmt\"\n\nvar (\n\tclients = 64 // pairs\n\trows = []int{16}\n)\nconst bins = 8\n\nfunc init() { fmt.Println(clients, rows, bins) }")
	before, err := os.ReadFile(in)
	if err != nil {
		t.Fatal(err)
	}
	stdout, _ := want(t, exitDone, "notebook", "--parameters", in)
	if want := in + ":\n  clients  int = 64  // pairs\n  rows     []int = []int{16}\n  bins     int = 8\n"; stdout != want {
		t.Errorf("parameters %q, want %q", stdout, want)
	}
	want(t, exitDone, "notebook", in, "-o", out, "-p", "clients=128", "-p", "rows=1,2", "-p", "bins=3")
	data, err := os.ReadFile(out)
	if err != nil || !strings.Contains(string(data), `128 [1 2] 3\n`) || !strings.Contains(string(data), "injected-parameters") {
		t.Errorf("not executed with the values: %v\n%s", err, data)
	}
	after, err := os.ReadFile(in)
	if err != nil || string(after) != string(before) {
		t.Errorf("the notebook was changed: %v", err)
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"-o", out, "-p", "client=1"}, "the notebook has no such parameter; it declares bins int, clients int, rows []int"},
		{[]string{"-o", out, "-p", "clients=x"}, `parameter clients: "x" is no int`},
		{[]string{"-p", "clients=1"}, "name its file with -o"},
		{[]string{"-o", out, "-p", "clients"}, "-p clients: give NAME=VALUE"},
		{[]string{"-o", out, "-p", "clients=1", "-p", "clients=2"}, "clients is given twice"},
		{[]string{in, "-o", out}, "give a directory for several notebooks"},
		{[]string{in, "-o", dir}, "would be stored in the same file"},
	} {
		if _, stderr := want(t, exitUsage, append([]string{"notebook", in}, tt.args...)...); !strings.Contains(stderr, tt.want) {
			t.Errorf("%v: no %q in %s", tt.args, tt.want, stderr)
		}
	}
}
