package input

import (
	"strings"
	"unicode"

	"github.com/goccy/go-yaml/ast"
)

// CheckYAMLNodes looks for what parsed YAML may not have below a node, and returns
// the line of the first and what to do, or line 0.
//
// An alias can multiply the size of a file, and a figure that is written elsewhere
// is hard to review. A control character steers the terminal that it is printed on,
// and no drawing can have it.
func CheckYAMLNodes(n ast.Node) (line int, wrong string) {
	var v nodeVisitor
	if n != nil {
		ast.Walk(&v, n)
	}
	return v.line, v.wrong
}

// nodeVisitor is an ast.Visitor that keeps what it finds first.
type nodeVisitor struct {
	line  int
	wrong string
}

func (v *nodeVisitor) Visit(n ast.Node) ast.Visitor {
	if v.line > 0 {
		return nil
	}
	text := ""
	switch n := n.(type) {
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode, *ast.TagNode:
		v.wrong = "anchors, aliases, merge keys and tags are not allowed, write the value itself"
	case *ast.StringNode:
		text = n.Value
	case *ast.LiteralNode:
		if n.Value != nil {
			text = n.Value.Value
		}
	}
	if strings.ContainsFunc(text, control) {
		v.wrong = "a text has a control character, leave it out"
	}
	if v.wrong == "" {
		return v
	}
	v.line = 1
	if tok := n.GetToken(); tok != nil && tok.Position != nil {
		v.line = max(tok.Position.Line, 1)
	}
	return nil
}

// control tells a character that is not shown but does something: control
// characters, and those that change the direction of text.
func control(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' ||
		r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069' || r == '\ufffe' || r == '\uffff'
}
