package nb

import (
	"errors"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const declared = `tag: parameters
%noautoget
import "time"

// what to run
var (
	// clients, in pairs
	clients = 64
	age     = 300 * time.Millisecond // before measuring
	machine = "csl-2s-80"
	ratio   = 0.5
	seed    uint64 = 1
	full    = false
	rows    = []int{16, 64}
	names   []string
	mask    = 1 << 4
	a, b    = pair()
	m       = map[string]int{}
	what    = thing()
)

const bins = 8

%%
local := 3
`

func TestParameters(t *testing.T) {
	all, err := notebookOf("x := 1", declared).Parameters()
	if err != nil {
		t.Fatal(err)
	}
	want := []Parameter{
		{Name: "clients", Type: "int", Default: "64", Doc: "clients, in pairs"},
		{Name: "age", Type: "time.Duration", Default: "300 * time.Millisecond", Doc: "before measuring"},
		{Name: "machine", Type: "string", Default: `"csl-2s-80"`, Doc: "what to run"},
		{Name: "ratio", Type: "float64", Default: "0.5", Doc: "what to run"},
		{Name: "seed", Type: "uint64", Default: "1", Doc: "what to run"},
		{Name: "full", Type: "bool", Default: "false", Doc: "what to run"},
		{Name: "rows", Type: "[]int", Default: "[]int{16, 64}", Doc: "what to run"},
		{Name: "names", Type: "[]string", Doc: "what to run"},
		{Name: "mask", Type: "int", Default: "1 << 4", Doc: "what to run"},
		{Name: "a", Default: "pair()", Doc: "what to run"},
		{Name: "b", Doc: "what to run"},
		{Name: "m", Type: "map[string]int", Default: "map[string]int{}", Doc: "what to run"},
		{Name: "what", Default: "thing()", Doc: "what to run"},
		{Name: "bins", Type: "int", Default: "8"},
	}
	if diff := cmp.Diff(want, all, cmpopts.IgnoreUnexported(Parameter{})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, p := range all {
		if bad := p.Name == "a" || p.Name == "b" || p.Name == "m" || p.Name == "what"; bad != (p.bad != "") {
			t.Errorf("%s: %q", p.Name, p.bad)
		}
	}
}

func TestSetParameters(t *testing.T) {
	n := notebookOf(declared, "last")
	ids := []string{n.Cells[0].ID, n.Cells[1].ID}
	for range 2 { // the second time replaces the cell of the first
		err := n.SetParameters(map[string]string{
			"bins": "0x10", "clients": "-1", "age": "1.5s", "machine": `a"b`, "ratio": "2", "seed": "18446744073709551615",
			"full": "true", "rows": "1, 2", "names": "a, b",
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(n.Cells) != 3 || n.Cells[0].ID != ids[0] || n.Cells[2].ID != ids[1] {
		t.Fatalf("cells %v", n.Cells)
	}
	want := `// Parameters
var clients = -1
var age = 1500 * time.Millisecond
var machine = "a\"b"
var ratio float64 = 2
var seed uint64 = 18446744073709551615
var full = true
var rows = []int{1, 2}
var names = []string{"a", " b"}
const bins = 16`
	if c := n.Cells[1]; c.Source != want || c.ID != "injected-parameters" || !c.HasTag("injected-parameters") {
		t.Errorf("cell %s\n%s", c.ID, c.Source)
	}
}

func TestSetParametersRefuses(t *testing.T) {
	for _, tt := range []struct{ name, parameter, value, want string }{
		{"unknown", "client", "1", "the notebook has no such parameter; it declares age time.Duration, bins int, clients int, full bool"},
		{"local", "local", "1", "no such parameter"},
		{"type", "clients", "many", `parameter clients: "many" is no int; give a whole number from -9223372036854775808 to 9223372036854775807`},
		{"fraction", "clients", "1.5", "is no int"},
		{"range", "seed", "-1", `is no uint64; give a whole number from 0 to 18446744073709551615`},
		{"bool", "full", "1", "give true or false"},
		{"duration", "age", "300", "give a time such as 300ms"},
		{"nan", "ratio", "NaN", "give a finite number"},
		{"element", "rows", "1,x", `"x" is no int`},
		{"pair", "a", "1", "cannot be set: it is declared together with others"},
		{"map", "m", "1", "cannot be set: its type map[string]int is none"},
		{"call", "what", "1", "its type is not in sight"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := notebookOf(declared)
			err := n.SetParameters(map[string]string{tt.parameter: tt.value})
			var bad *ParameterError
			if !errors.As(err, &bad) || bad.Name != tt.parameter || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if len(n.Cells) != 1 {
				t.Error("the notebook was changed")
			}
		})
	}
	t.Run("none", func(t *testing.T) {
		err := notebookOf("x").SetParameters(map[string]string{"a": "1"})
		if err == nil || !strings.Contains(err.Error(), `tag the cell that declares them with "parameters"`) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("no-go", func(t *testing.T) {
		err := notebookOf("tag: parameters\nvar = 3").SetParameters(map[string]string{"a": "1"})
		if err == nil || !strings.Contains(err.Error(), "is no Go: cell:1:") {
			t.Errorf("error %v", err)
		}
	})
}

// FuzzParameters: whatever the cell and the value are, what is injected is Go
// that declares the parameter with its type.
func FuzzParameters(f *testing.F) {
	f.Add("var clients = 64", "clients", "7")
	f.Add("var s = \"x\"", "s", "a\"\n`;")
	f.Add("const f float32 = 1", "f", "1e30")
	f.Add("var l []string", "l", ",")
	f.Add("var d time.Duration", "d", "-1h0.5s")
	f.Fuzz(func(t *testing.T, source, name, value string) {
		n := notebookOf("tag: parameters\n" + source)
		if n.SetParameters(map[string]string{name: value}) != nil {
			return
		}
		again := &Notebook{Cells: []*Cell{{Type: Code, Source: n.Cells[1].Source, Metadata: map[string]any{"tags": []any{parametersTag}}}}}
		all, err := again.Parameters()
		if err != nil {
			t.Fatalf("%v in\n%s", err, n.Cells[1].Source)
		}
		if len(all) != 1 || all[0].Name != name || all[0].bad != "" {
			t.Fatalf("%+v in\n%s", all, n.Cells[1].Source)
		}
		if all[0].Type == durationType || strings.HasPrefix(all[0].Type, "[]"+durationType) {
			return
		}
		v, err := types.Eval(token.NewFileSet(), nil, token.NoPos, all[0].Type+"("+all[0].Default+")")
		if err != nil {
			t.Errorf("%v in\n%s", err, n.Cells[1].Source)
		} else if v.Type.String() != all[0].Type {
			t.Errorf("type %v, want %s", v.Type, all[0].Type)
		}
	})
}
