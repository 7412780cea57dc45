package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// Exit statuses.
const (
	exitDone   = 0
	exitFailed = 1 // the work failed, or a check found something
	exitUsage  = 2 // the command line is wrong
)

// app is one execution of the command.
type app struct {
	stdout, stderr io.Writer
	// began is set when a subcommand has taken over. An error before that is
	// one of the command line.
	began bool
}

// usageError is an error of the command line that a subcommand found.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

// run executes the command line args, without the program's name, and returns
// the exit status. When ctx is done it stops; what is finished is kept.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	a := &app{stdout: stdout, stderr: stderr}
	root := a.rootCommand()
	// Cobra would take nil for the arguments of the process.
	root.SetArgs(append([]string{}, args...))
	root.SetContext(ctx)
	cmd, err := root.ExecuteC()
	if err == nil {
		return exitDone
	}
	fmt.Fprintf(stderr, "mkreport: %s\n", shown(err.Error()))
	var usage usageError
	if a.began && !errors.As(err, &usage) {
		return exitFailed
	}
	fmt.Fprintf(stderr, "Run '%s --help' for usage.\n", cmd.CommandPath())
	return exitUsage
}

// work makes f a cobra function that marks the begin of the work.
func (a *app) work(f func(ctx context.Context, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		a.began = true
		return f(cmd.Context(), args)
	}
}

// note prints a line for the user that is not part of the result.
func (a *app) note(format string, args ...any) {
	fmt.Fprintln(a.stderr, shown(fmt.Sprintf(format, args...)))
}
