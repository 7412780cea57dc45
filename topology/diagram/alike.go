package diagram

import (
	"strconv"
	"strings"
)

const (
	// fullCPUs is how many CPUs are all drawn.
	fullCPUs = 256
	// detailCPUs is how many CPUs of a larger machine are drawn at most, as
	// far as it has parts that are alike.
	detailCPUs = 512
)

// findShapes numbers the shapes of all parts.
func (t *tree) findShapes() {
	shapes := map[string]int{}
	var visit func(p *part) int
	visit = func(p *part) int {
		var key strings.Builder
		key.WriteString(p.kind + "|" + p.caches)
		if p.kind == corePart {
			key.WriteString("|" + strconv.Itoa(p.index) + "|" + strconv.Itoa(len(p.cpus)))
		}
		for _, c := range p.children {
			key.WriteString("|" + strconv.Itoa(visit(c)))
		}
		n, ok := shapes[key.String()]
		if !ok {
			n = len(shapes)
			shapes[key.String()] = n
		}
		p.shape = n
		return n
	}
	for _, p := range t.tops {
		visit(p)
	}
}

// collapse marks parts that are like another one, the largest first, until few
// enough CPUs are left to be drawn.
func (t *tree) collapse() {
	if drawn(t.tops) <= fullCPUs {
		return
	}
	for level := range 4 { // sockets, nodes, last-level and level-2 caches
		collapseAt(t.tops, level)
		if drawn(t.tops) <= detailCPUs {
			return
		}
	}
}

// collapseAt marks the parts so many levels down that are like a sibling.
func collapseAt(siblings []*part, level int) {
	first := map[int]*part{}
	for _, p := range siblings {
		switch {
		case p.like != nil || p.kind == corePart:
		case level > 0:
			collapseAt(p.children, level-1)
		case first[p.shape] == nil:
			first[p.shape] = p
		default:
			p.like = first[p.shape]
		}
	}
}

// drawn counts the CPUs of parts that are drawn in detail.
func drawn(parts []*part) int {
	n := 0
	for _, p := range parts {
		switch {
		case p.like != nil:
		case p.kind == corePart:
			n += len(p.cpus)
		default:
			n += drawn(p.children)
		}
	}
	return n
}
