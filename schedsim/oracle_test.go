package schedsim_test

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/schedlab/schedlab/schedsim/scenario"
)

// TestOracle holds the model against real kernels: all scenarios that there are
// recordings of, against the list of what passes and what is known to miss. With
// -update the list and the page are written anew.
func TestOracle(t *testing.T) {
	const (
		data = "testdata/oracle"
		list = data + "/expected.txt"
		page = "../docs/conformance.md"
	)
	if testing.Short() {
		t.Skip("runs some hundred simulations")
	}
	update := flag.Lookup("update").Value.String() == "true"
	text, err := os.ReadFile(list)
	if err != nil && !(update && os.IsNotExist(err)) {
		t.Fatal(err)
	}
	expected, err := scenario.ReadExpected(bytes.NewReader(text), list)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := scenario.Conformance(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	if update {
		var out bytes.Buffer
		if err := scenario.WriteExpected(&out, lines, expected); err != nil {
			t.Fatal(err)
		}
		write(t, list, out.Bytes())
		if expected, err = scenario.ReadExpected(&out, list); err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range expected.Check(lines) {
		t.Error(m)
	}
	var out bytes.Buffer
	if err := scenario.WriteMarkdown(&out, lines, expected); err != nil {
		t.Fatal(err)
	}
	if update {
		write(t, page, out.Bytes())
	}
	if old, err := os.ReadFile(page); err != nil {
		t.Error(err)
	} else if !bytes.Equal(old, out.Bytes()) {
		t.Errorf("%s is out of date: run go run ./schedsim/scenario/conformance, or this test with -update", page)
	}
}

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}
