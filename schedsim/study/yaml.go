package study

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/schedlab/schedlab/internal/input"
)

// maxYAML bounds the size of a study's or model's text, in bytes: room for a
// thousand constant sets.
const maxYAML = 256 << 10

// document is parsed YAML that knows on which line each value stands.
type document struct {
	filename string
	file     *ast.File
}

// decode parses data strictly into v: unknown keys, duplicate keys and more
// than one document are errors that name file and line.
func decode(filename string, data []byte, v any) (doc *document, err error) {
	if len(data) > maxYAML {
		return nil, fmt.Errorf("study: %s:1: file of %d bytes is too large for a study; check the name", filename, len(data))
	}
	if line, wrong := input.CheckYAML(data); line > 0 {
		return nil, fmt.Errorf("study: %s:%d: %s; simplify the file", filename, line, wrong)
	}
	// The parser has panicked on malformed input before; to a user that is
	// a file with an error in it like any other.
	defer func() {
		if r := recover(); r != nil {
			doc, err = nil, fmt.Errorf("study: %s:1: not readable as YAML (%v); check its syntax", filename, r)
		}
	}()
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, positioned(filename, err)
	}
	docs := 0
	for _, d := range file.Docs {
		if d.Body != nil {
			docs++
		}
	}
	if docs != 1 {
		return nil, fmt.Errorf("study: %s:1: has %d YAML documents; give it exactly one", filename, docs)
	}
	for _, d := range file.Docs {
		if line, wrong := input.CheckYAMLNodes(d.Body); line > 0 {
			return nil, fmt.Errorf("study: %s:%d: %s", filename, line, wrong)
		}
	}
	if err := yaml.UnmarshalWithOptions(data, v, yaml.Strict()); err != nil {
		return nil, positioned(filename, err)
	}
	return &document{filename: filename, file: file}, nil
}

// positioned turns an error of the YAML library into file:line: message.
func positioned(filename string, err error) error {
	line, msg := 1, err.Error()
	var ye yaml.Error
	if errors.As(err, &ye) {
		msg = ye.GetMessage()
		if tok := ye.GetToken(); tok != nil && tok.Position != nil {
			line = tok.Position.Line
		}
	}
	msg, _, _ = strings.Cut(strings.TrimSpace(msg), "\n")
	hint := "correct that line"
	var unknown *yaml.UnknownFieldError
	if errors.As(err, &unknown) {
		hint = "remove the key or correct its name"
	}
	return fmt.Errorf("study: %s:%d: %s; %s", filename, line, msg, hint)
}

// node finds the value at a path such as "$.table.rows[3].pct", or nil.
func (d *document) node(path string) ast.Node {
	p, err := yaml.PathString(path)
	if err != nil {
		return nil
	}
	n, err := p.FilterFile(d.file)
	if err != nil {
		return nil
	}
	return n
}

// line returns the line of the value at path, or that of its closest ancestor
// which exists. It is at least 1.
func (d *document) line(path string) int {
	for path != "" && path != "$" {
		if n := d.node(path); n != nil {
			if tok := n.GetToken(); tok != nil && tok.Position != nil {
				return max(tok.Position.Line, 1)
			}
		}
		cut := strings.LastIndexAny(path, ".[")
		if cut < 0 {
			break
		}
		path = path[:cut]
	}
	return 1
}

// literal returns a scalar as it is written in the file.
func (d *document) literal(path string) string {
	n := d.node(path)
	if n == nil || n.GetToken() == nil {
		return ""
	}
	return n.GetToken().Value
}

// errorf is an error at the value at path.
func (d *document) errorf(path, format string, args ...any) error {
	return fmt.Errorf("study: %s:%d: %w", d.filename, d.line(path), fmt.Errorf(format, args...))
}
