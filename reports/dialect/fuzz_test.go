package dialect

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// seeds are the paragraphs of testdata: the fuzzer is slow on long texts.
func seeds(f *testing.F) {
	f.Helper()
	err := filepath.WalkDir("testdata", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(path, "fuzz") {
			return err
		}
		data, err := os.ReadFile(path)
		for _, paragraph := range strings.Split(string(data), "\n\n") {
			if len(paragraph) < maxSeed {
				f.Add(paragraph)
			}
		}
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
}

// maxSeed is the longest paragraph taken, bytes.
const maxSeed = 1500

// FuzzFind looks for tables of every style in anything. What is found lies within the
// text, can be written, and is found again in what was written.
func FuzzFind(f *testing.F) {
	seeds(f)
	f.Add("a  1,5  2,5  +66,7%\nb  1,0  2,0  +100,0%\n")
	f.Fuzz(func(t *testing.T, text string) {
		found, _ := Find(text, "fuzz")
		lines := strings.Count(text, "\n") + 1
		for _, x := range found {
			if x.First < 1 || x.Last < x.First || x.Last > lines {
				t.Fatalf("lines %d to %d of %d", x.First, x.Last, lines)
			}
			var b bytes.Buffer
			if err := x.Table.Write(&b); err != nil {
				continue // such as a name that another column would swallow
			}
			if len(x.Table.Deviations) > 0 {
				continue // an edited table may read otherwise in the program's layout
			}
			if again, err := Find(b.String(), "again"); len(again) == 0 {
				t.Fatalf("%s: no table in what was written, %v:\n%s", x.Table.Style(), err, b.String())
			}
		}
	})
}
