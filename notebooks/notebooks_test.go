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
	"github.com/schedlab/schedlab/schedsim/experiment"
)

var update = flag.Bool("update", false, "store the new outputs in the notebooks")

// home is the store that the notebooks name.
const home = "../out/store"

// TestNotebooks executes every notebook and compares what it shows with the outputs
// that are stored in it: a notebook that no longer says what it shows fails. All runs
// are simulated for that, in a store of the test, with -update too.
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
			output, store := filepath.Join(t.TempDir(), file), t.TempDir()
			_, err := nb.Execute(context.Background(), file, nb.Options{
				CellTimeout: 5 * time.Minute, Output: output, Env: []string{experiment.StoreEnv + "=" + store},
			})
			var failed *nb.CellError
			if errors.As(err, &failed) {
				t.Fatalf("%v\n%s", failed, failed.Text)
			}
			if err != nil {
				t.Fatal(err)
			}
			// The store is named as the notebook does.
			got := strings.ReplaceAll(read(t, output), store, home)
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(strings.Split(read(t, file), "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("stored outputs are out of date, run go test ./notebooks -update:\n%s", diff)
			}
		})
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
