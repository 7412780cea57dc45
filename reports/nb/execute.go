package nb

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// DefaultCellTimeout is the time that a cell may take unless Options say
// otherwise.
const DefaultCellTimeout = 10 * time.Minute

// mayFail is the tag of cells that may fail: what they left is stored, and
// execution goes on. It is the tag that Jupyter's own executor knows.
const mayFail = "raises-exception"

// Options say how a notebook is executed. The zero value is good.
type Options struct {
	// CellTimeout is the longest that one cell may take, its compilation
	// included. 0 stands for DefaultCellTimeout, a negative value for ever.
	CellTimeout time.Duration

	// Output is the file that the executed notebook is written to. Empty
	// stands for the notebook itself.
	Output string

	// Parameters are values by name that replace those that the notebook
	// declares; see [Notebook.SetParameters].
	Parameters map[string]string

	// Progress is told of each cell, a line each. It may be nil.
	Progress io.Writer

	// Terminal is the width of Progress in columns if that is a terminal: the
	// cell that runs has a line there too, with the line of progress that it
	// shows itself, see [Live]. 0 stands for no terminal.
	Terminal int

	// Env is added to the environment of the kernel and the cells, as
	// "KEY=value". PATH, TMPDIR and PWD are the kernel's own.
	Env []string

	// For tests: where the kernel's temporary directory is made instead of in
	// os.TempDir, and what replaces interruptGrace.
	temp  string
	grace time.Duration
}

// Report says what was executed.
type Report struct {
	// Path is the notebook, and Output the file that was written.
	Path, Output string
	// Cells are the code cells that were begun, in order.
	Cells []CellReport
	// Elapsed is the time that all took, the start of the kernel included.
	Elapsed time.Duration
}

// CellReport says how one code cell went.
type CellReport struct {
	// Index is the place among the code cells, from 1.
	Index int
	// ID and FirstLine are the cell's id and the first line of its source.
	ID, FirstLine string
	// Elapsed is the time from sending the cell to its end.
	Elapsed time.Duration
	// Failed is set for the cell that stopped the execution, and for those
	// that failed and are tagged as ones that may.
	Failed bool
}

// Execute runs the code cells of the notebook at path in order, in its own
// folder, and stores their outputs. It stops at the first cell that fails:
// the error is then a [*CellError].
//
// A cell fails if it does not compile, if its program ends with a status
// other than 0, if a shell line in it does, if it takes longer than the time
// limit, if ctx is done, or if the kernel dies. The notebook is written in
// each of these cases, with the outputs up to and of the failing cell and
// none after it, so that it never mixes two runs. It is left as it was if no
// cell could be run at all.
//
// The kernel's version is that of the tool line of the module that the
// notebook lies in; nothing is downloaded if that module was built before.
func Execute(ctx context.Context, path string, opt Options) (*Report, error) {
	start := time.Now()
	report := &Report{Path: path, Output: opt.Output}
	if report.Output == "" {
		report.Output = path
	}
	if opt.Progress == nil {
		opt.Progress = io.Discard
	}
	if opt.temp == "" {
		opt.temp = os.TempDir()
	}
	if opt.grace == 0 {
		opt.grace = interruptGrace
	}
	if opt.CellTimeout == 0 {
		opt.CellTimeout = DefaultCellTimeout
	}
	n, err := ReadFile(path)
	if err != nil {
		return report, err
	}
	if err := checkKernel(n); err != nil {
		return report, fmt.Errorf("nb: %s: %w", path, err)
	}
	if err := n.SetParameters(opt.Parameters); err != nil {
		return report, fmt.Errorf("nb: %s: %w", path, err)
	}
	if err := checkOutput(report.Output); err != nil {
		return report, err
	}
	k, err := openKernel(ctx, path, opt)
	if err != nil {
		return report, fmt.Errorf("nb: %s: %w", path, err)
	}
	r := &run{kernel: k, outputs: newCollector(), report: report, opt: opt}
	err = r.all(ctx, n)
	k.close()
	report.Elapsed = time.Since(start)
	if err != nil && len(report.Cells) == 0 {
		return report, err
	}
	for _, c := range n.Cells {
		stabilize(c, k.dir, k.places)
	}
	if writeErr := n.WriteFile(report.Output); writeErr != nil {
		err = errors.Join(err, writeErr)
	}
	return report, err
}

// checkOutput makes sure that the executed notebook can be stored, which is
// better known before it is executed than an hour later. It makes the folder.
func checkOutput(path string) error {
	dir := filepath.Dir(path)
	err := os.MkdirAll(dir, 0o777)
	if err == nil {
		var probe *os.File
		if probe, err = os.CreateTemp(dir, ".probe-*"); err == nil {
			err = errors.Join(probe.Close(), os.Remove(probe.Name()))
		}
	}
	if info, statErr := os.Stat(path); err == nil && statErr == nil && info.IsDir() {
		err = errors.New("it is a directory")
	}
	if err != nil {
		return fmt.Errorf("nb: cannot store the notebook as %s: %w; give another file", path, err)
	}
	return nil
}

