package dump

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

var treeHeader = regexp.MustCompile(`(?m)^-- (\S+)(?: -> (\S+))? --\n`)

// parseTree turns a text of files into a file system: "-- name --" starts a
// file, "-- name -> target --" is a symbolic link, and \0 is a NUL byte.
func parseTree(text string) fstest.MapFS {
	fsys := make(fstest.MapFS)
	marks := treeHeader.FindAllStringSubmatchIndex(text, -1)
	for i, m := range marks {
		end := len(text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		name := text[m[2]:m[3]]
		if m[4] >= 0 {
			fsys[name] = &fstest.MapFile{Data: []byte(text[m[4]:m[5]]), Mode: fs.ModeSymlink | 0o777}
			continue
		}
		data := strings.ReplaceAll(text[m[1]:end], `\0`, "\x00")
		fsys[name] = &fstest.MapFile{Data: []byte(data), Mode: 0o444}
	}
	return fsys
}

// read reads a file of testdata in any form.
func read(t *testing.T, name string) *Facts {
	t.Helper()
	f, err := readTest(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func readTest(name string) (*Facts, error) {
	path := "testdata/" + name
	if strings.HasPrefix(name, "sysfs/") && strings.HasSuffix(name, ".txt") {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		return ReadFS(path, parseTree(string(text)))
	}
	return ReadPath(path)
}

// tree reads a tree that is written in the test.
func readTreeText(text string) (*Facts, error) { return ReadFS("tree", parseTree(text)) }
