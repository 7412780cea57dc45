package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/schedlab/schedlab/reports/nb"
)

// notebookFlags are the flags of the notebook command.
type notebookFlags struct {
	parameters []string
	out        string
	timeout    time.Duration
	list       bool
}

func (a *app) notebookCommand() *cobra.Command {
	var f notebookFlags
	cmd := &cobra.Command{
		Use:   "notebook FILE.ipynb...",
		Short: "Execute Go notebooks and store their outputs",
		Long: `Execute the cells of Go notebooks under GoNB, without Jupyter, and store their
outputs, in the notebooks themselves or with -o in another file. A notebook stops
at the first cell that fails: the cell and what the compiler or the program said
is printed, what was put out up to there is stored, and the exit status is 1. The
other notebooks are executed nevertheless.

A notebook declares parameters, with defaults, in a cell tagged "parameters":

  var (
  	clients = 64                     // any basic type,
  	age     = 300 * time.Millisecond // a duration,
  	rows    = []int{16, 64}          // or a slice of these
  )

-p gives other values: a cell tagged "injected-parameters" with them is put below
that one. Running the same notebook again stores the same bytes.`,
		Example: `  mkreport notebook notebooks/00-start.ipynb
  mkreport notebook --parameters study.ipynb
  mkreport notebook study.ipynb -o out/64.ipynb -p clients=64 -p age=1s -p rows=16,64
  mkreport notebook --timeout 2m notebooks/*.ipynb`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("name the notebooks to execute")
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"ipynb"}, cobra.ShellCompDirectiveFilterFileExt
		},
	}
	cmd.Flags().StringArrayVarP(&f.parameters, "parameter", "p", nil, "`NAME=VALUE` of a parameter that the notebook declares; needs -o")
	cmd.Flags().StringVarP(&f.out, "out", "o", "", "`FILE` to store the executed notebook in, or the directory for several")
	cmd.Flags().DurationVar(&f.timeout, "timeout", nb.DefaultCellTimeout, "longest time that a cell may take, its compilation included")
	cmd.Flags().BoolVar(&f.list, "parameters", false, "only list the parameters that the notebooks declare")
	cmd.RunE = a.work(func(ctx context.Context, files []string) error {
		if f.timeout <= 0 {
			return usageError{fmt.Errorf("--timeout %v: give a time", f.timeout)}
		}
		if f.list {
			return a.listParameters(files)
		}
		values, err := f.values()
		if err != nil {
			return usageError{err}
		}
		outputs, err := f.outputs(files)
		if err != nil {
			return usageError{err}
		}
		return a.notebooks(ctx, files, outputs, nb.Options{CellTimeout: f.timeout, Parameters: values, Progress: a.stderr, Terminal: columns(a.stderr)})
	})
	return cmd
}

// values are the parameters' values by name.
func (f *notebookFlags) values() (map[string]string, error) {
	values := map[string]string{}
	for _, p := range f.parameters {
		name, value, ok := strings.Cut(p, "=")
		if name = strings.TrimSpace(name); !ok || name == "" {
			return nil, fmt.Errorf("-p %s: give NAME=VALUE", p)
		}
		if _, twice := values[name]; twice {
			return nil, fmt.Errorf("-p %s: %s is given twice", p, name)
		}
		values[name] = value
	}
	if len(values) > 0 && f.out == "" {
		return nil, errors.New("-p makes another notebook: name its file with -o, which may be the notebook itself")
	}
	return values, nil
}

// outputs are the files to store the executed notebooks in.
func (f *notebookFlags) outputs(files []string) ([]string, error) {
	if f.out == "" {
		return files, nil
	}
	info, err := os.Stat(f.out)
	dir := err == nil && info.IsDir() || strings.HasSuffix(f.out, string(filepath.Separator))
	if !dir && len(files) == 1 {
		return []string{f.out}, nil
	}
	if !dir {
		return nil, fmt.Errorf("-o %s: give a directory for several notebooks, with a / at its end if it is to be made", f.out)
	}
	var outputs []string
	taken := map[string]string{}
	for _, file := range files {
		out := filepath.Join(f.out, filepath.Base(file))
		if other, ok := taken[out]; ok {
			return nil, fmt.Errorf("-o %s: %s and %s would be stored in the same file", f.out, other, file)
		}
		taken[out] = file
		outputs = append(outputs, out)
	}
	return outputs, nil
}

// notebooks executes notebooks one after another.
func (a *app) notebooks(ctx context.Context, files, outputs []string, opt nb.Options) error {
	var failed []error
	for i, file := range files {
		opt.Output = outputs[i]
		r, err := nb.Execute(ctx, file, opt)
		var parameter *nb.ParameterError
		if errors.As(err, &parameter) {
			err = usageError{err}
		}
		if err != nil {
			failed = append(failed, err)
			a.noteFailure(r, err)
			if ctx.Err() != nil {
				break
			}
			continue
		}
		fmt.Fprintf(a.stdout, "%s: %s executed\n", r.Output, count(len(r.Cells), "cell"))
	}
	return errors.Join(failed...)
}

// noteFailure prints the source of a cell that failed, and where the outputs are.
func (a *app) noteFailure(r *nb.Report, err error) {
	var cell *nb.CellError
	if !errors.As(err, &cell) {
		return
	}
	if listing := cell.Listing(); listing != "" {
		a.note("%s: code cell %d:\n%s", r.Path, cell.Index, strings.TrimRight(listing, "\n"))
	}
	if n := len(r.Cells); n > 0 {
		a.note("%s: the outputs of %s, the failed one included, are stored", r.Output, count(n, "cell"))
	}
}

// listParameters prints what notebooks declare.
func (a *app) listParameters(files []string) error {
	for _, file := range files {
		n, err := nb.ReadFile(file)
		if err != nil {
			return err
		}
		all, err := n.Parameters()
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if len(all) == 0 {
			fmt.Fprintf(a.stdout, "%s: no parameters\n", file)
			continue
		}
		fmt.Fprintf(a.stdout, "%s:\n", file)
		width := 0
		for _, p := range all {
			width = max(width, len(p.Name))
		}
		for _, p := range all {
			line := fmt.Sprintf("  %-*s  %s", width, p.Name, p.Describe())
			if p.Doc != "" {
				line += "  // " + p.Doc
			}
			fmt.Fprintln(a.stdout, line)
		}
	}
	return nil
}
