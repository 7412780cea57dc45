package nb

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// setUp makes the workspace of a notebook that lies two folders below the
// folder of this package.
const setUp = "!*go work init . \"${GONB_DIR}/../../../..\"\n%noautoget"

// notebookOf returns a notebook with code cells of these sources. A first line
// "tag: NAME" gives a cell a tag.
func notebookOf(sources ...string) *Notebook {
	n := &Notebook{Metadata: map[string]any{
		"kernelspec": map[string]any{"display_name": "Go (gonb)", "language": "go", "name": "gonb"},
	}}
	for _, source := range sources {
		c := &Cell{Type: Code, Source: source}
		if tag, rest, ok := strings.Cut(source, "\n"); ok && strings.HasPrefix(tag, "tag: ") {
			c.Source = rest
			c.Metadata = map[string]any{"tags": []any{strings.TrimPrefix(tag, "tag: ")}}
		}
		n.Cells = append(n.Cells, c)
	}
	nameCells(n.Cells)
	return n
}

// writeCells writes a notebook of these cells into a folder of its own in the
// module, whose go.mod has the kernel, and returns its path.
func writeCells(t *testing.T, sources ...string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a Go kernel")
	}
	dir, err := os.MkdirTemp("testdata", "notebook-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	path := filepath.Join(dir, "cells.ipynb")
	if err := notebookOf(sources...).WriteFile(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// executeCells runs cells under a real kernel, without network. It fails the
// test if a temporary file or a process of the kernel's is left.
func executeCells(t *testing.T, opt Options, sources ...string) (*Report, *Notebook, error) {
	t.Helper()
	path := writeCells(t, sources...)
	temp := t.TempDir()
	opt.temp = temp
	opt.Env = append(opt.Env, "GOPROXY=off")
	report, err := Execute(t.Context(), path, opt)
	if left, _ := filepath.Glob(filepath.Join(temp, "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if left := processesWith("TMPDIR=" + temp + string(filepath.Separator)); len(left) > 0 {
		t.Errorf("processes left behind: %v", left)
	}
	n, readErr := ReadFile(report.Output)
	if readErr != nil {
		t.Fatalf("no notebook was stored: %v (execution: %v)", readErr, err)
	}
	return report, n, err
}

// processesWith returns the running processes that have a variable which begins
// like this.
func processesWith(variable string) []string {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	var found []string
	for _, file := range files {
		env, err := os.ReadFile(file)
		if err == nil && strings.Contains("\x00"+string(env), "\x00"+variable) {
			found = append(found, filepath.Base(filepath.Dir(file)))
		}
	}
	return found
}
