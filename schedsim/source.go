package schedsim

import (
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// patchFiles are where patches are written, as they were compiled.
//
//go:embed patches.go eevdf_patches.go numa_patches.go shi.go shi_variants.go
var patchFiles embed.FS

// PatchSource returns how this package writes the patch of a name: its Go source
// with the comment above it, as it was compiled. It is our reimplementation of the
// decision, not the kernel's code. It is an error if no patch of the name is
// written as a declaration of its own, such as a patch of a user's.
func PatchSource(name string) (string, error) {
	if _, err := LookupPatch(name); err != nil {
		return "", err
	}
	entries, err := patchFiles.ReadDir(".")
	if err != nil {
		return "", fmt.Errorf("schedsim: %w", err)
	}
	var best string
	for _, e := range entries {
		text, err := patchFiles.ReadFile(e.Name())
		if err != nil {
			return "", fmt.Errorf("schedsim: %w", err)
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, e.Name(), text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return "", fmt.Errorf("schedsim: %w", err)
		}
		for _, d := range f.Decls {
			if decl, ok := d.(*ast.GenDecl); ok && decl.Tok == token.VAR && namesPatch(decl, name) {
				best = string(text[set.Position(declStart(decl)).Offset:set.Position(decl.End()).Offset])
				if also := helpers(f, text, set, decl); also != "" {
					best += "\n\n" + also
				}
			}
		}
	}
	if best == "" {
		return "", fmt.Errorf("schedsim: patch %s has no source of its own", name)
	}
	return best, nil
}

func declStart(d *ast.GenDecl) token.Pos {
	if d.Doc != nil {
		return d.Doc.Pos()
	}
	return d.Pos()
}

// namesPatch reports whether a declaration has the string for its patch's name.
func namesPatch(d *ast.GenDecl, name string) bool {
	found := false
	for _, spec := range d.Specs {
		v, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		for _, value := range v.Values {
			switch e := value.(type) {
			case *ast.CompositeLit: // Patch{Name: "..."}
				for _, elt := range e.Elts {
					kv, ok := elt.(*ast.KeyValueExpr)
					found = found || ok && isIdent(kv.Key, "Name") && isText(kv.Value, name)
				}
			case *ast.CallExpr: // of a function that makes one of a series
				found = found || slices.ContainsFunc(e.Args, func(a ast.Expr) bool { return isText(a, name) })
			}
		}
	}
	return found
}

// helpers are the declarations of the same file that one refers to: the list that
// a series is taken from, and the function that does so.
func helpers(f *ast.File, text []byte, set *token.FileSet, of *ast.GenDecl) string {
	used := make(map[string]bool)
	note := func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			used[id.Name] = true
		}
		return true
	}
	ast.Inspect(of, note)
	for range 2 { // what those refer to as well
		for _, d := range f.Decls {
			if d != ast.Decl(of) && declares(d, used) {
				ast.Inspect(d, note)
			}
		}
	}
	var parts []string
	for _, d := range f.Decls {
		if d == ast.Decl(of) || !declares(d, used) {
			continue
		}
		start := d.Pos()
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Doc != nil {
				start = d.Doc.Pos()
			}
		case *ast.GenDecl:
			start = declStart(d)
		}
		parts = append(parts, string(text[set.Position(start).Offset:set.Position(d.End()).Offset]))
	}
	return strings.Join(parts, "\n\n")
}

// declares reports whether a declaration is of an unexported function, variable or
// constant that is used.
func declares(d ast.Decl, used map[string]bool) bool {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return d.Recv == nil && !d.Name.IsExported() && used[d.Name.Name]
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			if v, ok := spec.(*ast.ValueSpec); ok {
				for _, n := range v.Names {
					if !n.IsExported() && used[n.Name] {
						return true
					}
				}
			}
		}
	}
	return false
}

func isIdent(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

func isText(e ast.Expr, text string) bool {
	l, ok := e.(*ast.BasicLit)
	return ok && l.Kind == token.STRING && l.Value == `"`+text+`"`
}
