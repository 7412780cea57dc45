// Package notebooks holds the notebooks; its test executes them.
package notebooks

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/schedlab/schedlab/reports/nb"
)

var update = flag.Bool("update", false, "store the new outputs in the notebooks")

// TestNotebooks executes every notebook and compares what it prints with the
// outputs that are stored in it: a notebook that no longer says what it shows
// fails.
func TestNotebooks(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the notebook kernel")
	}
	files, err := filepath.Glob("*.ipynb")
	if err != nil || len(files) == 0 {
		t.Fatalf("no notebooks: %v", err)
	}
	for _, file := range files {
		t.Run(file, func(t *testing.T) {
			output := filepath.Join(t.TempDir(), file)
			if *update {
				output = file
			}
			_, err := nb.Execute(context.Background(), file, nb.Options{CellTimeout: 5 * time.Minute, Output: output})
			var failed *nb.CellError
			if errors.As(err, &failed) {
				t.Fatalf("%v\n%s", failed, failed.Text)
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(lines(t, file), lines(t, output)); diff != "" {
				t.Errorf("stored outputs are out of date, run go test ./notebooks -update:\n%s", diff)
			}
		})
	}
}

func lines(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(text), "\n")
}
