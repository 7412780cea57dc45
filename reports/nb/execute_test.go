package nb

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write what the tests produce to the golden files")

// execute runs a notebook of testdata under a real kernel, without network,
// and returns what was stored. It fails the test if a temporary file is left.
func execute(ctx context.Context, t *testing.T, name string, opt Options) (*Report, *Notebook, error) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a Go kernel")
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	opt.Output = filepath.Join(t.TempDir(), name)
	opt.Env = append(opt.Env, "GOPROXY=off")
	report, err := Execute(ctx, filepath.Join("testdata", name), opt)
	if left, _ := filepath.Glob(filepath.Join(temp, "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	n, readErr := ReadFile(opt.Output)
	if readErr != nil {
		t.Fatalf("no notebook was stored: %v (execution: %v)", readErr, err)
	}
	return report, n, err
}

// golden compares a stored notebook with testdata/NAME.golden.
func golden(t *testing.T, n *Notebook, name string) {
	t.Helper()
	got, err := n.Encode()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// cellError returns the error as a CellError of the named cell.
func cellError(t *testing.T, err error, index int, id string) *CellError {
	t.Helper()
	var cell *CellError
	if !errors.As(err, &cell) {
		t.Fatalf("error %v, want a CellError", err)
	}
	if cell.Index != index || cell.ID != id {
		t.Errorf("the error is about cell %d (%s), want %d (%s)", cell.Index, cell.ID, index, id)
	}
	if first, _, _ := strings.Cut(err.Error(), "\n"); !strings.Contains(first, cell.ID) ||
		!strings.Contains(first, strconv.Quote(cell.FirstLine)) || !strings.Contains(first, cell.Path) {
		t.Errorf("the first line of the error does not name the cell: %s", first)
	}
	return cell
}

func TestExecute(t *testing.T) {
	var progress bytes.Buffer
	report, n, err := execute(t.Context(), t, "first.ipynb", Options{Progress: &progress})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, n, "first.ipynb")
	if len(report.Cells) != 5 || report.Cells[4].Index != 5 || report.Cells[4].Failed || report.Elapsed <= 0 {
		t.Errorf("report = %+v", report)
	}
	if !strings.Contains(progress.String(), "cell 5/5") {
		t.Errorf("progress = %q", progress.String())
	}
}

func TestExecuteCompileError(t *testing.T) {
	_, n, err := execute(t.Context(), t, "compile.ipynb", Options{})
	cell := cellError(t, err, 3, "bad")
	for _, want := range []string{"line 5: cannot use \"text\"", "line 6: undefined: missing"} {
		if !strings.Contains(cell.Text, want) {
			t.Errorf("the error is without %q:\n%v", want, err)
		}
	}
	golden(t, n, "compile.ipynb")
}

func TestExecutePanic(t *testing.T) {
	_, n, err := execute(t.Context(), t, "panic.ipynb", Options{})
	cell := cellError(t, err, 2, "index")
	if !strings.HasPrefix(cell.Text, "panic: runtime error: index out of range [3] with length 0\n") ||
		!strings.Contains(cell.Text, "Line 6") {
		t.Errorf("text = %q, want the panic and its line", cell.Text)
	}
	cells := n.CodeCells()
	if got := cells[1].Outputs[0].Text; got != "before\n" {
		t.Errorf("the output before the panic is %q", got)
	}
	if got := len(cells[2].Outputs); got != 0 {
		t.Errorf("the cell after the panic has %d outputs, want none", got)
	}
}

func TestExecuteShellError(t *testing.T) {
	_, _, err := execute(t.Context(), t, "shell.ipynb", Options{})
	cell := cellError(t, err, 2, "list")
	if !strings.Contains(err.Error(), "exit status 2") || !strings.Contains(cell.Text, "no-such-file") {
		t.Errorf("error %v", err)
	}
}

func TestExecuteTolerated(t *testing.T) {
	report, n, err := execute(t.Context(), t, "tolerated.ipynb", Options{Env: []string{"NB_TEST=set from outside"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Cells) != 2 || !report.Cells[0].Failed || report.Cells[1].Failed {
		t.Errorf("report = %+v, want a failed cell, a good one, and none for the empty cell", report.Cells)
	}
	cells := n.CodeCells()
	if got := brief(cells[1]); !cmp.Equal(got, []string{"stdout:set from outside\n"}) {
		t.Errorf("outputs = %q", got)
	}
}

func TestExecuteTimeout(t *testing.T) {
	start := time.Now()
	_, n, err := execute(t.Context(), t, "slow.ipynb", Options{CellTimeout: 5 * time.Second})
	cellError(t, err, 2, "sleep")
	if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "not done after 5s") {
		t.Errorf("error %v, want the time limit", err)
	}
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("stopping took %v", took)
	}
	// A cell that was not compiled in time has not begun to print.
	if got := brief(n.CodeCells()[1]); len(got) > 0 && got[0] != "stdout:begun\n" {
		t.Errorf("outputs = %q", got)
	}
}

func TestExecuteCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	// The first line of progress is that of the set-up cell.
	_, _, err := execute(ctx, t, "slow.ipynb", Options{Progress: cancelOn{"cell 1/2", cancel}})
	cellError(t, err, 2, "sleep")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

// cancelOn cancels when a text is written to it.
type cancelOn struct {
	text   string
	cancel context.CancelFunc
}

func (c cancelOn) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(c.text)) {
		c.cancel()
	}
	return len(p), nil
}

