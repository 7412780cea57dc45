package reports_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/schedlab/schedlab/reports"
	"github.com/schedlab/schedlab/reports/internal/sample"
	"github.com/schedlab/schedlab/schedsim/study"
)

func parts() reports.Parts {
	return partsWith(reports.Plot{Name: "effect", Title: "Effect", Alt: "two dots", SVG: sample.SVG})
}

func partsWith(plots ...reports.Plot) reports.Parts {
	return reports.Parts{Tables: map[string]reports.TableParts{"fakebench": {Plots: plots}}}
}

func TestRenderAgrees(t *testing.T) {
	f, err := reports.Render(sample.Full(), parts())
	if err != nil {
		t.Fatal(err)
	}
	tags := regexp.MustCompile(`<[^>]*>`)
	forms := map[string]string{
		"markdown": string(f.Markdown),
		"html":     tags.ReplaceAllString(string(f.HTML), " "),
		"post":     string(f.Post),
	}
	for _, want := range []string{
		"Of 10 published cells, 1 is reproduced, 1 has the published direction but not the size",
		"unidentified, hangs on fake_drawn",
		"3.60k of 36.0k decisions differed (10 %)",
		"mkreport run synthetic-2099-sample --full --seed 9 -n 3",
		"holds zero in 7 of 8 rows",
		"v0.0.0-synthetic",
	} {
		for name, form := range forms {
			if !strings.Contains(strings.Join(strings.Fields(form), " "), want) {
				t.Errorf("the %s form does not say %q", name, want)
			}
		}
	}
}

func TestRenderErrors(t *testing.T) {
	for _, tt := range []struct {
		name string
		o    *study.Outcome
		plot reports.Plot
		want string
	}{
		{"no outcome", nil, reports.Plot{}, "names no study"},
		{"no study", &study.Outcome{}, reports.Plot{}, "names no study"},
		{"path in plot name", sample.Full(), reports.Plot{Name: "../x", SVG: sample.SVG}, "rename it"},
		{"no drawing", sample.Full(), reports.Plot{Name: "x"}, "no SVG"},
		{"broken", sample.Full(), reports.Plot{Name: "x", SVG: []byte("<svg>")}, "not well-formed"},
		{"html", sample.Full(), reports.Plot{Name: "x", SVG: []byte("<p></p>")}, "want <svg>"},
		{"script", sample.Full(), reports.Plot{Name: "x", SVG: []byte("<svg><script/></svg>")}, "not allowed"},
		{"handler", sample.Full(), reports.Plot{Name: "x", SVG: []byte(`<svg onload="x()"/>`)}, "runs code"},
		{"remote", sample.Full(), reports.Plot{Name: "x", SVG: []byte(`<svg><image href="https://example.invalid/a.png"/></svg>`)}, "loads from elsewhere"},
		{"remote style", sample.Full(), reports.Plot{Name: "x", SVG: []byte(`<svg><g style="fill:url(//example.invalid/a)"/></svg>`)}, "loads from elsewhere"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := reports.Render(tt.o, partsWith(tt.plot))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestWriteFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out", "new")
	o := sample.Full()
	f, err := reports.Render(o, parts())
	if err != nil {
		t.Fatal(err)
	}
	names, err := reports.WriteFiles(dir, o.Study.ID, f)
	if err != nil {
		t.Fatal(err)
	}
	index, err := reports.WriteIndex(dir, []*study.Outcome{o})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, n := range append(names, index) {
		if _, err := os.Stat(n); err != nil {
			t.Error(err)
		}
		got = append(got, filepath.Base(n))
	}
	want := "synthetic-2099-sample-effect.svg synthetic-2099-sample.md synthetic-2099-sample.html synthetic-2099-sample.txt index.html"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("wrote %s\nwant  %s", s, want)
	}
	// The Markdown must link to the file that was written.
	if !bytes.Contains(f.Markdown, []byte("](synthetic-2099-sample-effect.svg)")) {
		t.Error("the Markdown does not link to the plot's file")
	}
}

func TestWriteSome(t *testing.T) {
	dir := t.TempDir()
	names, err := reports.WriteFiles(dir, "only", &reports.Forms{Post: []byte("x\n"), Plots: parts().Tables["fakebench"].Plots})
	if err != nil || len(names) != 1 || filepath.Base(names[0]) != "only.txt" {
		t.Errorf("got %v, %v; want only.txt alone", names, err)
	}
}

func TestWriteFilesErrors(t *testing.T) {
	f := &reports.Forms{Post: []byte("x\n")}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	closed := filepath.Join(t.TempDir(), "closed")
	if err := os.Mkdir(closed, 0o555); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, dir, id, want string }{
		{"file in the way", file, "a", "is not a directory; give one with -o"},
		{"below a file", filepath.Join(file, "out"), "a", "cannot write into directory"},
		{"no permission", closed, "a", "cannot write into directory"},
		{"path as id", t.TempDir(), "../a", "does not make a file name"},
		{"no id", t.TempDir(), "", "does not make a file name"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.dir == closed && os.Geteuid() == 0 {
				t.Skip("root may write anywhere")
			}
			_, err := reports.WriteFiles(tt.dir, tt.id, f)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got error %v, want one with %q", err, tt.want)
			}
		})
	}
}
