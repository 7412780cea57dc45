package diagram

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/schedlab/schedlab/topology"
)

const (
	heatCell   = 19.0
	heatWidth  = 34.0
	heatNarrow = 24.0 // with more nodes than fewNodes
	fewNodes   = 8
	maxNumbers = 24 // nodes that get numbers in the table of distances
	maxHeat    = 48 // nodes that get a table at all
	rowHeight  = 17.0
	tableGap   = 30.0 // between the two tables
)

// distances draws the table of distances and returns where it ends, on the
// right and below.
func (d *painter) distances(x, y float64) (right, bottom float64) {
	m := d.t.m
	n := len(m.Distances)
	if n < 2 {
		return x - tableGap, y
	}
	d.c.text("head", x, y+12, "Distances of the nodes (SLIT)")
	right = x + 190
	y += 22
	if n > maxHeat {
		d.c.text("label", x, y+11, fmt.Sprintf("%d nodes, distances %s", n, joinNumbers(distinct(m.Distances))))
		return x + 400, y + rowHeight
	}
	cellW, cellH := heatWidth, heatCell
	switch {
	case n > fewNodes && n <= maxNumbers:
		cellW = heatNarrow
	case n > maxNumbers:
		cellW, cellH = 8, 8
	}
	numbers := n <= maxNumbers
	far := 10
	for _, row := range m.Distances {
		far = max(far, slices.Max(row))
	}
	left := x
	if numbers {
		left += heatWidth
		for i, node := range m.NUMANodes {
			d.c.text("mono mid dim", left+(float64(i)+0.5)*cellW, y+12, strconv.Itoa(node.ID))
			d.c.text("mono end dim", left-8, y+cellH*float64(i+1)+13, strconv.Itoa(node.ID))
		}
		y += cellH
	}
	for i, row := range m.Distances {
		for j, dist := range row {
			heat := 0.04
			if far > 10 {
				heat += 0.46 * float64(dist-10) / float64(far-10)
			}
			cx, cy := left+float64(j)*cellW, y+float64(i)*cellH
			d.c.shade("heat", cx, cy, cellW-1, cellH-1, heat)
			if numbers {
				d.c.text("mono mid", cx+(cellW-1)/2, cy+13, strconv.Itoa(dist))
			}
		}
	}
	bottom = y + float64(n)*cellH
	if !numbers {
		d.c.text("dim", x, bottom+13, fmt.Sprintf("%d nodes in the order of their numbers, distances %s", n, joinNumbers(distinct(m.Distances))))
		bottom += rowHeight
	}
	return max(right, left+float64(n)*cellW), bottom
}

// distinct returns the values of a matrix, ascending.
func distinct(matrix [][]int) []int {
	all := slices.Concat(matrix...)
	slices.Sort(all)
	return slices.Compact(all)
}

func joinNumbers(values []int) string {
	var words []string
	for _, v := range values {
		words = append(words, strconv.Itoa(v))
	}
	return strings.Join(words, ", ")
}

// latencyWidth is the width of the table of latencies.
const latencyWidth = 450.0

// latencies draws what it costs to reach a place and returns where that ends.
func (d *painter) latencies(x, y float64) float64 {
	d.c.text("head", x, y+12, "Latency, ns")
	y += 22
	d.c.text("dim", x, y+12, "from a CPU to")
	d.c.text("dim", x+185, y+12, "a cache line, one way")
	d.c.text("dim", x+325, y+12, "a load from memory")
	y += heatCell
	cell := func(at float64, q topology.Quantity) {
		if q == (topology.Quantity{}) {
			return
		}
		d.c.text("mono end", x+at, y+11, strconv.FormatFloat(q.Value, 'f', -1, 64))
		d.c.text("dim", x+at+6, y+11, fmt.Sprintf("±%s %% %s", strconv.FormatFloat(q.Uncertainty, 'f', -1, 64), q.Kind))
	}
	for _, l := range d.t.m.Latencies() {
		d.c.text("label", x, y+11, l.To)
		cell(215, l.Transfer)
		cell(355, l.Load)
		y += rowHeight
	}
	return y
}
