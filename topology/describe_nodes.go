package topology

import (
	"bytes"
	"fmt"
	"strings"
)

// writeNodes writes what numactl -H writes, byte for byte but for the blanks
// at the ends of lines, sizes that are not known, and free memory, which a
// model does not have.
func (m *Machine) writeNodes(buf *bytes.Buffer) {
	var ids []int
	for _, n := range m.NUMANodes {
		ids = append(ids, n.ID)
	}
	fmt.Fprintf(buf, "\navailable: %d nodes (%s)\n", len(ids), FormatCPUList(ids))
	for i, n := range m.NUMANodes {
		fmt.Fprintf(buf, "node %d cpus:", n.ID)
		for _, cpu := range m.nodeCPUs(i) {
			fmt.Fprintf(buf, " %d", cpu)
		}
		buf.WriteByte('\n')
		if n.MemoryMiB != nil {
			fmt.Fprintf(buf, "node %d size: %d MB\n", n.ID, *n.MemoryMiB)
		}
	}
	buf.WriteString("node distances:\n")
	line := "node "
	for _, id := range ids {
		line += fmt.Sprintf("%3d ", id)
	}
	buf.WriteString(strings.TrimRight(line, " ") + "\n")
	for i, row := range m.Distances {
		line := fmt.Sprintf("%3d: ", ids[i])
		for _, d := range row {
			line += fmt.Sprintf("%3d ", d)
		}
		buf.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}
