package diagram

import (
	"math"
	"strconv"
)

// Sizes in units of the picture, which are pixels where it is shown at its own
// size.
const (
	width   = 960.0
	margin  = 20.0
	padding = 6.0 // between the box of a socket or node and what is in it
	tight   = 4.0 // the same in a cache, and between caches
	gap     = 6.0 // between other boxes
	coreGap = 3.0
	corePad = 2.0

	cellHeight  = 15.0
	labelHeight = 16.0
	stripHeight = 17.0
	lineHeight  = 13.0 // of CPU lists

	monoWidth = 6.1 // of a character of the CPU numbers

	// maxStretch is how many times its least width a core, or a part that is
	// in no other, may have.
	maxStretch = 2.5
)

// size is what a part needs.
type size struct{ w, h float64 }

// layout places the parts of a machine. It remembers what it has measured,
// because each choice of columns asks for the same parts again.
type layout struct {
	t    *tree
	cell float64 // least width of a CPU's cell
	seen map[measured]size
}

type measured struct {
	part *part
	w    float64
}

func newLayout(t *tree) *layout {
	digits := len(strconv.Itoa(len(t.m.CPUs) - 1))
	return &layout{t: t, cell: monoWidth*float64(digits) + 4, seen: map[measured]size{}}
}

// run is consecutive siblings of one shape, laid out as a grid.
type run struct {
	parts   []*part
	columns int
	size    // of one part
}

func (r *run) rows() int { return (len(r.parts) + r.columns - 1) / r.columns }

func (r *run) gap() float64 {
	switch r.parts[0].kind {
	case corePart:
		return coreGap
	case llcPart, l2Part:
		return tight
	}
	return gap
}

// pad is the room between the box of a part and what is in it.
func (p *part) pad() float64 {
	if p.kind == llcPart || p.kind == l2Part {
		return tight
	}
	return padding
}

func (r *run) height() float64 {
	return float64(r.rows())*r.h + float64(r.rows()-1)*r.gap()
}

func (r *run) width() float64 {
	return float64(r.columns)*r.w + float64(r.columns-1)*r.gap()
}

// runs lays siblings out in a width, each run as low as it can be. Runs stand
// above each other.
func (l *layout) runs(siblings []*part, w float64) []run {
	var all []run
	for _, p := range siblings {
		last := len(all) - 1
		if last >= 0 && all[last].parts[0].shape == p.shape && (all[last].parts[0].like == nil) == (p.like == nil) {
			all[last].parts = append(all[last].parts, p)
		} else {
			all = append(all, run{parts: []*part{p}})
		}
	}
	for i := range all {
		l.grid(&all[i], w)
	}
	return all
}

// grid chooses the number of columns of a run.
func (l *layout) grid(r *run, w float64) {
	r.columns = 1
	r.size = l.measure(r.parts, w)
	best := math.Inf(1)
	for c := 1; c <= len(r.parts); c++ {
		each := math.Floor((w - float64(c-1)*r.gap()) / float64(c))
		s := l.measure(r.parts, each)
		if s.w > each {
			break
		}
		try := run{parts: r.parts, columns: c, size: s}
		// Holes in the last row count as if they were one beside the other.
		holes := try.rows()*c - len(r.parts)
		h := try.height() + float64(holes)/float64(c)*try.h
		if h < best {
			best = h
			r.columns, r.size = c, s
		}
	}
}

// measure returns the size that holds each of the parts, which are alike.
func (l *layout) measure(parts []*part, w float64) size {
	if parts[0].like == nil {
		return l.measureOne(parts[0], w)
	}
	var s size
	for _, p := range parts {
		one := l.measureOne(p, w)
		s.w, s.h = max(s.w, one.w), max(s.h, one.h)
	}
	return s
}

// measureOne returns the size of a part that may be w wide. It is wider than
// that if the part does not fit.
func (l *layout) measureOne(p *part, w float64) size {
	key := measured{p, w}
	if s, ok := l.seen[key]; ok {
		return s
	}
	var s size
	switch {
	case p.kind == corePart:
		s = l.core(p)
	case p.like != nil:
		s = l.small(p, w)
	default:
		s.w = textWidth(l.t.label(p)) + 2*p.pad()
		s.h = l.headHeight(p) + p.pad()
		for i, r := range l.runs(l.t.inner(p), w-2*p.pad()) {
			s.w = max(s.w, r.width()+2*p.pad())
			s.h += r.height()
			if i > 0 {
				s.h += gap
			}
		}
	}
	l.seen[key] = s
	return s
}

// core returns the size of a core.
func (l *layout) core(p *part) size {
	c := threadColumns(len(p.cpus))
	rows := (len(p.cpus) + c - 1) / c
	return size{float64(c)*l.cell + 2*corePad, float64(rows)*cellHeight + 2*corePad}
}

// threadColumns is how many threads of a core stand beside each other.
func threadColumns(threads int) int { return min(threads, 4) }

// headHeight is the height of what stands above the parts inside a box.
func (l *layout) headHeight(p *part) float64 {
	h := labelHeight
	if p.kind == socketPart && l.t.sameNode(p) != nil || p.kind == nodePart {
		h = stripHeight + padding
		if p.kind == socketPart {
			h += labelHeight
		}
	}
	return h
}

// small returns the size of a part that is drawn with its CPU numbers only.
func (l *layout) small(p *part, w float64) size {
	s := size{0, padding}
	for _, line := range l.t.smallLines(p, w) {
		s.w = max(s.w, line.width()+2*padding)
		s.h += lineHeight + 1
	}
	s.h += padding / 2
	return s
}
