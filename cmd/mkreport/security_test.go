package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestHostileIDs: ids become names of files, so they are words.
func TestHostileIDs(t *testing.T) {
	base, err := os.ReadFile("../../deploy/slurm/testdata/sweep.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"../../x", "/tmp/x", "a/b", "..", ".hidden", "a b", "x;id", "$(id)", "x\\u0000y", "-rf"} {
		for _, line := range []string{"id: sweep", "  - id: figures"} {
			key, _, _ := strings.Cut(line, ": ")
			text := bytes.Replace(base, []byte(line), fmt.Appendf(nil, "%s: \"%s\"", key, id), 1)
			name := textFile(t, "s.yaml", string(text))
			status, _, stderr := invoke(t.Context(), "run", name, "--store", filepath.Join(t.TempDir(), "store"), "-o", filepath.Join(t.TempDir(), "out"))
			if status != exitFailed || !strings.Contains(stderr, name+":") {
				t.Errorf("%s %q: exit status %d, %s", key, id, status, stderr)
			}
		}
	}
}

// programs are all places where another program is started, with what names it. None
// is a shell, and arguments are lists, not lines.
var programs = map[string]string{
	"reports/nb/kernel.go":     "gonb",   // the kernel that go.mod pins, by its path
	"internal/fuzzall/main.go": `"go"`,   // which fuzzes this module
	"reports/nb/tools.go":      `"go"`,   // which builds it
	"schedsim/bench/peers.go":  "python", // of the simulators that bench --peers holds ours to; the script is part of the program
}

// TestNoShell reads the source of all programs: none starts a shell.
func TestNoShell(t *testing.T) {
	root := filepath.Join("..", "..")
	found := make(map[string]string)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != root || d.Name() == "testdata" || d.Name() == "out") {
			if path != root {
				return filepath.SkipDir
			}
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		starts := slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"os/exec"` })
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && starts && slices.Contains([]string{`"sh"`, `"bash"`, `"/bin/sh"`, `"/bin/bash"`, `"-c"`, `"-lc"`}, lit.Value) {
				t.Errorf("%s: %s smells of a shell", set.Position(lit.Pos()), lit.Value)
			}
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			of, ok := sel.X.(*ast.Ident)
			if !ok {
				return true
			}
			at := -1
			switch of.Name + "." + sel.Sel.Name {
			case "exec.Command", "os.StartProcess", "syscall.Exec", "syscall.ForkExec", "unix.Exec":
				at = 0
			case "exec.CommandContext":
				at = 1
			}
			if at < 0 || at >= len(call.Args) {
				return true
			}
			var b bytes.Buffer
			switch arg := call.Args[at].(type) {
			case *ast.BasicLit:
				b.WriteString(arg.Value)
			case *ast.Ident:
				b.WriteString(arg.Name)
			default:
				fmt.Fprintf(&b, "%T", arg)
			}
			found[filepath.ToSlash(name)] = b.String()
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(found, programs) {
		t.Errorf("programs are started by %v, want %v; if that is meant, say here what is started", found, programs)
	}
}
