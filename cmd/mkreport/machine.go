package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"

	"github.com/schedlab/schedlab/topology"
	"github.com/schedlab/schedlab/topology/diagram"
)

// machineFormats are the forms of a machine's description.
var machineFormats = []string{"text", "json", "svg"}

// machineFlags are the flags of the machine command.
type machineFlags struct{ format, out, kernel string }

func (a *app) machineCommand() *cobra.Command {
	var f machineFlags
	cmd := &cobra.Command{
		Use:   "machine NAME|FILE.yaml",
		Short: "Describe a machine: layout, sched domains, every number with its source",
		Long: `Describe a machine of the catalogue or of a file, which a path separator or the
ending .yaml tells from a name. Forms:

  text  what lscpu and numactl -H would say, the clock, latencies, idle states,
        sched domains, and every number with its source
  json  the same for programs; 'go doc topology.Machine.WriteJSON' has the fields
  svg   a drawing of sockets, nodes, caches, cores and CPUs, and the distances`,
		Example: `  mkreport machine csl-2s-80
  mkreport machine csl-2s-80 --kernel v5.10
  mkreport machine ./mine.yaml --format svg -o mine.svg
  mkreport machine csl-2s-80 --format json | jq '.domains["v5.10"]'`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("name one machine of 'mkreport list machines', or the path of a YAML file")
			}
			return nil
		},
		ValidArgsFunction: completeMachines,
	}
	cmd.Flags().StringVar(&f.format, "format", machineFormats[0], "form: "+strings.Join(machineFormats, ", "))
	cmd.Flags().StringVarP(&f.out, "out", "o", "", "write into `FILE` (default standard output)")
	cmd.Flags().StringVar(&f.kernel, "kernel", "", "show the sched domains of this `VERSION` only (default all that are known)")
	noFiles := cobra.ShellCompDirectiveNoFileComp
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(machineFormats, noFiles))
	_ = cmd.RegisterFlagCompletionFunc("kernel", cobra.FixedCompletions(topology.KernelVersions(), noFiles))
	cmd.RunE = a.work(func(_ context.Context, args []string) error { return a.describeMachine(args[0], f) })
	return cmd
}

// completeMachines is the shell completion of a machine: the names of the
// catalogue, or YAML files once there is a path.
func completeMachines(_ *cobra.Command, given []string, typed string) ([]string, cobra.ShellCompDirective) {
	switch {
	case len(given) > 0:
		return nil, cobra.ShellCompDirectiveNoFileComp
	case topology.IsPath(typed) || strings.HasPrefix(typed, "."):
		return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
	}
	return topology.Catalog(), cobra.ShellCompDirectiveNoFileComp
}

// describeMachine writes a machine in one form.
func (a *app) describeMachine(name string, f machineFlags) error {
	if !slices.Contains(machineFormats, f.format) {
		return usageError{fmt.Errorf("no format %q; use one of %s", f.format, strings.Join(machineFormats, ", "))}
	}
	var versions []string
	if f.kernel != "" {
		if f.format == "svg" {
			return usageError{fmt.Errorf("--kernel %s: the drawing has no sched domains; leave it out", f.kernel)}
		}
		if !slices.Contains(topology.KernelVersions(), f.kernel) {
			return usageError{fmt.Errorf("no sched domains for kernel %q; use one of %s", f.kernel, strings.Join(topology.KernelVersions(), ", "))}
		}
		versions = []string{f.kernel}
	}
	m, err := topology.Open(name)
	if err != nil {
		if !topology.IsPath(name) && !slices.Contains(topology.Catalog(), name) {
			err = usageError{err}
		}
		return err
	}
	write := func(w io.Writer) error {
		switch f.format {
		case "json":
			return m.WriteJSON(w, versions...)
		case "svg":
			return diagram.WriteSVG(w, m)
		}
		return m.WriteText(w, versions...)
	}
	if f.out == "" {
		return write(a.stdout)
	}
	var buf bytes.Buffer
	if err := write(&buf); err != nil {
		return err
	}
	if err := renameio.WriteFile(f.out, buf.Bytes(), 0o666); err != nil {
		return fmt.Errorf("cannot write %s: %w; give another file with -o", f.out, err)
	}
	fmt.Fprintln(a.stdout, f.out)
	return nil
}
