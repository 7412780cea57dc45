// Conformance runs the scenarios that there are recordings of, and writes the page
// that compares:
//
//	go run ./schedsim/scenario/conformance
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/schedlab/schedlab/schedsim/scenario"
)

func main() {
	data := flag.String("data", "schedsim/testdata/oracle", "`directory` of recordings, scenarios and expected.txt")
	to := flag.String("o", "docs/conformance.md", "`file` to write")
	flag.Parse()
	if err := write(*data, *to); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

func write(data, to string) error {
	list := filepath.Join(data, "expected.txt")
	f, err := os.Open(list)
	if err != nil {
		return err
	}
	defer f.Close()
	expected, err := scenario.ReadExpected(f, list)
	if err != nil {
		return err
	}
	lines, err := scenario.Conformance(context.Background(), data)
	if err != nil {
		return err
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	if err := scenario.WriteMarkdown(out, lines, expected); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}
