package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"

	"github.com/schedlab/schedlab/reports/article"
	"github.com/schedlab/schedlab/reports/nb"
)

// notebookExtension tells notebooks from the names of studies.
const notebookExtension = ".ipynb"

// splitNotebooks divides arguments into notebooks and the names of studies.
func splitNotebooks(args []string) (notebooks, studies []string) {
	for _, arg := range args {
		if strings.EqualFold(filepath.Ext(arg), notebookExtension) {
			notebooks = append(notebooks, arg)
		} else {
			studies = append(studies, arg)
		}
	}
	return notebooks, studies
}

// registerCode makes --code a flag of a command.
func registerCode(cmd *cobra.Command, code *string) {
	cmd.Flags().StringVar(code, "code", string(article.Show), "source of a notebook's cells: "+strings.Join(article.Codes(), ", "))
	_ = cmd.RegisterFlagCompletionFunc("code", cobra.FixedCompletions(article.Codes(), cobra.ShellCompDirectiveNoFileComp))
}

// checkCode refuses a way to write code that there is not, or that is for nothing.
func checkCode(cmd *cobra.Command, code string, notebooks []string) error {
	if !slices.Contains(article.Codes(), code) {
		return usageError{fmt.Errorf("no way %q to write code; use one of %s", code, strings.Join(article.Codes(), ", "))}
	}
	if len(notebooks) == 0 && cmd.Flags().Changed("code") {
		return usageError{fmt.Errorf("--code %s: only notebooks have code; name one", code)}
	}
	return nil
}

// renderNotebooks writes executed notebooks up into a directory. One that cannot
// be read is no reason to leave the others out.
func (a *app) renderNotebooks(files []string, r *renderFlags, code string) error {
	var failed []error
	from := map[string]string{}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		if other, ok := from[name]; ok {
			failed = append(failed, fmt.Errorf("%s: %s would be written into the same files; rename one", file, other))
			continue
		}
		from[name] = file
		if err := a.renderNotebook(file, name, code, r); err != nil {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

func (a *app) renderNotebook(file, name, code string, r *renderFlags) error {
	n, err := nb.ReadFile(file)
	if err != nil {
		return err
	}
	if !n.Executed() {
		a.note("%s: no cell has an output; 'mkreport notebook %s' executes it", file, file)
	}
	art, err := article.New(n, name, article.Code(code))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	var out []article.File
	if slices.Contains(r.formats, formatMarkdown) {
		document, pictures := art.Markdown()
		out = append(append(out, pictures...), article.File{Name: name + ".md", Data: document})
	}
	if slices.Contains(r.formats, formatHTML) {
		page, err := art.HTML()
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		out = append(out, article.File{Name: name + ".html", Data: page})
	}
	if slices.Contains(r.formats, formatPost) {
		out = append(out, article.File{Name: name + ".txt", Data: art.Post()})
	}
	if err := os.MkdirAll(r.out, 0o777); err != nil {
		return fmt.Errorf("cannot write into %s: %w; give another directory with -o", r.out, err)
	}
	for _, f := range out {
		path := filepath.Join(r.out, f.Name)
		if err := renameio.WriteFile(path, f.Data, 0o666); err != nil {
			return fmt.Errorf("cannot write %s: %w; give another directory with -o", path, err)
		}
		fmt.Fprintln(a.stdout, path)
	}
	return nil
}