func TestExecuteKernelDeath(t *testing.T) {
	_, n, err := execute(t.Context(), t, "dead.ipynb", Options{CellTimeout: time.Minute})
	cellError(t, err, 2, "kill")
	if !errors.Is(err, ErrKernelDied) || !strings.Contains(err.Error(), "signal: killed") {
		t.Errorf("error %v, want %v", err, ErrKernelDied)
	}
	// The cell printed its process id before it killed the kernel. The
	// program would sleep for an hour, but must be gone with the kernel.
	got := brief(n.CodeCells()[1])
	if len(got) != 1 {
		t.Fatalf("outputs = %q, want what was printed", got)
	}
	text, ok := strings.CutPrefix(strings.TrimSpace(got[0]), "stdout:program ")
	pid, err := strconv.Atoi(text)
	if !ok || err != nil {
		t.Fatalf("outputs = %q: no process id", got)
	}
	for end := time.Now().Add(5 * time.Second); running(pid); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the cell's program (process %d) is still running", pid)
		}
	}
}

// running tells whether a process runs: one that has ended and whose parent
// has not asked for its status does not.
func running(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && !bytes.Contains(stat, []byte(") Z "))
}

func TestExecuteRefuses(t *testing.T) {
	dir := t.TempDir()
	tests := []struct{ name, file, want string }{
		{"kernel", `{"nbformat": 4, "nbformat_minor": 5, "cells": [],
			"metadata": {"kernelspec": {"name": "python3", "language": "python"}}}`, `for the kernel "python3", want gonb`},
		{"no-kernelspec", `{"nbformat": 4, "nbformat_minor": 5, "cells": [], "metadata": {}}`, "metadata has no kernelspec"},
		{"no-module", `{"nbformat": 4, "nbformat_minor": 5, "cells": [], "metadata": {"kernelspec": {"name": "gonb"}}}`,
			"no Go kernel: the notebook lies in no module with tool lines"},
		{"binary", "\x00\xff\xfe", ":1:2: not UTF-8 text"},
		{"text", "package main\n", ":1:1: invalid character 'p'"},
		{"format-3", `{"nbformat": 3, "worksheets": []}`, "notebook format 3 is too old"},
		{"broken", `{`, ":1:2: the file ends too early"},
	}
	t.Setenv("PATH", "")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(dir, tt.name+".ipynb")
			if err := os.WriteFile(path, []byte(tt.file), 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := Execute(t.Context(), path, Options{})
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "nb: "+path) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
			if got, err := os.ReadFile(path); err != nil || string(got) != tt.file {
				t.Errorf("the notebook was changed: %s (%v)", got, err)
			}
		})
	}
	t.Run("directory", func(t *testing.T) {
		if _, err := Execute(t.Context(), dir, Options{}); err == nil || !strings.Contains(err.Error(), "is a directory") {
			t.Errorf("error %v, want that it is a directory", err)
		}
	})
	t.Run("output", func(t *testing.T) {
		path := writeCells(t, "!echo run")
		_, err := Execute(t.Context(), path, Options{Output: filepath.Join(path, "below", "a.ipynb")})
		if err == nil || !strings.Contains(err.Error(), "cannot store the notebook as ") {
			t.Errorf("error %v, want that it cannot be stored", err)
		}
	})
	t.Run("missing", func(t *testing.T) {
		if _, err := Execute(t.Context(), filepath.Join(dir, "none.ipynb"), Options{}); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("error %v, want %v", err, os.ErrNotExist)
		}
	})
}
