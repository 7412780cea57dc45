package nb

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// The reference is Jupyter's own code as Debian packages it: nbformat validates
// what is written here, and nbclient, which 'jupyter nbconvert --execute' is made
// of, executes the same notebook.

// python returns a Python that has a module, or skips the test.
func python(t *testing.T, module string) string {
	t.Helper()
	for _, name := range []string{"/usr/bin/python3", "python3"} {
		if exec.Command(name, "-c", "import "+module).Run() == nil {
			return name
		}
	}
	t.Skipf("no Python with %s: apt-get install python3-%s", module, module)
	return ""
}

// validate is a program that validates files by the schema of their format. What
// nbformat would only warn of is an error.
const validate = `
import json, sys, warnings
import nbformat
warnings.simplefilter("error")
for name in sys.argv[1:]:
    with open(name, encoding="utf-8") as f:
        text = f.read()
    notebook = json.loads(text)
    try:
        nbformat.validate(notebook)
    except Exception as e:
        sys.exit("%s: %s" % (name, e))
    ids = [cell["id"] for cell in notebook["cells"]]
    if len(set(ids)) != len(ids):
        sys.exit(name + ": two cells have the same id")
    if nbformat.writes(nbformat.from_dict(notebook)) + "\n" != text:
        sys.exit(name + ": nbformat writes it otherwise")
print("valid", len(sys.argv) - 1)
`

