package topology

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// WriteText writes the machine for a reader: a summary under the names of
// lscpu, how the CPUs are numbered, the caches, the nodes in the form of
// numactl -H, clock, latencies and idle states, the sched domains, and every
// quantity with kind, uncertainty and source.
//
// The sched domains are those of the given kernel versions, of all known ones
// if none is given; versions with equal domains share a block. The error for
// an unknown version names those that are known.
func (m *Machine) WriteText(w io.Writer, versions ...string) error {
	var buf bytes.Buffer
	m.writeHead(&buf)
	m.writeSummary(&buf)
	m.writeNumbering(&buf)
	m.writeCoreKinds(&buf)
	m.writeCaches(&buf)
	m.writeNodes(&buf)
	m.writeClock(&buf)
	m.writeLatencies(&buf)
	m.writeIdleStates(&buf)
	if err := m.writeDomains(&buf, versions); err != nil {
		return err
	}
	m.writeQuantities(&buf)
	_, err := w.Write(buf.Bytes())
	return err
}

// WriteSummary writes the part of [Machine.WriteText] that fits beside a
// drawing: what the machine is, the summary under the names of lscpu, and the
// nodes in the form of numactl -H.
func (m *Machine) WriteSummary(w io.Writer) error {
	var buf bytes.Buffer
	m.writeHead(&buf)
	m.writeSummary(&buf)
	m.writeNodes(&buf)
	_, err := w.Write(buf.Bytes())
	return err
}

// writeHead says which machine this is, and how sure that is.
func (m *Machine) writeHead(buf *bytes.Buffer) {
	writeWrapped(buf, "", "  ", fmt.Sprintf("%s: %s", m.ID, m.Name))
	buf.WriteByte('\n')
	writeWrapped(buf, "Known: ", "       ", m.Confidence)
	for _, note := range m.Notes {
		writeWrapped(buf, "Note:  ", "       ", note)
	}
	fmt.Fprintf(buf, "Model hash: %s\n", m.Hash())
	writeWrapped(buf, "", "  ", m.kindCounts())
	buf.WriteByte('\n')
}

// textWidth is the width of running text: a terminal of 80 columns, or a mail
// of 78 that may be quoted.
const textWidth = 78

// writeWrapped writes a text in lines of at most textWidth columns, the first
// after a prefix and the others after an indent. Words longer than a line are
// not cut.
func writeWrapped(buf *bytes.Buffer, prefix, indent, text string) {
	line := prefix
	empty := true
	for _, word := range strings.Fields(text) {
		if !empty && columns(line)+1+columns(word) > textWidth {
			buf.WriteString(line + "\n")
			line, empty = indent, true
		}
		if !empty {
			line += " "
		}
		line, empty = line+word, false
	}
	buf.WriteString(strings.TrimRight(line, " ") + "\n")
}
