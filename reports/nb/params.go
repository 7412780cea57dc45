package nb

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// The tags of cells with parameters, which papermill has given a meaning: a
// notebook declares its parameters, with defaults, in a cell tagged
// "parameters"; an execution with other values puts a cell tagged
// "injected-parameters" below it.
const (
	parametersTag = "parameters"
	injectedTag   = "injected-parameters"
)

// A Parameter is a variable or constant that a notebook declares in its cell
// tagged "parameters", and that an execution can give another value:
//
//	var (
//		clients = 64                     // pairs of client and server
//		age     = 300 * time.Millisecond // simulated time before measuring
//		rows    = []int{16, 64}
//	)
//
// The declaration that GoNB sees last is the one that counts, so that a second
// one further down replaces it in all cells.
type Parameter struct {
	Name string
	// Type is a basic type other than a complex one, "time.Duration", or a
	// slice of one of these.
	Type string
	// Default is the Go source of its value, "" for the zero value.
	Default string
	// Doc is the comment beside or above it.
	Doc string

	constant bool
	bad      string // why it cannot be set
}

// Parameters returns what the notebook declares, in order; nothing without a
// cell tagged "parameters". The error is of a cell that is no Go.
func (n *Notebook) Parameters() ([]Parameter, error) {
	c := n.tagged(parametersTag)
	if c == nil {
		return nil, nil
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "cell", declarations(c.Source), parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("the cell tagged %q (id %s) is no Go: %w", parametersTag, c.ID, err)
	}
	var all []Parameter
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && (g.Tok == token.VAR || g.Tok == token.CONST) {
			for _, spec := range g.Specs {
				all = append(all, parametersOf(fset, g, spec.(*ast.ValueSpec))...)
			}
		}
	}
	return all, nil
}

// tagged returns the first code cell with a tag, or nil.
func (n *Notebook) tagged(tag string) *Cell {
	for _, c := range n.CodeCells() {
		if c.HasTag(tag) {
			return c
		}
	}
	return nil
}

