package topology

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// allKinds are the kinds of knowledge, from the best.
var allKinds = []Kind{Measured, Vendor, Derived, Assumed}

// kindCounts says how many of the machine's numbers are known in which way.
func (m *Machine) kindCounts() string {
	counts := map[Kind]int{}
	all := m.Quantities()
	for _, q := range all {
		counts[q.Kind]++
	}
	var parts []string
	for _, k := range allKinds {
		if counts[k] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[k], k))
		}
	}
	return fmt.Sprintf("Of %d numbers %s.", len(all), strings.Join(parts, ", "))
}

func (m *Machine) writeQuantities(buf *bytes.Buffer) {
	buf.WriteString("\nQuantities (measured: read on this CPU model; vendor: data sheet or driver;\nderived: from a named neighbour; assumed: estimate):\n")
	t := textTable{align: "lrllrl"}
	t.row("name", "value", "unit", "kind", "+-%", "source: note")
	for _, q := range m.Quantities() {
		t.row(q.Name, number(q.Value), q.Unit, string(q.Kind), number(q.Uncertainty), sourceAndNote(q.Source, q.Note))
	}
	t.write(buf)
	buf.WriteString("\nSources:\n")
	for _, key := range slices.Sorted(maps.Keys(m.Sources)) {
		writeWrapped(buf, "  "+key+": ", "    ", m.Sources[key])
	}
}

// sourceAndNote joins the two so that no line ends in blanks.
func sourceAndNote(source, note string) string {
	if note == "" {
		return source
	}
	return source + ": " + note
}

// number writes a value with all its digits and no exponent.
func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
