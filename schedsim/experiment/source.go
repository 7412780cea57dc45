package experiment

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/schedlab/schedlab/schedsim"
)

// identify names a patch so that two with one name are the same patch. A patch of
// the model is told by its name, any other by its name and a digest of its source: a
// cell that was edited must not get the runs of what it said before.
//
// The source is the declaration that the patch is in, and every other of its package
// that this one leads to, without comments and layout. It does not have the values
// that variables have when the patch is made: a function that makes patches of its
// parameters has to put these into their names.
func identify(p schedsim.Patch) (string, error) {
	if p.Name == "" || p.Apply == nil {
		return "", errors.New("experiment: a patch needs a Name and an Apply function")
	}
	if known, err := schedsim.LookupPatch(p.Name); err == nil {
		if reflect.ValueOf(known.Apply).Pointer() == reflect.ValueOf(p.Apply).Pointer() {
			return p.Name, nil
		}
		return "", fmt.Errorf("experiment: the model has a patch of the name %q; give yours another", p.Name)
	}
	fn := runtime.FuncForPC(reflect.ValueOf(p.Apply).Pointer())
	file, line := fn.FileLine(fn.Entry())
	digest, err := sourceDigest(file, line)
	if err != nil {
		return "", fmt.Errorf("experiment: patch %s: its source is needed to tell its runs from those of an edited one: %w", p.Name, err)
	}
	return p.Name + "@" + digest, nil
}

// sourceDigest is the digest of the top-level declaration at a line of a file, and of
// all in the file's folder that it leads to.
func sourceDigest(file string, line int) (string, error) {
	fset := token.NewFileSet()
	paths, err := filepath.Glob(filepath.Join(filepath.Dir(file), "*.go"))
	if err != nil {
		return "", err
	}
	byName := make(map[string][]ast.Node)
	var start ast.Node
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") && path != file {
			continue
		}
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			if path == file {
				return "", err
			}
			continue // not a part of this program
		}
		for _, d := range f.Decls {
			for name, node := range declared(d) {
				byName[name] = append(byName[name], node)
			}
			for _, n := range parts(d) {
				if path == file && fset.Position(n.Pos()).Line <= line && line <= fset.Position(n.End()).Line {
					start = n
				}
			}
		}
	}
	if start == nil {
		return "", fmt.Errorf("%s:%d: no declaration there", file, line)
	}
	seen := map[ast.Node]bool{}
	var texts []string
	var visit func(ast.Node)
	visit = func(n ast.Node) {
		if seen[n] {
			return
		}
		seen[n] = true
		var b bytes.Buffer
		if err := printer.Fprint(&b, token.NewFileSet(), n); err == nil {
			texts = append(texts, b.String())
		}
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				for _, d := range byName[id.Name] {
					visit(d)
				}
			}
			return true
		})
	}
	visit(start)
	slices.Sort(texts)
	sum := sha256.Sum256([]byte(strings.Join(texts, "\x00")))
	return hex.EncodeToString(sum[:6]), nil
}

// parts are what a declaration is taken for: itself, or each variable or type of a
// group. Constants that count stay together.
func parts(d ast.Decl) []ast.Node {
	g, ok := d.(*ast.GenDecl)
	if !ok || g.Tok == token.CONST {
		return []ast.Node{d}
	}
	var out []ast.Node
	for _, s := range g.Specs {
		out = append(out, s)
	}
	return out
}

// declared says which part of a declaration declares each of its names.
func declared(d ast.Decl) map[string]ast.Node {
	out := make(map[string]ast.Node)
	add := func(part ast.Node, names ...*ast.Ident) {
		for _, n := range names {
			if n.Name != "_" {
				out[n.Name] = part
			}
		}
	}
	if f, ok := d.(*ast.FuncDecl); ok {
		add(f, f.Name)
		return out
	}
	g, ok := d.(*ast.GenDecl)
	if !ok {
		return out
	}
	for _, s := range g.Specs {
		part := ast.Node(s)
		if g.Tok == token.CONST {
			part = g
		}
		switch s := s.(type) {
		case *ast.ValueSpec:
			add(part, s.Names...)
		case *ast.TypeSpec:
			add(part, s.Name)
		}
	}
	return out
}
