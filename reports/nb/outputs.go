package nb

import "strings"

// collector turns the messages that a kernel publishes into the outputs of
// the cells that caused them.
type collector struct {
	// cells is keyed by the id of the request that ran the cell. A message
	// may arrive when a later cell is running already.
	cells map[string]*Cell
	// displays is keyed by display id: outputs that can be updated.
	displays map[string][]*Output
	// kept bounds what each cell leaves.
	kept map[*Cell]*kept
}

func newCollector() *collector {
	return &collector{cells: map[string]*Cell{}, displays: map[string][]*Output{}, kept: map[*Cell]*kept{}}
}

// finish completes the outputs of a cell that has ended.
func (c *collector) finish(cell *Cell) {
	if k := c.kept[cell]; k != nil {
		k.bound(cell)
	}
}

func (c *collector) keptOf(cell *Cell) *kept {
	if c.kept[cell] == nil {
		c.kept[cell] = newKept()
	}
	return c.kept[cell]
}

// add takes one published message. Messages that are no output, or of no
// cell, change nothing.
func (c *collector) add(m message) {
	cell := c.cells[m.parent.ID]
	if cell == nil {
		return
	}
	switch m.header.Type {
	case "stream":
		if head := c.keptOf(cell).stream(m.content.Name, m.content.Text); head != "" || m.content.Text == "" {
			addStream(cell, m.content.Name, head)
		}
	case "display_data", "execute_result":
		if !c.keptOf(cell).display(sizeOf(m.content.Data)) {
			return
		}
		o := &Output{
			Type:           OutputType(m.header.Type),
			Data:           joinBundle(m.content.Data),
			Metadata:       m.content.Metadata,
			ExecutionCount: m.content.ExecutionCount,
		}
		cell.Outputs = append(cell.Outputs, o)
		if id := m.content.Transient.DisplayID; id != "" {
			c.displays[id] = append(c.displays[id], o)
		}
	case "update_display_data":
		for _, o := range c.displays[m.content.Transient.DisplayID] {
			if sizeOf(m.content.Data) > displayedMost {
				c.keptOf(cell).lost++
				continue
			}
			o.Data, o.Metadata = joinBundle(m.content.Data), m.content.Metadata
		}
	case "error":
		cell.Outputs = append(cell.Outputs, &Output{
			Type:      ErrorOutput,
			ErrName:   m.content.ErrName,
			ErrValue:  m.content.ErrValue,
			Traceback: m.content.Traceback,
		})
	}
}

// addStream adds printed text to a cell. Between two other outputs there is
// at most one stdout and, after it, one stderr: the kernel reads the two
// pipes of the program independently, so that their relative order is an
// accident, which must not show up as a change of the notebook.
func addStream(cell *Cell, name, text string) {
	first := len(cell.Outputs)
	for first > 0 && cell.Outputs[first-1].Type == Stream {
		first--
		if o := cell.Outputs[first]; o.Name == name {
			o.append(text)
			return
		}
	}
	o := &Output{Type: Stream, Name: name, Text: text}
	cell.Outputs = append(cell.Outputs, o)
	if name == "stdout" {
		copy(cell.Outputs[first+1:], cell.Outputs[first:])
		cell.Outputs[first] = o
	}
}

// append adds to printed text. A cell may print a million short pieces, so that
// they are not copied each time.
func (o *Output) append(text string) {
	if o.printed == nil || o.printed.String() != o.Text {
		o.printed = &strings.Builder{}
		o.printed.WriteString(o.Text)
	}
	o.printed.WriteString(text)
	o.Text = o.printed.String()
}
