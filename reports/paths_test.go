package reports

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/schedlab/schedlab/reports/view"
)

// TestPaths: no name of a study or plot leaves the directory.
func TestPaths(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	for _, name := range []string{"../x", "../../x", "/tmp/x", "a/../../x", "x/y", "..", `..\x`} {
		for _, f := range []*Forms{
			{HTML: []byte("x")},
			{Markdown: []byte("x"), Plots: []view.Plot{{Name: name, SVG: []byte("<svg/>")}}},
		} {
			id := name
			if f.Plots != nil {
				id = "study"
				if name == ".." || name == `..\x` {
					continue // study-...svg is a name like any other
				}
			}
			if names, err := WriteFiles(dir, id, f); err == nil {
				t.Errorf("id %q, plot %q: %v", id, name, names)
			}
		}
	}
	if entries, err := os.ReadDir(filepath.Dir(dir)); err == nil {
		for _, e := range entries {
			if e.Name() != "b" {
				t.Errorf("%s is written", e.Name())
			}
		}
	}
}
