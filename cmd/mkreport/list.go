package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/schedlab/schedlab/schedsim/study"
)

// listing is what list prints: one item a line, or as a JSON list of objects.
type listing struct {
	heads []string // column names, and names of the JSON fields
	rows  [][]string
	// titled: the columns do not speak for themselves and get their names
	// above them.
	titled bool
	// items are the JSON objects where these are not the columns as texts.
	items any
}

func (a *app) listCommand() *cobra.Command {
	kinds := []struct {
		name, short, long string
		make              func() (listing, error)
	}{
		{"studies", "posts that can be rerun", "", listStudies},
		{"machines", "machines of the catalogue", machinesHelp, listMachines},
		{"kernels", "kernel versions of the model", kernelsHelp, listKernels},
		{"patches", "patches that the model has", "List the patches that the model has, with the versions that each applies to.", listPatches},
		{"mechanisms", "mechanisms of the kernel that the model has, by version", mechanismsHelp, listMechanisms},
		{"workloads", "workloads that studies and configurations can name", workloadsHelp, listWorkloads},
	}
	list := &cobra.Command{
		Use:   "list {studies|machines|kernels|patches|mechanisms|workloads}",
		Short: "List what there is",
		Args:  unknownCommand,

		SuggestionsMinimumDistance: maxEdits,
	}
	var names []string
	for _, k := range kinds {
		names = append(names, k.name)
		var asJSON bool
		cmd := &cobra.Command{Use: k.name, Short: "List the " + k.short, Long: k.long, Args: cobra.NoArgs}
		cmd.Flags().BoolVar(&asJSON, "json", false, "print a list of objects as JSON")
		cmd.RunE = a.work(func(context.Context, []string) error {
			l, err := k.make()
			if err != nil {
				return err
			}
			if asJSON {
				return l.writeJSON(a.stdout)
			}
			return l.writeText(a.stdout)
		})
		list.AddCommand(cmd)
	}
	list.RunE = a.work(func(context.Context, []string) error {
		return usageError{fmt.Errorf("say what to list: %s", strings.Join(names, ", "))}
	})
	return list
}

func listStudies() (listing, error) {
	l := listing{heads: []string{"id", "date", "machine", "kernel", "patch", "workload", "title"}}
	for _, id := range study.IDs() {
		s, err := study.Load(id)
		if err != nil {
			return l, err
		}
		l.rows = append(l.rows, []string{
			s.ID, s.Post.Date, strings.Join(s.Machines(), " "), strings.Join(s.Kernels(), ", "),
			strings.Join(s.PatchTexts(), ", "), strings.Join(s.Workloads(), " "), s.Title,
		})
	}
	return l, nil
}

// writeText writes a table, without heads unless it is titled: other programs
// can take it apart.
func (l listing) writeText(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	rows := l.rows
	if l.titled {
		rows = append([][]string{l.heads}, rows...)
	}
	for _, row := range rows {
		line := strings.TrimRight(strings.Join(row, "\t"), "\t")
		fmt.Fprintln(t, line)
	}
	return t.Flush()
}

func (l listing) writeJSON(w io.Writer) error {
	if l.items != nil {
		return writeJSON(w, l.items)
	}
	items := []map[string]string{}
	for _, row := range l.rows {
		item := make(map[string]string)
		for i, head := range l.heads {
			item[head] = row[i]
		}
		items = append(items, item)
	}
	return writeJSON(w, items)
}

// writeJSON writes v for a reader, and for a program.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
