package main

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// target is a fuzz target of the package in a directory.
type target struct{ dir, name string }

func (t target) String() string { return t.dir + "." + t.name }

var declared = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(\w+ \*testing\.F\)`)

// find lists the fuzz targets below a directory, but for those of other modules.
func find(root string) ([]target, error) {
	var all []target
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root {
			_, err := os.Stat(filepath.Join(path, "go.mod"))
			if err == nil || strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" {
				return filepath.SkipDir
			}
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		for _, m := range declared.FindAllSubmatch(text, -1) {
			all = append(all, target{filepath.ToSlash(dir), string(m[1])})
		}
		return nil
	})
	slices.SortFunc(all, func(a, b target) int { return cmp.Compare(a.String(), b.String()) })
	return all, err
}

var execs = regexp.MustCompile(`execs: (\d+)`)

// inputs reads from the output of go test how many inputs there were.
func inputs(out string) int {
	n := 0
	for _, m := range execs.FindAllStringSubmatch(out, -1) {
		n, _ = strconv.Atoi(m[1])
	}
	return n
}

// outOfTime reports whether go test failed for nothing but its time being up while an input was
// under way: no input is named then.
func outOfTime(out string) bool {
	return strings.Contains(out, "context deadline exceeded") && !strings.Contains(out, "Failing input") && !strings.Contains(out, "panic")
}
