package schedsim_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

const modulePath = "github.com/schedlab/schedlab/"

// forbidden are functions whose result is not of the run's Config: clocks, randomness without
// a seed, the process and its environment.
var forbidden = map[string]string{
	"time.Now": "", "time.Since": "", "time.Until": "", "time.After": "", "time.AfterFunc": "", "time.Tick": "",
	"time.NewTimer": "", "time.NewTicker": "", "time.Sleep": "",
	"os.Getenv": "", "os.LookupEnv": "", "os.Environ": "", "os.Getpid": "", "os.Hostname": "", "os.Getwd": "",
	"runtime.NumCPU": "", "runtime.GOMAXPROCS": "", "runtime.NumGoroutine": "",
}

// forbiddenPackages are used for nothing in a run.
var forbiddenPackages = []string{"math/rand", "math/rand/v2", "crypto/rand", "hash/maphash", "unsafe"}

// allowed are places that may do what others may not, each with the reason. What is not there
// any longer fails the test too.
var allowed = map[string]string{
	"schedsim/domain.go buildDomains ranges over a map":        "each group is computed from its own CPUs",
	"schedsim/shadow.go init imports unsafe":                   "compares two functions by their addresses: whether they are the same",
	"schedsim/workload/registry.go Values ranges over a map":   "decides which of several unknown parameters an error names, before any run",
	"topology/build_distances.go transfer ranges over a map":   "fills a set",
	"topology/describe_latency.go Latencies ranges over a map": "fills a set, which is sorted",
	"topology/domain_numa.go numaDistances ranges over a map":  "fills a set, which is sorted",
}

// TestNothingRandom reads the packages that a run is made of. None asks a clock, the host or
// a source of randomness without a seed, starts a goroutine or waits for one, or walks over a
// map in an order that may matter.
func TestNothingRandom(t *testing.T) {
	l := &sources{fset: token.NewFileSet(), done: map[string]*types.Package{}, used: map[string]bool{}}
	l.std = importer.ForCompiler(l.fset, "source", nil)
	for _, dir := range []string{"schedsim/workload", "schedsim", "topology"} {
		if _, err := l.Import(modulePath + dir); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range l.found {
		t.Error(f)
	}
	for place := range allowed {
		if !l.used[place] {
			t.Errorf("%s is allowed, but there is no such thing any longer", place)
		}
	}
	if l.functions < 1000 {
		t.Errorf("only %d functions were read", l.functions)
	}
}

// sources type-checks the packages of the module from source.
type sources struct {
	fset      *token.FileSet
	std       types.Importer
	done      map[string]*types.Package
	found     []string
	used      map[string]bool
	functions int
}

func (l *sources) Import(name string) (*types.Package, error) {
	if p := l.done[name]; p != nil {
		return p, nil
	}
	dir, ours := strings.CutPrefix(name, modulePath)
	if !ours {
		if strings.Contains(strings.Split(name, "/")[0], ".") {
			// Of other modules nothing is in a run but the reading of a machine.
			p := types.NewPackage(name, path.Base(name))
			p.MarkComplete()
			l.done[name] = p
			return p, nil
		}
		p, err := l.std.Import(name)
		l.done[name] = p
		return p, err
	}
	dir = filepath.Join("..", dir)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(l.fset, filepath.Join(dir, e.Name()), nil, 0)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	// Errors are of what the other modules' packages lack here.
	conf := types.Config{Importer: l, Error: func(error) {}}
	p, _ := conf.Check(name, l.fset, files, info)
	l.done[name] = p
	for _, f := range files {
		l.read(f, info)
	}
	return p, nil
}

// read looks for what is forbidden in a file.
func (l *sources) read(f *ast.File, info *types.Info) {
	for _, i := range f.Imports {
		for _, bad := range forbiddenPackages {
			if strings.Trim(i.Path.Value, `"`) == bad {
				l.note(i, "init", "imports "+bad)
			}
		}
	}
	for _, d := range f.Decls {
		in := "init"
		if fn, ok := d.(*ast.FuncDecl); ok {
			in = fn.Name.Name
			l.functions++
		}
		sorted := map[ast.Node]bool{} // calls whose result is sorted at once
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if f, ok := n.Fun.(*ast.SelectorExpr); ok && strings.HasPrefix(f.Sel.Name, "Sorted") && len(n.Args) > 0 {
					if inner, ok := n.Args[0].(*ast.CallExpr); ok {
						sorted[inner.Fun] = true
					}
				}
			case *ast.GoStmt:
				l.note(n, in, "starts a goroutine")
			case *ast.SelectStmt:
				l.note(n, in, "selects")
			case *ast.SendStmt:
				l.note(n, in, "sends to a channel")
			case *ast.RangeStmt:
				if tv, ok := info.Types[n.X]; ok && tv.Type != nil {
					if _, isMap := tv.Type.Underlying().(*types.Map); isMap {
						l.note(n, in, "ranges over a map")
					}
				}
			case *ast.SelectorExpr:
				if id, ok := n.X.(*ast.Ident); ok {
					if p, ok := info.Uses[id].(*types.PkgName); ok {
						name := path.Base(p.Imported().Path()) + "." + n.Sel.Name
						if _, bad := forbidden[name]; bad {
							l.note(n, in, "calls "+name)
						}
						if (name == "maps.Keys" || name == "maps.Values" || name == "maps.All") && !sorted[n] {
							l.note(n, in, "calls "+name)
						}
					}
				}
			}
			return true
		})
	}
}

// note adds a finding, unless the place is allowed.
func (l *sources) note(n ast.Node, in, what string) {
	pos := l.fset.Position(n.Pos())
	file := strings.TrimPrefix(filepath.ToSlash(pos.Filename), "../")
	place := fmt.Sprintf("%s %s %s", file, in, what)
	if allowed[place] != "" {
		l.used[place] = true
		return
	}
	l.found = append(l.found, fmt.Sprintf("%s:%d: %s %s: a run would not follow from its Config alone; do otherwise, or give the reason in allowed: %q",
		file, pos.Line, in, what, place))
}
