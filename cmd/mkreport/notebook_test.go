package main

import (
	"os"
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
	if testing.Short() {
		t.Skip("starts a Go kernel")
	}
	t.Setenv("GOPROXY", "off")
	dir, err := os.MkdirTemp("testdata", "notebook-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	good, bad := filepath.Join(dir, "good.ipynb"), filepath.Join(dir, "bad.ipynb")
	for name, cell := range map[string]string{good: "!echo it works", bad: "!echo it broke && exit 3"} {
		if err := os.WriteFile(name, []byte(strings.Replace(notebookText, "CELL", cell, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	stdout, stderr := want(t, exitFailed, "notebook", bad, good)
	if stdout != good+": 1 cell executed\n" {
		t.Errorf("stdout %q", stdout)
	}
	for _, text := range []string{"mkreport: ", "bad.ipynb", "cell 1", "exit 3"} {
		if !strings.Contains(stderr, text) {
			t.Errorf("no %q in %s", text, stderr)
		}
	}
	data, err := os.ReadFile(good)
	if err != nil || !strings.Contains(string(data), `it works\n`) {
		t.Errorf("the output is not stored: %v\n%s", err, data)
	}
}
