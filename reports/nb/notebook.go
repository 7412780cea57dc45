package nb

import "strings"

// The notebook format that this package writes. Format 4.5 is the first in
// which every cell has an id.
const (
	formatMajor = 4
	formatMinor = 5
)

// CellType is what a cell holds.
type CellType string

// The three types that the notebook format knows.
const (
	Code     CellType = "code"
	Markdown CellType = "markdown"
	Raw      CellType = "raw"
)

// OutputType is what kind of output a cell left.
type OutputType string

// The four types that the notebook format knows.
const (
	Stream        OutputType = "stream"
	DisplayData   OutputType = "display_data"
	ExecuteResult OutputType = "execute_result"
	ErrorOutput   OutputType = "error"
)

// Notebook is an .ipynb file of format 4. Fields that this package does not
// know are kept and written back.
type Notebook struct {
	Cells    []*Cell
	Metadata map[string]any

	// minor is that of the format: what a later one than 4.5 has beside is kept.
	minor int
	extra map[string]any
}

// Cell is one cell of a notebook.
type Cell struct {
	// ID names the cell in its notebook: 1 to 64 letters, digits, '-', '_'.
	ID       string
	Type     CellType
	Source   string
	Metadata map[string]any

	// Outputs and ExecutionCount are empty unless Type is Code.
	Outputs []*Output
	// ExecutionCount is the number beside an executed cell, 0 for none.
	ExecutionCount int

	extra map[string]any
}

// Output is one thing that a code cell printed or displayed.
type Output struct {
	Type OutputType

	// Name ("stdout" or "stderr") and Text are those of a Stream.
	Name, Text string

	// Data (by MIME type) and Metadata are those of DisplayData and an
	// ExecuteResult. Binary data is base64 text, as it is in the file.
	Data, Metadata map[string]any
	// ExecutionCount is that of an ExecuteResult, 0 for none.
	ExecutionCount int

	// ErrName, ErrValue and Traceback are those of an ErrorOutput.
	ErrName, ErrValue string
	Traceback         []string

	printed *strings.Builder // holds Text while it grows
	extra   map[string]any
}

// MIME returns the text that the output holds under a MIME type.
func (o *Output) MIME(mime string) (text string, ok bool) {
	text, ok = o.Data[mime].(string)
	return text, ok
}

// CodeCells returns the code cells in order.
func (n *Notebook) CodeCells() []*Cell {
	var cells []*Cell
	for _, c := range n.Cells {
		if c.Type == Code {
			cells = append(cells, c)
		}
	}
	return cells
}

// Executed tells whether a code cell has an output, or there is no code.
func (n *Notebook) Executed() bool {
	cells := n.CodeCells()
	for _, c := range cells {
		if len(c.Outputs) > 0 || c.ExecutionCount > 0 {
			return true
		}
	}
	return len(cells) == 0
}

// ClearOutputs removes all outputs and execution counts.
func (n *Notebook) ClearOutputs() {
	for _, c := range n.Cells {
		c.Outputs, c.ExecutionCount = nil, 0
	}
}

// HasTag tells whether the cell's metadata has the tag, as set by the tag
// editor of Jupyter.
func (c *Cell) HasTag(tag string) bool {
	tags, _ := c.Metadata["tags"].([]any)
	for _, t := range tags {
		if t == any(tag) {
			return true
		}
	}
	return false
}

// FirstLine returns the first line of the cell that is not blank, shortened
// to what fits in a message.
func (c *Cell) FirstLine() string {
	const most = 60 // characters
	line, _, _ := strings.Cut(strings.TrimSpace(c.Source), "\n")
	line = strings.TrimSpace(line)
	if runes := []rune(line); len(runes) > most {
		return string(runes[:most-3]) + "..."
	}
	return line
}
