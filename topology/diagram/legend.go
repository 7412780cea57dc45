package diagram

import (
	"fmt"

	"github.com/schedlab/schedlab/topology"
)

// legendItem explains a class of boxes.
type legendItem struct{ class, text string }

func (d *painter) legendItems() []legendItem {
	has := map[string]bool{}
	var visit func(p *part)
	visit = func(p *part) {
		has[p.kind] = true
		for _, c := range p.children {
			visit(c)
		}
	}
	for _, p := range d.t.tops {
		visit(p)
	}
	var items []legendItem
	add := func(when bool, class, text string) {
		if when {
			items = append(items, legendItem{class, text})
		}
	}
	add(has[socketPart], socketPart, "socket")
	add(has[nodePart] || len(d.t.memory) > 0, "memory", "NUMA node with its memory")
	add(has[llcPart], llcPart, "last-level cache and the cores that share it")
	add(has[l2Part], l2Part, "level-2 cache or cluster and its cores")
	for _, l := range d.t.cores {
		text := "core"
		if len(d.t.m.CoreKinds) > 0 {
			text = d.t.m.CoreKinds[l.kind].Name + " core"
		}
		if l.caches != "" {
			text += " with " + l.caches
		}
		text += fmt.Sprintf(" (%d)", l.cores)
		items = append(items, legendItem{coreClass(l.kind), text})
	}
	add(len(d.t.offline) > 0, "offline", "CPU that is offline")
	return items
}

// legend explains the boxes and returns where that ends.
func (d *painter) legend(x, y, w float64) float64 {
	d.c.text("head", x, y+12, "Legend")
	y += 20
	at := x
	for _, item := range d.legendItems() {
		need := 20 + textWidth(item.text) + 16
		if at > x && at+need > x+w {
			at, y = x, y+rowHeight
		}
		if item.class == "offline" {
			d.c.rect(item.class, at, y+1, 14, 12, 2, fmt.Sprintf(`fill="url(#%s)"`, d.hatch))
		} else {
			d.c.rect(item.class, at, y+1, 14, 12, 2)
		}
		d.c.text("label", at+20, y+11, item.text)
		at += need
	}
	y += rowHeight
	for _, notes := range d.notes() {
		for _, line := range wrap(notes, 150) {
			d.c.text("dim", x, y+11, line)
			y += rowHeight - 2
		}
	}
	return y
}

// notes says what the picture leaves out.
func (d *painter) notes() []string {
	all := []string{"Numbers are those of CPUs; CPUs in one box are threads of a core."}
	if d.t.anyLike() {
		all[0] += " A box with a list of CPUs is like the first of its kind, whose cores are drawn."
	}
	if strided(d.t.tops) {
		all[0] += " 1-31:2 is every second CPU from 1 to 31."
	}
	for _, s := range d.t.stray {
		all = append(all, "Not drawn: "+s+".")
	}
	if !d.t.nodesShown {
		for i := range d.t.m.NUMANodes {
			var cpus []int
			for _, c := range d.t.m.CPUs {
				if c.State == topology.Online && c.Node == i {
					cpus = append(cpus, c.ID)
				}
			}
			all = append(all, fmt.Sprintf("%s: CPUs %s; nodes cut through other parts here.", d.t.nodeLabel(i), topology.FormatCPUList(cpus)))
		}
	}
	return all
}
