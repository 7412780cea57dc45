package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// executedNotebook is one with an output, which renders without a kernel.
const executedNotebook = `{
 "cells": [
  {"cell_type": "markdown", "id": "text", "metadata": {}, "source": "# A title\n\nWords."},
  {"cell_type": "code", "execution_count": 1, "id": "only", "metadata": {}, "source": "secret()",
   "outputs": [{"output_type": "stream", "name": "stdout", "text": "42\n"}]}
 ],
 "metadata": {"kernelspec": {"display_name": "Go (gonb)", "language": "go", "name": "gonb"}},
 "nbformat": 4,
 "nbformat_minor": 5
}
`

func TestRenderNotebook(t *testing.T) {
	dir := t.TempDir()
	file, out := filepath.Join(dir, "a.ipynb"), filepath.Join(dir, "out")
	if err := os.WriteFile(file, []byte(executedNotebook), 0o666); err != nil {
		t.Fatal(err)
	}
	stdout, _ := want(t, exitDone, "render", file, "-o", out, "--code", "hide")
	base := filepath.Join(out, "a")
	if stdout != base+".md\n"+base+".html\n"+base+".txt\n" {
		t.Errorf("stdout %q", stdout)
	}
	for _, name := range []string{"a.md", "a.html", "a.txt"} {
		data, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		if !strings.Contains(text, "A title") || !strings.Contains(text, "42") || strings.Contains(text, "secret") {
			t.Errorf("%s is without a title or an output, or has the code:\n%s", name, text)
		}
	}
	stdout, _ = want(t, exitDone, "render", file, "-o", out, "--format", "post")
	if stdout != base+".txt\n" {
		t.Errorf("stdout %q", stdout)
	}
	if data, err := os.ReadFile(base + ".txt"); err != nil || !strings.Contains(string(data), "\n    secret()\n") {
		t.Errorf("the code is not shown: %v\n%s", err, data)
	}
}

func TestRenderNotebookRefuses(t *testing.T) {
	dir := t.TempDir()
	good, bad, other := filepath.Join(dir, "a.ipynb"), filepath.Join(dir, "b.ipynb"), filepath.Join(dir, "sub", "a.ipynb")
	if err := os.MkdirAll(filepath.Dir(other), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{good: executedNotebook, other: executedNotebook, bad: "{"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		status int
		args   []string
		want   string
	}{
		{exitFailed, []string{bad, good}, bad + ":1:2: the file ends too early"},
		{exitFailed, []string{filepath.Join(dir, "none.ipynb")}, "no such file"},
		{exitFailed, []string{good, other}, "would be written into the same files"},
		{exitUsage, []string{good, "--code", "open"}, `no way "open" to write code; use one of show, fold, hide`},
		{exitUsage, []string{"--code", "hide"}, "only notebooks have code"},
		{exitUsage, []string{good, "no-such-study"}, "no-such-study"},
	} {
		args := append([]string{"render", "-o", filepath.Join(dir, "out"), "--store", dir}, tt.args...)
		if _, stderr := want(t, tt.status, args...); !strings.Contains(stderr, tt.want) {
			t.Errorf("%v: no %q in %s", tt.args, tt.want, stderr)
		}
	}
	// One that is bad is no reason to leave the others out.
	if _, err := os.Stat(filepath.Join(dir, "out", "a.html")); err != nil {
		t.Error(err)
	}
}
