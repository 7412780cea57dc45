package topology

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/schedlab/schedlab/internal/input"
)

// maxFileBytes bounds a machine file, which has about 10 KB, and 60 KB with 1,024
// CPUs listed.
const maxFileBytes = 512 << 10

// Parse reads a machine from YAML. The filename is for error messages only.
//
// Parsing is strict: an unknown or missing key, a number without unit, kind,
// uncertainty and source, or a fact that contradicts another one is an error.
// The error lists everything that was found, one line each, in the form
// "file:line: what is wrong, what to do".
func Parse(filename string, data []byte) (m *Machine, err error) {
	// The YAML library is not ours; a panic of it on odd input has to be an
	// error like any other.
	defer func() {
		if r := recover(); r != nil {
			m, err = nil, fmt.Errorf("%s:1: the YAML parser gave up (%v), simplify the file", filename, r)
		}
	}()
	if len(data) > maxFileBytes {
		return nil, fmt.Errorf("%s:1: the file has %d bytes, keep it below %d", filename, len(data), maxFileBytes)
	}
	if line, wrong := input.CheckYAML(data); line > 0 {
		return nil, fmt.Errorf("%s:%d: %s, simplify the file", filename, line, wrong)
	}
	p := &problems{filename: filename}
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, p.yamlError(err)
	}
	if len(file.Docs) != 1 || file.Docs[0].Body == nil {
		return nil, fmt.Errorf("%s:1: the file holds %d YAML documents with content, write one machine a file",
			filename, countBodies(file))
	}
	p.root = file.Docs[0].Body
	if _, ok := p.root.(*ast.MappingNode); !ok {
		p.add("", "the file is no list of keys and values, start it with \"schema: %s\"", schemaName)
		return nil, p.err()
	}
	if line, wrong := input.CheckYAMLNodes(p.root); line > 0 {
		return nil, fmt.Errorf("%s:%d: %s", filename, line, wrong)
	}
	var f machineFile
	if err := yaml.NodeToValue(p.root, &f, yaml.Strict()); err != nil {
		return nil, p.yamlError(err)
	}
	m = (&builder{problems: p, sources: f.Sources}).machine(&f)
	if err := p.err(); err != nil {
		return nil, err
	}
	return m, nil
}

func countBodies(f *ast.File) int {
	n := 0
	for _, doc := range f.Docs {
		if doc.Body != nil {
			n++
		}
	}
	return n
}

// yamlError puts an error of the YAML library into words, with its line.
func (p *problems) yamlError(err error) error {
	line := 1
	var text string
	var positioned yaml.Error
	if !errors.As(err, &positioned) {
		text = err.Error()
	} else {
		// Its Error method would print the whole file around the place.
		text = positioned.GetMessage()
		if tok := positioned.GetToken(); tok != nil && tok.Position != nil {
			line = tok.Position.Line
		}
	}
	var (
		unknown  *yaml.UnknownFieldError
		overflow *yaml.OverflowError
		mismatch *yaml.TypeError
	)
	switch {
	case strings.Contains(text, "already defined"):
		// The parser has no type of its own for this one.
		text = strings.TrimSpace(text) + ", keep one of the two"
	case errors.As(err, &unknown):
		text += ", remove it or correct its spelling"
	case errors.As(err, &overflow):
		text = fmt.Sprintf("the number %s is out of range, correct it", overflow.SrcNum)
	case errors.As(err, &mismatch):
		text = fmt.Sprintf("found a %s, write a %s", typeName(mismatch.SrcType), typeName(mismatch.DstType))
		if mismatch.Token != nil {
			text = fmt.Sprintf("%q is a %s, write a %s", mismatch.Token.Value,
				typeName(mismatch.SrcType), typeName(mismatch.DstType))
		}
	default:
		text = strings.TrimSpace(text) + ", correct the YAML"
	}
	return fmt.Errorf("%s:%d: %s", p.filename, line, text)
}

// whole is an int that YAML has to write as one: the library would take 2.5 for
// 2.
type whole int

// UnmarshalYAML implements yaml.NodeUnmarshaler.
func (w *whole) UnmarshalYAML(node ast.Node) error {
	var v float64
	if err := yaml.NodeToValue(node, &v); err != nil {
		return err
	}
	if _, ok := node.(*ast.IntegerNode); !ok || v < math.MinInt32 || v > math.MaxInt32 {
		return &yaml.TypeError{SrcType: reflect.TypeFor[float64](), DstType: reflect.TypeFor[int](), Token: node.GetToken()}
	}
	*w = whole(v)
	return nil
}

// typeName names a Go type in the words of someone who edits YAML.
func typeName(t reflect.Type) string {
	if t == nil {
		return "different value"
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return "whole number"
	case reflect.Float64:
		return "number"
	case reflect.String:
		return "text"
	case reflect.Slice, reflect.Array:
		return "list"
	case reflect.Map, reflect.Struct:
		return "list of keys and values"
	case reflect.Pointer:
		return typeName(t.Elem())
	}
	return t.String()
}
