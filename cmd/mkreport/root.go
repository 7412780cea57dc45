package main

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/study"
)

// maxEdits is how many edits apart a name may be from one that is suggested.
const maxEdits = 2

// rootCommand is the command without a subcommand, with all subcommands.
func (a *app) rootCommand() *cobra.Command {
	var f runFlags
	root := &cobra.Command{
		Use:   "mkreport",
		Short: "Rerun published scheduler benchmark tables on modelled machines",
		Long: `Rerun the benchmark tables of published scheduler patches on modelled machines
and write them up beside the published ones, with a verdict for each cell.

Without a command, all studies are run by their quick plan into out/: open
out/index.html. Finished runs are kept in a store: a command that was stopped
goes on where it was.

Exit status: 0 done; 1 the work failed, or a check found something; 2 the
command line is wrong.`,
		Example: `  mkreport                                  # everything, quick
  mkreport run gorman2020-idle-candidate --full
  mkreport ledger --json
  mkreport machine csl-2s-80`,
		Version:       version(),
		Args:          unknownCommand,
		SilenceErrors: true,
		SilenceUsage:  true,

		SuggestionsMinimumDistance: maxEdits,
	}
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	f.register(root)
	root.RunE = a.work(f.run(a))
	root.SetFlagErrorFunc(flagError)
	root.SetVersionTemplate("mkreport {{.Version}}\n")
	root.AddCommand(
		a.runCommand(),
		a.renderCommand(),
		a.ledgerCommand(),
		a.listCommand(),
		a.machineCommand(),
		a.importCommand(),
		a.checkCommand(),
		a.attachCommand(),
		a.traceCommand(),
		a.calibrateCommand(),
		a.sensitivityCommand(),
		a.fidelityCommand(),
		a.storeCommand(),
		a.exportCommand(),
		a.notebookCommand(),
		a.benchCommand(),
	)
	a.strictHelp(root)
	return root
}

// version says which build this is and which model it has.
func version() string {
	v := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		v = info.Main.Version
	}
	return v + ", model " + schedsim.ModelVersion
}

// unknownCommand refuses an argument where a subcommand is expected.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	near := cmd.SuggestionsFor(args[0])
	if slices.Contains(study.IDs(), args[0]) {
		near = []string{"run " + args[0]}
	}
	return fmt.Errorf("unknown command %q%s", args[0], didYouMean(near))
}

// nearest returns the names that a misspelt one may stand for, by the measure
// that cobra has for commands: few edits, or the same beginning.
func nearest(name string, known []string) []string {
	c := cobra.Command{SuggestionsMinimumDistance: maxEdits}
	for _, k := range known {
		c.AddCommand(&cobra.Command{Use: k, Run: func(*cobra.Command, []string) {}})
	}
	return c.SuggestionsFor(name)
}

// didYouMean words a suggestion to follow an error; it is empty without names.
func didYouMean(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(names, " or ") + "?"
}
