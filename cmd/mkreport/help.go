package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// strictHelp makes help and completion, which cobra adds by itself, refuse what
// they do not know: cobra answers that with its general help and status 0.
func (a *app) strictHelp(root *cobra.Command) {
	root.SetHelpCommand(&cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about any command",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, c := range root.Commands() {
				if c.IsAvailableCommand() {
					names = append(names, c.Name())
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: a.work(func(_ context.Context, args []string) error {
			cmd, rest, err := root.Find(args)
			if err == nil && len(rest) > 0 {
				err = unknownCommand(cmd, rest)
			}
			if err != nil {
				return usageError{err}
			}
			return cmd.Help()
		}),
	})
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Args = unknownCommand
			c.RunE = func(*cobra.Command, []string) error { return errors.New("name a shell: bash, zsh, fish, powershell") }
		}
	}
}

// flagError says what is wrong with a flag: near names for an unknown one, what
// is expected for a wrong value.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "" {
		return fmt.Errorf("%w%s", err, didYouMean(nearFlags(cmd, unknown.GetSpecifiedName())))
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		f := invalid.GetFlag()
		name := "--" + f.Name
		if f.Name == f.Shorthand {
			name = "-" + f.Name
		}
		return fmt.Errorf("%s %q is not %s", name, invalid.GetValue(), valueWords(f.Value.Type()))
	}
	return err
}

// nearFlags returns the flags that a misspelt one may stand for.
func nearFlags(cmd *cobra.Command, name string) []string {
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			known = append(known, f.Name)
		}
	})
	near := nearest(name, known)
	for i := range near {
		near[i] = "--" + near[i]
	}
	return near
}

// valueWords says what a flag of a type takes.
func valueWords(typ string) string {
	switch typ {
	case "int":
		return "a whole number"
	case "uint64":
		return "a whole number of at least 0"
	case "duration":
		return "a time such as 500ms or 2m"
	}
	return "of type " + typ
}
