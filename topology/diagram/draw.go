package diagram

import (
	"fmt"
	"strconv"
)

// painter draws what a layout has placed.
type painter struct {
	*layout
	c canvas
	// hatch is the id of the pattern of CPUs that are offline.
	hatch string
}

// siblings draws parts in a width from a point down, and returns where they
// end.
func (d *painter) siblings(parts []*part, x, y, w float64) float64 {
	for i, r := range d.runs(parts, w) {
		if i > 0 {
			y += gap
		}
		each := (w - float64(r.columns-1)*r.gap()) / float64(r.columns)
		if r.parts[0].kind == corePart {
			each = min(each, r.w*maxStretch)
		}
		for k, p := range r.parts {
			px := x + float64(k%r.columns)*(each+r.gap())
			py := y + float64(k/r.columns)*(r.h+r.gap())
			d.part(p, px, py, each, r.h)
		}
		y += r.height()
	}
	return y
}

func (d *painter) part(p *part, x, y, w, h float64) {
	if p.kind == corePart {
		d.drawCore(p, x, y, w, h)
		return
	}
	d.c.rect(p.kind, x, y, w, h, 3)
	if p.like != nil {
		d.drawSmall(p, x, y, w)
		return
	}
	top := y
	if p.kind != nodePart {
		d.c.text("label", x+p.pad(), top+12, d.t.label(p))
		top += labelHeight
	}
	switch node := d.t.sameNode(p); {
	case node != nil:
		d.strip(node.index, node.caches, x+padding, top, w-2*padding)
	case p.kind == nodePart:
		d.strip(p.index, p.caches, x+padding, y+padding/2, w-2*padding)
	}
	d.siblings(d.t.inner(p), x+p.pad(), y+d.headHeight(p), w-2*p.pad())
}

// strip draws the memory of a node; more is what else there is to say.
func (d *painter) strip(node int, more string, x, y, w float64) {
	class := "memory"
	if mib := d.t.m.NUMANodes[node].MemoryMiB; mib != nil && *mib == 0 {
		class = "nomemory"
	}
	d.c.rect(class, x, y, w, stripHeight, 2)
	d.c.text("label", x+padding, y+12.5, joinWords(d.t.nodeLabel(node), more))
}

func (d *painter) drawCore(p *part, x, y, w, h float64) {
	d.c.rect(coreClass(p.index), x, y, w, h, 2)
	columns := threadColumns(len(p.cpus))
	cell := (w - 2*corePad) / float64(columns)
	var lines []stroke
	for i, cpu := range p.cpus {
		cx := x + corePad + (float64(i%columns)+0.5)*cell
		cy := y + corePad + float64(i/columns)*cellHeight
		d.c.text("cpu", cx, cy+11, strconv.Itoa(cpu))
		if i%columns > 0 {
			lines = append(lines, stroke{cx - cell/2, cy + 2, cellHeight - 4})
		}
	}
	if len(lines) > 0 {
		d.c.uprights("thread", lines)
	}
}

func (d *painter) drawSmall(p *part, x, y, w float64) {
	y += padding / 2
	for _, line := range d.t.smallLines(p, w) {
		y += lineHeight + 1
		class := "label"
		if line.cpus {
			class = "cpus"
		}
		d.c.text(class, x+padding, y-2.5, line.text)
	}
}

// memoryOnly draws the nodes that have no CPUs.
func (d *painter) memoryOnly(x, y, w float64) float64 {
	const boxWidth = 220.0
	columns := max(int((w+gap)/(boxWidth+gap)), 1)
	for i, index := range d.t.memory {
		px := x + float64(i%columns)*(boxWidth+gap)
		py := y + float64(i/columns)*(stripHeight+gap)
		d.strip(index, "no CPUs", px, py, boxWidth)
	}
	rows := (len(d.t.memory) + columns - 1) / columns
	return y + float64(rows)*(stripHeight+gap) - gap
}

// switchedOff draws the CPUs that are offline: where they sit is not known.
func (d *painter) switchedOff(x, y, w float64) float64 {
	d.c.text("label", x, y+11, fmt.Sprintf("Offline CPUs (%d): Linux does not tell where they sit", len(d.t.offline)))
	y += labelHeight + 1
	cell := d.cell + 2*corePad
	columns := int((w + coreGap) / (cell + coreGap))
	height := cellHeight + 2*corePad
	for i, cpu := range d.t.offline {
		px := x + float64(i%columns)*(cell+coreGap)
		py := y + float64(i/columns)*(height+coreGap)
		d.c.rect("offline", px, py, cell, height, 2, fmt.Sprintf(`fill="url(#%s)"`, d.hatch))
		d.c.text("cpu dim", px+cell/2, py+corePad+11, strconv.Itoa(cpu))
	}
	rows := (len(d.t.offline) + columns - 1) / columns
	return y + float64(rows)*(height+coreGap) - coreGap
}
