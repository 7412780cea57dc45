package experiment

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const program = `package main

import "fmt"

type other int

var (
	limit = 4
	mine  = patch{apply: func() int {
		return helper(limit)
	}}
	aside = 1
)

func helper(n int) int { return n + 1 }

func main() { fmt.Println(mine, aside) }
`

// TestSourceDigest: what the patch is made of changes the digest, nothing else does.
func TestSourceDigest(t *testing.T) {
	digest := func(text string) string {
		t.Helper()
		file := filepath.Join(t.TempDir(), "main.go")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		line := 1 + strings.Count(text[:strings.Index(text, "apply: func")], "\n")
		d, err := sourceDigest(file, line)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	want := digest(program)
	for _, tc := range []struct {
		name, old, new string
		same           bool
	}{
		{"as it is", "", "", true},
		{"its code", "helper(limit)", "helper(limit) + 1", false},
		{"a function that it calls", "n + 1", "n + 2", false},
		{"a variable that it reads", "limit = 4", "limit = 5", false},
		{"another variable of the group", "aside = 1", "aside = 2", true},
		{"another function", "Println(mine", "Print(mine", true},
		{"another type", "other int", "other string", true},
		{"a comment", "return helper", "// why\n\t\treturn helper", true},
		{"layout", "limit = 4", "limit   =   4\n", true},
		{"its place", "type other int", "type other int\n\nvar more, yet int", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := digest(strings.Replace(program, tc.old, tc.new, 1)); (got == want) != tc.same {
				t.Errorf("digest %s, was %s; want the same: %v", got, want, tc.same)
			}
		})
	}
	if _, err := sourceDigest(filepath.Join(t.TempDir(), "gone.go"), 1); err == nil {
		t.Error("a file that is not there has a digest")
	}
}