// TestValid: what is stored is valid by nbformat's schema, and laid out byte by
// byte as nbformat lays it out, for every kind of output and after parameters were
// set. A file that is known to be invalid shows that the validator looks.
func TestValid(t *testing.T) {
	t.Parallel()
	interpreter := python(t, "nbformat")
	dir := t.TempDir()
	write := func(name string, n *Notebook) string {
		path := filepath.Join(dir, name)
		if err := n.WriteFile(path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var files []string
	goldens, err := filepath.Glob("testdata/*.golden")
	if err != nil || len(goldens) == 0 {
		t.Fatalf("no goldens: %v", err)
	}
	for _, path := range append(goldens, "../article/testdata/everything.ipynb") {
		n, err := ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, write(filepath.Base(path)+".ipynb", n))
	}
	// An old file: no ids, and outputs without what later formats want.
	old, err := Parse("old", []byte(`{"nbformat": 4, "nbformat_minor": 0, "metadata": {}, "cells": [
		{"cell_type": "code", "source": "a", "outputs": [{"output_type": "display_data"}, {"output_type": "execute_result", "data": {}}]},
		{"cell_type": "code", "source": "a"}, {"cell_type": "markdown", "source": ["a\n", "b"]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, write("old.ipynb", old))
	with := notebookOf(declared, "last")
	if err := with.SetParameters(map[string]string{"clients": "7"}); err != nil {
		t.Fatal(err)
	}
	files = append(files, write("parameters.ipynb", with))

	out, err := exec.Command(interpreter, append([]string{"-c", validate}, files...)...).CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "valid ") {
		t.Errorf("%v: %s", err, out)
	}
	bad := write("bad.ipynb", &Notebook{Cells: []*Cell{{ID: "not an id", Type: Code}}})
	if out, err := exec.Command(interpreter, "-c", validate, bad).CombinedOutput(); err == nil || !strings.Contains(string(out), "bad.ipynb: ") {
		t.Errorf("an invalid notebook is taken for valid: %s", out)
	}
}

// TestAsJupyter executes one notebook here and with Jupyter: the same outputs.
func TestAsJupyter(t *testing.T) {
	t.Parallel()
	cells := []string{setUp, `
import (
	"fmt"
	"os"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/janpfeifer/gonb/gonbui"
	"github.com/schedlab/schedlab/reports/nb"
	"github.com/schedlab/schedlab/topology"
)

func load(name string) *topology.Machine {
	m, err := topology.Load(name)
	if err != nil {
		panic(err)
	}
	return m
}
%%
fmt.Println("printed: a < b & µs")
fmt.Fprintln(os.Stderr, "to stderr")`, `
%%
fmt.Println("above")
nb.Show(dataframe.New(series.New([]int{1, 2}, series.Int, "i")), 42)
fmt.Println("below")`, `
%%
nb.Show(load("csl-2s-80"))
gonbui.DisplayHTML("<b>HTML</b>")
gonbui.DisplayMarkdown("*Markdown*")
gonbui.Sync()`, `
%%
l := nb.NewLive("work", "runs")
for i := range 3 {
	l.Step(i+1, 3, false)
}
if err := l.End("kept"); err != nil {
	panic(err)
}`, "!echo from a shell; echo and stderr >&2", "tag: raises-exception\nfunc bad() int { return \"text\" }", "", "!echo last"}
	path := writeCells(t, cells...)
	theirs := jupyterExecute(t, path)
	_, ours, err := executeCells(t, Options{}, cells...)
	if err != nil {
		t.Fatal(err)
	}
	if len(ours.CodeCells()) != len(theirs.CodeCells()) {
		t.Fatalf("%d cells, Jupyter has %d", len(ours.CodeCells()), len(theirs.CodeCells()))
	}
	displays := 0
	for i, c := range ours.CodeCells() {
		other := theirs.CodeCells()[i]
		if c.ID != other.ID || c.ExecutionCount != other.ExecutionCount {
			t.Errorf("cell %d: id %s and count %d, Jupyter has %s and %d", i+1, c.ID, c.ExecutionCount, other.ID, other.ExecutionCount)
		}
		ignore := []cmp.Option{cmpopts.IgnoreUnexported(Output{}), cmpopts.EquateEmpty()}
		if diff := cmp.Diff(merged(other), merged(c), ignore...); diff != "" {
			t.Errorf("cell %d (-Jupyter +here):\n%s", i+1, diff)
		}
		for _, o := range c.Outputs {
			if o.Type == DisplayData {
				displays++
			}
		}
	}
	if displays != 6 {
		t.Errorf("%d displays, want 6", displays)
	}
}

// merged are the outputs of a cell with its printed text put together by the
// rule that is applied here: Jupyter keeps the order in which the pieces
// happened to arrive.
func merged(c *Cell) []*Output {
	joined := &Cell{}
	for _, o := range c.Outputs {
		if o.Type == Stream {
			addStream(joined, o.Name, o.Text)
		} else {
			joined.Outputs = append(joined.Outputs, o)
		}
	}
	return joined.Outputs
}

// jupyterExecute executes a notebook with nbclient, under the kernel that is used
// here and as it is started here.
func jupyterExecute(t *testing.T, path string) *Notebook {
	t.Helper()
	interpreter := python(t, "nbclient")
	tools, err := findTools(t.Context(), mustAbs(t, filepath.Dir(path)), os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	data, temp := t.TempDir(), t.TempDir()
	spec, err := json.Marshal(map[string]any{
		"argv":         []string{filepath.Join(tools, "gonb"), "--kernel", "{connection_file}", "-raw_error"},
		"display_name": "Go (gonb)", "language": "go", "interrupt_mode": "message",
	})
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(data, "kernels", "gonb")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "kernel.json"), spec, 0o666); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "executed.ipynb")
	cmd := exec.Command(interpreter, "-c", `
import sys, nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=300, kernel_name="gonb", resources={"metadata": {"path": sys.argv[2]}}).execute()
nbformat.write(notebook, sys.argv[3])
`, path, filepath.Dir(path), out)
	if name, err := exec.LookPath("jupyter-nbconvert"); err == nil {
		cmd = exec.Command(name, "--to", "notebook", "--execute", "--ExecutePreprocessor.timeout=300", "--output", out, path)
	}
	cmd.Env = append(os.Environ(), "JUPYTER_DATA_DIR="+data, "JUPYTER_RUNTIME_DIR="+temp, "TMPDIR="+temp, "GOPROXY=off", "GOWORK=",
		"PATH="+tools+string(filepath.ListSeparator)+os.Getenv("PATH"))
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("Jupyter: %v\n%s", err, said)
	}
	n, err := ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range n.Cells {
		stabilize(c, temp, nil)
	}
	return n
}

func mustAbs(t *testing.T, path string) string {
	t.Helper()
	full, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return full
}
