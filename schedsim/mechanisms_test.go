package schedsim

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
)

// functionsOf parses the package and returns its functions, methods included, by
// file.
func functionsOf(t *testing.T) map[string][]string {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	functions := make(map[string][]string)
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		functions[name] = []string{}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				functions[name] = append(functions[name], fn.Name.Name)
			}
		}
	}
	return functions
}

func TestMechanismPlaces(t *testing.T) {
	functions := functionsOf(t)
	for _, m := range Mechanisms() {
		if len(m.Where) == 0 {
			t.Errorf("%s: is nowhere", m.Name)
		}
		for i, p := range m.Where {
			if slices.Contains(m.Where[:i], p) {
				t.Errorf("%s: %s is named twice", m.Name, p)
			}
			if !slices.Contains(functions[p.File], p.Func) {
				t.Errorf("%s: there is no function %s", m.Name, p)
			}
		}
	}
}

func TestMechanismForms(t *testing.T) {
	if got := len(Forms{}); got != len(versions) {
		t.Fatalf("forms are of %d versions, there are %d", got, len(versions))
	}
	for i, want := range []string{"v3.10", "v4.18", "v5.9", "v5.10", "v6.1", "v6.12"} {
		if got := versions[i].name; got != want {
			t.Errorf("version %d is %s, forms have %s there", i, got, want)
		}
	}
	for _, m := range Mechanisms() {
		modelled := false
		for i, form := range m.Form {
			if form == "" {
				t.Errorf("%s: no form for %s", m.Name, versions[i].name)
			}
			if len(form) > 34 {
				t.Errorf("%s: form %q is too long for a column", m.Name, form)
			}
			modelled = modelled || form != notThere && form != notModelled
		}
		if !modelled {
			t.Errorf("%s: no version has it, list it as left out", m.Name)
		}
	}
}

func TestMechanismsOnce(t *testing.T) {
	seen := make(map[string]bool)
	once := func(part, name string) {
		if seen[name] {
			t.Errorf("%s is listed twice", name)
		}
		seen[name] = true
		if !slices.Contains(MechanismParts(), part) {
			t.Errorf("%s: there is no part %q", name, part)
		}
	}
	for _, m := range Mechanisms() {
		once(m.Part, m.Name)
	}
	for _, o := range LeftOut() {
		once(o.Part, o.What)
		if o.Why == "" {
			t.Errorf("%s is left out, say why", o.What)
		}
	}
	for _, part := range MechanismParts() {
		if !slices.ContainsFunc(Mechanisms(), func(m Mechanism) bool { return m.Part == part }) {
			t.Errorf("nothing is in part %q", part)
		}
	}
}

func TestVersionInfos(t *testing.T) {
	list := VersionInfos()
	if len(list) != len(Versions()) {
		t.Fatalf("got %d versions, want %d", len(list), len(Versions()))
	}
	for i, v := range Versions() {
		if list[i].Name != v || list[i].Modelled == 0 || list[i].Modelled+len(list[i].LeftOut) > len(Mechanisms()) {
			t.Errorf("got %+v for %s", list[i], v)
		}
	}
	for _, p := range Patches() {
		if len(p.Versions()) == 0 {
			t.Errorf("%s applies to no version", p.Name)
		}
		for _, v := range list {
			if got, want := slices.Contains(v.Patches, p.Name), slices.Contains(p.Versions(), v.Name); got != want {
				t.Errorf("%s: %s has it %v, it has that version %v", p.Name, v.Name, got, want)
			}
		}
	}
	if got, want := strings.Join(IdleCandidate.Versions(), " "), "v5.9 v5.10"; got != want {
		t.Errorf("idle-candidate applies to %s, want %s", got, want)
	}
}
