package nb

import (
	"fmt"
	"io"

	"github.com/schedlab/schedlab/topology"
	"github.com/schedlab/schedlab/topology/diagram"
)

// machine shows a machine as a drawing, and as what lscpu and numactl -H would
// say of it; the whole description is that of 'mkreport machine'.
type machine struct{ m *topology.Machine }

func (m machine) String() string {
	var b lines
	if err := m.m.WriteSummary(&b); err != nil { // a buffer takes everything
		return fmt.Sprintf("%s: %s", m.m.ID, m.m.Name)
	}
	return b.text()
}

// WriteSVG draws the machine.
func (m machine) WriteSVG(w io.Writer) error { return diagram.WriteSVG(w, m.m) }

// WritePNG draws the machine.
func (m machine) WritePNG(w io.Writer) error { return diagram.WritePNG(w, m.m) }