// declarations makes a Go file of the declarations in a cell: lines for the
// kernel are left out, and what is in main, after "%%", declares nothing. The
// lines keep their numbers, but for the package clause on the first.
func declarations(source string) string {
	var b strings.Builder
	b.WriteString("package cell; ")
	for line := range strings.Lines(source) {
		if strings.HasPrefix(line, "%%") || strings.HasPrefix(line, "%main") {
			break
		}
		if strings.HasPrefix(line, "%") || strings.HasPrefix(line, "!") {
			line = "\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

// parametersOf are the parameters that one specification declares.
func parametersOf(fset *token.FileSet, g *ast.GenDecl, spec *ast.ValueSpec) []Parameter {
	var all []Parameter
	for i, name := range spec.Names {
		if name.Name == "_" {
			continue
		}
		p := Parameter{Name: name.Name, constant: g.Tok == token.CONST, Doc: docOf(g, spec)}
		if spec.Type != nil {
			p.Type = sourceOf(fset, spec.Type)
		}
		if i < len(spec.Values) {
			p.Default = sourceOf(fset, spec.Values[i])
			if p.Type == "" {
				p.Type = typeOf(spec.Values[i], p.Default)
			}
		}
		switch {
		case len(spec.Values) > 0 && len(spec.Values) != len(spec.Names):
			p.bad = "it is declared together with others by one value; declare it by itself"
		case p.Type == "":
			p.bad = fmt.Sprintf("its type is not in sight in %q; write it: var %s TYPE = ...", p.Default, p.Name)
		case !settable(p.Type):
			p.bad = fmt.Sprintf("its type %s is none that a command line can give; use a basic type, time.Duration, or a slice of them", p.Type)
		}
		all = append(all, p)
	}
	return all
}

func docOf(g *ast.GenDecl, spec *ast.ValueSpec) string {
	for _, c := range []*ast.CommentGroup{spec.Comment, spec.Doc, g.Doc} {
		if c != nil {
			return oneLine(c.Text())
		}
	}
	return ""
}

func sourceOf(fset *token.FileSet, e ast.Expr) string {
	var b bytes.Buffer
	if err := printer.Fprint(&b, fset, e); err != nil {
		return ""
	}
	return b.String()
}

// duration matches the units of package time in an expression.
var duration = regexp.MustCompile(`\btime\.(Nano|Micro|Milli)?[sS]econd\b|\btime\.(Minute|Hour)\b`)

// typeOf is the type of an expression as far as it can be told without the
// rest of the program, or "".
func typeOf(e ast.Expr, source string) string {
	if list, ok := e.(*ast.CompositeLit); ok && list.Type != nil {
		return types.ExprString(list.Type)
	}
	if call, ok := e.(*ast.CallExpr); ok && settable(types.ExprString(call.Fun)) {
		return types.ExprString(call.Fun) // a conversion
	}
	if duration.MatchString(source) {
		// A unit of time makes a duration of every constant that it is
		// multiplied by.
		e := duration.ReplaceAllString(source, "1")
		if v, err := types.Eval(token.NewFileSet(), nil, token.NoPos, e); err == nil && v.Value != nil {
			return durationType
		}
		return ""
	}
	v, err := types.Eval(token.NewFileSet(), nil, token.NoPos, source)
	if err != nil || v.Type == nil {
		return ""
	}
	return types.Default(v.Type).String()
}

// parameter returns the parameter of a name that can be set, or an error that
// says what can.
func parameter(all []Parameter, name string) (Parameter, error) {
	var names []string
	for _, p := range all {
		if p.Name == name {
			if p.bad != "" {
				return p, &ParameterError{Name: name, what: "cannot be set: " + p.bad}
			}
			return p, nil
		}
		if p.bad == "" {
			names = append(names, p.Name+" "+p.Type)
		}
	}
	if len(all) == 0 {
		return Parameter{}, &ParameterError{Name: name, what: fmt.Sprintf(
			"the notebook declares no parameters; tag the cell that declares them with %q", parametersTag)}
	}
	slices.Sort(names)
	return Parameter{}, &ParameterError{Name: name, what: "the notebook has no such parameter; it declares " + or(strings.Join(names, ", "), "none that can be set")}
}

// A ParameterError says that a parameter is not one of the notebook, or that
// its value is not one of its type.
type ParameterError struct {
	Name string
	what string
}

func (e *ParameterError) Error() string { return fmt.Sprintf("parameter %s: %s", e.Name, e.what) }

// SetParameters gives parameters other values than those that the notebook
// declares: below the cell that declares them it puts one that declares them
// again, in place of such a cell from before. Values are text as on a command
// line, by name; see [Parameter] for the types. Nothing is changed if one of
// them is wrong; the error is then a [*ParameterError].
func (n *Notebook) SetParameters(values map[string]string) error {
	if len(values) == 0 {
		return nil
	}
	all, err := n.Parameters()
	if err != nil {
		return err
	}
	for name := range values {
		if _, err := parameter(all, name); err != nil {
			return err
		}
	}
	source := "// Parameters\n"
	for _, p := range all { // in the order of the notebook
		text, ok := values[p.Name]
		if !ok {
			continue
		}
		value, err := goValue(p.Type, text)
		if err != nil {
			return &ParameterError{Name: p.Name, what: err.Error()}
		}
		source += p.declare(value) + "\n"
	}
	n.inject(strings.TrimSuffix(source, "\n"))
	return nil
}

// declare is the declaration of a parameter with a value in Go. The type is
// left out where the value has it.
func (p Parameter) declare(value string) string {
	keyword := "var"
	if p.constant {
		keyword = "const"
	}
	switch {
	case strings.HasPrefix(value, p.Type+"{"), p.Type == "string", p.Type == "bool", p.Type == "int",
		p.Type == "float64" && strings.ContainsAny(value, ".e"), p.Type == durationType && strings.Contains(value, "time."):
		return fmt.Sprintf("%s %s = %s", keyword, p.Name, value)
	}
	return fmt.Sprintf("%s %s %s = %s", keyword, p.Name, p.Type, value)
}

// inject puts a cell with the parameters' values where it belongs.
func (n *Notebook) inject(source string) {
	n.Cells = slices.DeleteFunc(n.Cells, func(c *Cell) bool { return c.Type == Code && c.HasTag(injectedTag) })
	cell := &Cell{ID: injectedTag, Type: Code, Source: source, Metadata: map[string]any{"tags": []any{injectedTag}}}
	declared := n.tagged(parametersTag)
	for i, c := range n.Cells {
		if c == declared {
			n.Cells = slices.Insert(n.Cells, i+1, cell)
			break
		}
	}
	nameCells(n.Cells)
}

// Describe is the parameter's type and default in a few words, or why it cannot
// be set.
func (p Parameter) Describe() string {
	if p.bad != "" {
		return "cannot be set: " + p.bad
	}
	if p.Default == "" {
		return p.Type
	}
	return p.Type + " = " + p.Default
}
