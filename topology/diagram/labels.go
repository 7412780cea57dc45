package diagram

import (
	"fmt"
	"slices"
	"strings"

	"github.com/schedlab/schedlab/topology"
)

// inner returns the parts that are drawn inside a part: those of its only
// node, if that is drawn as a strip.
func (t *tree) inner(p *part) []*part {
	if n := t.sameNode(p); n != nil {
		return n.children
	}
	return p.children
}

// sameNode returns the node that has the same CPUs as a socket, if any.
func (t *tree) sameNode(p *part) *part {
	if p.kind == socketPart && len(p.children) == 1 && p.children[0].kind == nodePart {
		return p.children[0]
	}
	return nil
}

// label is what stands above the parts inside a box.
func (t *tree) label(p *part) string {
	switch p.kind {
	case socketPart:
		return joinWords(fmt.Sprintf("socket %d", p.index), p.caches)
	case nodePart:
		return joinWords(t.nodeLabel(p.index), p.caches)
	case llcPart:
		if p.caches == "" {
			return "last-level cache"
		}
	case l2Part:
		if p.caches == "" {
			return "cluster"
		}
	}
	return p.caches
}

// nodeLabel names a node and its memory, if the size of that is known.
func (t *tree) nodeLabel(index int) string {
	n := t.m.NUMANodes[index]
	switch {
	case n.MemoryMiB == nil:
		return fmt.Sprintf("node %d", n.ID)
	case *n.MemoryMiB == 0:
		return fmt.Sprintf("node %d, no memory", n.ID)
	}
	return fmt.Sprintf("node %d, memory %s", n.ID, topology.FormatSize(*n.MemoryMiB<<10))
}

func joinWords(words ...string) string {
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	return strings.Join(words, ", ")
}

// textLine is a line in a part that is drawn small.
type textLine struct {
	text string
	cpus bool // it is a list of CPUs
}

func (l textLine) width() float64 {
	if l.cpus {
		return monoWidth * float64(len(l.text))
	}
	return textWidth(l.text)
}

// smallLines says which CPUs a part has, by node if it has several.
func (t *tree) smallLines(p *part, w float64) []textLine {
	title := t.label(p) + like(p)
	var nodes []*part
	switch {
	case t.sameNode(p) != nil:
		title = fmt.Sprintf("socket %d, %s", p.index, t.nodeLabel(p.children[0].index)) + like(p)
	case p.kind == socketPart && len(p.children) > 1 && p.children[0].kind == nodePart:
		nodes = p.children
	}
	lines := []textLine{{text: title}}
	if nodes == nil {
		return append(lines, listLines(p.cpus, w)...)
	}
	for _, n := range nodes {
		lines = append(lines, textLine{text: t.nodeLabel(n.index)})
		lines = append(lines, listLines(n.cpus, w)...)
	}
	return lines
}

// like says which part a small one is like, where that has a name.
func like(p *part) string {
	if p.kind == socketPart {
		return fmt.Sprintf(": like socket %d", p.like.index)
	}
	return ""
}

// textWidth estimates the width of a label. It errs on the wide side, as the
// reader's font is not known: these are the widths of DejaVu Sans.
func textWidth(s string) float64 {
	w := 0.0
	for _, r := range s {
		switch {
		case strings.ContainsRune("fijlrt ,.:;|()", r):
			w += 4
		case strings.ContainsRune("mwMW", r):
			w += 10
		case 'A' <= r && r <= 'Z':
			w += 7.5
		default:
			w += 6.8
		}
	}
	return w
}