// checkKernel fails for a notebook that is meant for another kernel, or that
// does not say for which: to guess would run whatever it is as Go.
func checkKernel(n *Notebook) error {
	spec, _ := n.Metadata["kernelspec"].(map[string]any)
	name, _ := spec["name"].(string)
	language, _ := spec["language"].(string)
	if info, ok := n.Metadata["language_info"].(map[string]any); ok && language == "" {
		language, _ = info["name"].(string)
	}
	switch {
	case name == "gonb" || strings.EqualFold(language, "go"):
		return nil
	case name == "" && language == "":
		return errors.New(`metadata has no kernelspec: the notebook does not say what it is written in; ` +
			`choose the kernel Go (gonb) in Jupyter, or add "kernelspec": {"name": "gonb", "display_name": "Go (gonb)", "language": "go"}`)
	}
	return fmt.Errorf("the notebook is for the kernel %q, want gonb; only Go notebooks are executed here", or(name, language))
}

// openKernel starts the kernel for the notebook at path.
func openKernel(ctx context.Context, path string, opt Options) (*kernel, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	dir := filepath.Dir(full)
	tools, err := findTools(ctx, dir, opt.Progress)
	if err != nil {
		return nil, err
	}
	env := append(os.Environ(), opt.Env...)
	// The first cell makes the workspace that the cells are built in. One
	// that is set from outside would hide it.
	env = setenv(env, "GOWORK", "")
	if tools != "" {
		env = setenv(env, "PATH", tools+string(filepath.ListSeparator)+getenv(env, "PATH"))
	}
	k, err := startKernel(ctx, tools, dir, opt.temp, env)
	if err == nil {
		k.places = findPlaces(ctx, dir)
	}
	return k, err
}

// findPlaces returns where the standard library, other modules and the module of
// the notebook are. They are for the looks of stack traces only.
func findPlaces(ctx context.Context, dir string) []place {
	var places []place
	if root := moduleRoot(dir); root != "" {
		places = append(places, place{root + "/", ""})
	}
	out, err := goCommand(ctx, dir, "env", "GOMODCACHE", "GOROOT")
	if dirs := strings.Split(strings.TrimSpace(string(out)), "\n"); err == nil && len(dirs) == 2 {
		for i, name := range []string{"$GOMODCACHE", "$GOROOT"} {
			if dirs[i] != "" {
				places = append(places, place{dirs[i], name})
			}
		}
	}
	return places
}

// run is one execution of a notebook.
type run struct {
	kernel  *kernel
	outputs *collector
	report  *Report
	opt     Options
	ran     []*Cell // the cells that ran to their end
}

// all runs the code cells up to the first that fails.
func (r *run) all(ctx context.Context, n *Notebook) error {
	n.ClearOutputs()
	cells := n.CodeCells()
	for i, c := range cells {
		if strings.TrimSpace(c.Source) == "" {
			continue
		}
		if err := ctx.Err(); err != nil {
			return &CellError{
				Path: r.report.Path, Index: i + 1, ID: c.ID, FirstLine: c.FirstLine(),
				Err: err, what: "not run: " + context.Cause(ctx).Error(),
			}
		}
		start := time.Now()
		failure := r.cell(ctx, c, fmt.Sprintf("cell %d/%d", i+1, len(cells)))
		did := CellReport{
			Index:     i + 1,
			ID:        c.ID,
			FirstLine: c.FirstLine(),
			Elapsed:   time.Since(start),
			Failed:    failure != nil,
		}
		r.report.Cells = append(r.report.Cells, did)
		result := "ok"
		if did.Failed {
			result = "FAILED"
		}
		fmt.Fprintf(r.opt.Progress, "%s: cell %d/%d %6.1fs %s  %s\n",
			r.report.Path, did.Index, len(cells), did.Elapsed.Seconds(), result, did.FirstLine)
		if failure == nil || (failure.Err == nil && c.HasTag(mayFail)) {
			continue
		}
		failure.Path = r.report.Path
		failure.Index, failure.ID, failure.FirstLine = did.Index, did.ID, did.FirstLine
		failure.Source = c.Source
		return failure
	}
	return nil
}

// cell runs one cell to its end; place says which it is of how many. The error
// that it returns does not name the cell yet.
func (r *run) cell(ctx context.Context, c *Cell, place string) *CellError {
	id, err := r.kernel.execute(c.Source)
	if err != nil {
		return &CellError{Err: err, what: err.Error()}
	}
	r.outputs.cells[id] = c
	w := wait{run: r, id: id}
	if r.opt.Terminal > 0 {
		clear := w.running(c, place)
		defer clear()
	}
	if r.opt.CellTimeout > 0 {
		timer := time.NewTimer(r.opt.CellTimeout)
		defer timer.Stop()
		w.timeout = timer.C
	}
	failure := w.end(ctx)
	r.outputs.finish(c)
	if w.reply != nil {
		c.ExecutionCount = w.reply.content.ExecutionCount
	}
	if failure != nil {
		return failure
	}
	r.ran = append(r.ran, c)
	if w.reply.content.Status != "ok" {
		stabilize(c, r.kernel.dir, r.kernel.places)
		addCellLines(c, r.kernel.program(), r.ran)
		what, text := describeError(c, w.reply.content.ErrValue)
		return &CellError{what: what, Text: text}
	}
	if status := failedCommand(c, w.stderr); status != "" {
		stabilize(c, r.kernel.dir, r.kernel.places)
		return &CellError{what: "a shell command ended with " + status, Text: programText(c)}
	}
	return nil
}
