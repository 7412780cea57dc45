package topology

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// problems collects what is wrong with one YAML file, with line numbers.
type problems struct {
	filename string
	root     ast.Node
	found    []problem
}

type problem struct {
	line int
	text string
}

// add records that something is wrong at path, such as "costs.refill_l2.unit"
// or "caches.0.size". The format has to say what is wrong and what to do.
func (p *problems) add(path, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if path != "" {
		text = path + ": " + text
	}
	p.found = append(p.found, problem{p.line(path), text})
}

// err returns all problems in the order of their lines, nil if there are none.
func (p *problems) err() error {
	slices.SortStableFunc(p.found, func(a, b problem) int { return cmp.Compare(a.line, b.line) })
	var errs []error
	for _, f := range p.found {
		errs = append(errs, fmt.Errorf("%s:%d: %s", p.filename, f.line, f.text))
	}
	return errors.Join(errs...)
}

// line returns the line of the key or list item at path; for a path that the
// file does not have, the line of the nearest part of it that it has.
func (p *problems) line(path string) int {
	line := nodeLine(p.root, 1)
	if path == "" {
		return line
	}
	node := p.root
	for _, elem := range strings.Split(path, ".") {
		switch n := node.(type) {
		case *ast.MappingNode:
			value := mappingValue(n, elem)
			if value == nil {
				return line
			}
			line = nodeLine(value.Key, line)
			node = value.Value
		case *ast.SequenceNode:
			i, err := strconv.Atoi(elem)
			if err != nil || i < 0 || i >= len(n.Values) {
				return line
			}
			node = n.Values[i]
			line = itemLine(node, line)
		default:
			return line
		}
	}
	return line
}

func mappingValue(n *ast.MappingNode, key string) *ast.MappingValueNode {
	for _, v := range n.Values {
		if tok := v.Key.GetToken(); tok != nil && tok.Value == key {
			return v
		}
	}
	return nil
}

// itemLine returns the line that a list item starts on. The token of a block
// mapping is the colon of its first key, hence the key.
func itemLine(n ast.Node, otherwise int) int {
	if m, ok := n.(*ast.MappingNode); ok && !m.IsFlowStyle && len(m.Values) > 0 {
		return nodeLine(m.Values[0].Key, otherwise)
	}
	return nodeLine(n, otherwise)
}

func nodeLine(n ast.Node, otherwise int) int {
	if n == nil {
		return otherwise
	}
	if tok := n.GetToken(); tok != nil && tok.Position != nil {
		return tok.Position.Line
	}
	return otherwise
}
