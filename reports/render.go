// Package reports shows what a study found: as frames for a notebook, and as a
// Markdown document, an HTML page and a plain-text post for a mailing list. It
// simulates and judges nothing; see package study for that. The tables in the
// authors' styles are in package dialect, the drawings in package plot.
package reports

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/renameio/v2"

	"github.com/schedlab/schedlab/reports/html"
	"github.com/schedlab/schedlab/reports/markdown"
	"github.com/schedlab/schedlab/reports/post"
	"github.com/schedlab/schedlab/reports/view"
	"github.com/schedlab/schedlab/schedsim/study"
)

// Parts are what other packages render for a report; see view.Parts.
type Parts = view.Parts

// TableParts are what other packages render of one table; see view.TableParts.
type TableParts = view.TableParts

// Plot is a finished drawing for a report; see view.Plot.
type Plot = view.Plot

// Forms are the write-ups of one study. A nil form is not written.
type Forms struct {
	Markdown, HTML, Post []byte
	// Plots are the drawings that Markdown links to.
	Plots []Plot
}

// A Form is a kind of write-up.
type Form string

// The forms, by the ends of their files' names but for the post, which is a .txt.
const (
	Markdown Form = "md"
	HTML     Form = "html"
	Post     Form = "post"
)

// Render writes o up in the given forms, or in all without any. They say the same,
// since all are made from one view.Report.
func Render(o *study.Outcome, p Parts, forms ...Form) (*Forms, error) {
	r, err := view.New(o, p)
	if err != nil {
		return nil, err
	}
	f := &Forms{Plots: r.Plots}
	for _, w := range []struct {
		form   Form
		to     *[]byte
		render func(*view.Report) ([]byte, error)
	}{
		{Markdown, &f.Markdown, markdown.Render},
		{HTML, &f.HTML, html.Render},
		{Post, &f.Post, post.Render},
	} {
		if len(forms) > 0 && !slices.Contains(forms, w.form) {
			continue
		}
		if *w.to, err = w.render(r); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// WriteFiles puts the forms of study id into dir, which it makes if need be:
// id.md with its plots, id.html and id.txt. A reader sees each file as it was
// or as it is now, never half of it. It returns the names that it wrote.
func WriteFiles(dir, id string, f *Forms) ([]string, error) {
	if id == "" || strings.ContainsAny(id, `/\`) || strings.HasPrefix(id, ".") {
		return nil, fmt.Errorf("reports: study id %q does not make a file name; rename the study", id)
	}
	type file struct {
		name string
		data []byte
	}
	var files []file
	if f.Markdown != nil {
		for _, p := range f.Plots {
			files = append(files, file{markdown.PlotFile(id, p.Name), p.SVG})
		}
		files = append(files, file{id + ".md", f.Markdown})
	}
	if f.HTML != nil {
		files = append(files, file{id + ".html", f.HTML})
	}
	if f.Post != nil {
		files = append(files, file{id + ".txt", f.Post})
	}
	var names []string
	for _, x := range files {
		name, err := writeFile(dir, x.name, x.data)
		if err != nil {
			return names, err
		}
		names = append(names, name)
	}
	return names, nil
}

// WriteIndex puts the list of the studies into dir as index.html and returns
// its name.
func WriteIndex(dir string, outcomes []*study.Outcome) (string, error) {
	page, err := html.Index(outcomes)
	if err != nil {
		return "", err
	}
	return writeFile(dir, "index.html", page)
}

// writeFile replaces one file in one step.
func writeFile(dir, name string, data []byte) (string, error) {
	// Ids have no separators, which is checked where they are read, and here again:
	// nothing leaves the directory that the user named.
	if !filepath.IsLocal(name) || name != filepath.Base(name) {
		return "", fmt.Errorf("reports: %q does not make a file name in %s; rename the study or plot", name, dir)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", unwritable(dir, err)
	}
	name = filepath.Join(dir, name)
	if err := renameio.WriteFile(name, data, 0o666); err != nil {
		return "", unwritable(dir, err)
	}
	return name, nil
}

// unwritable says what to do about a directory that takes no files.
func unwritable(dir string, err error) error {
	if st, statErr := os.Stat(dir); statErr == nil && !st.IsDir() {
		return fmt.Errorf("reports: %s is not a directory; give one with -o: %w", dir, err)
	}
	return fmt.Errorf("reports: cannot write into directory %s; give another with -o: %w", dir, err)
}
