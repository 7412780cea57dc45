package topology

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

func TestWriteText(t *testing.T) {
	const golden = "testdata/csl-2s-80.txt"
	var buf bytes.Buffer
	if err := load(t, "csl-2s-80").WriteText(&buf); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(golden, buf.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), buf.String()); diff != "" {
		t.Errorf("differs from %s, check it and run with -update (-want +got):\n%s", golden, diff)
	}
}

type failingWriter struct{}

var errFull = errors.New("disk full")

func (failingWriter) Write([]byte) (int, error) { return 0, errFull }

func TestWriteTextError(t *testing.T) {
	if err := load(t, "csl-2s-80").WriteText(failingWriter{}); !errors.Is(err, errFull) {
		t.Errorf("error %v, want that of the writer", err)
	}
}

func TestGroupSizes(t *testing.T) {
	tests := []struct {
		groups [][]int
		want   string
	}{
		{[][]int{{0, 1}, {2, 3}}, "2 of 2"},
		{[][]int{{0, 1}, {2}}, "2+1"},
	}
	for _, test := range tests {
		if got := groupSizes(test.groups); got != test.want {
			t.Errorf("%v: %q, want %q", test.groups, got, test.want)
		}
	}
}
