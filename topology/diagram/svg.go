package diagram

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/schedlab/schedlab/topology"
)

// WriteSVG draws a machine. The error is that of the writer.
func WriteSVG(w io.Writer, m *topology.Machine) error {
	d, height := painted(m)
	t := d.t

	var head canvas
	head.line(`<svg xmlns="http://www.w3.org/2000/svg" class="machine-diagram" role="img" aria-labelledby="%s-title %s-desc" width="%s" height="%s" viewBox="0 0 %s %s">`,
		m.ID, m.ID, num(width), num(height), num(width), num(height))
	head.line(`<title id="%s-title">%s</title>`, m.ID, escape(m.ID+": "+m.Name))
	head.line(`<desc id="%s-desc">%s</desc>`, m.ID, escape(t.describe()))
	head.line("<style>\n%s</style>", style())
	head.line(`<defs><pattern id="%s" width="6" height="6" patternUnits="userSpaceOnUse"><path class="hatch" d="M-1 1l2 -2M0 6l6 -6M5 7l2 -2"/></pattern></defs>`, d.hatch)
	head.rect("page", 0, 0, width, height, 0)
	for _, part := range [][]byte{head.buf.Bytes(), d.c.buf.Bytes(), []byte("</svg>\n")} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// painted draws a machine and returns the height of the picture too.
func painted(m *topology.Machine) (*painter, float64) {
	t := newTree(m)
	t.collapse()
	d := &painter{layout: newLayout(t), hatch: m.ID + "-offline"}
	return d, d.paint()
}

// paint draws everything and returns the height of the picture.
func (d *painter) paint() float64 {
	m := d.t.m
	const inside = width - 2*margin
	y := margin + 16
	d.c.text("title", margin, y, m.ID)
	for _, line := range wrap(m.Name, 130) {
		y += 20
		d.c.text("name", margin, y, line)
	}
	y += 18
	d.c.text("label", margin, y, d.t.counts())
	y += 15
	d.c.text("mono dim", margin, y, "sha256 "+m.Hash())
	y += 14
	// A small machine would have long empty boxes.
	used := 0.0
	for _, r := range d.runs(d.t.tops, inside) {
		used = max(used, r.width()*maxStretch)
	}
	y = d.siblings(d.t.tops, margin, y, min(used, inside))
	if len(d.t.memory) > 0 {
		y = d.memoryOnly(margin, y+gap, inside)
	}
	if len(d.t.offline) > 0 {
		y = d.switchedOff(margin, y+gap, inside)
	}
	y += 18
	right, bottom := d.distances(margin, y)
	if right+tableGap+latencyWidth <= margin+inside {
		bottom = max(bottom, d.latencies(right+tableGap, y))
	} else {
		bottom = d.latencies(margin, bottom+14)
	}
	return math.Ceil(d.legend(margin, bottom+14, inside) + margin/2)
}

// counts says in a line what the machine has.
func (t *tree) counts() string {
	m := t.m
	words := []string{fmt.Sprintf("%s, %d", m.Arch, m.Year), count(m.Sockets(), "socket"), count(m.Nodes(), "NUMA node")}
	llcs := m.LastLevelCaches()
	// A cluster that Linux takes for a last-level cache is none.
	if !slices.ContainsFunc(llcs, func(c topology.LastLevelCache) bool { return c.SizeKiB == 0 }) {
		words = append(words, count(len(llcs), "last-level cache"))
	}
	words = append(words, count(m.Cores(), "core"), count(len(m.OnlineCPUs()), "CPU")+" online")
	return strings.Join(words, " · ")
}

// describe says in sentences what the picture shows.
func (t *tree) describe() string {
	s := t.counts() + ". Boxes inside each other are sockets, NUMA nodes, caches and cores; the numbers in a core are its CPUs."
	if t.anyLike() {
		s += " Parts that are like another one are drawn with the list of their CPUs only."
	}
	return s + " Below are the distances of the nodes, latencies, and a legend."
}

// anyLike tells whether a part is not drawn in detail.
func (t *tree) anyLike() bool {
	online := len(t.m.OnlineCPUs())
	return drawn(t.tops) < online
}

// count is "1 node" or "2 nodes".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
