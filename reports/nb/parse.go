package nb

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/schedlab/schedlab/internal/input"
)

// Limits of a notebook: its pictures make it large, not its structure, of which
// nbformat itself nests some 8 deep.
const (
	maxNotebook = 64 << 20 // bytes
	maxDepth    = 256
	maxValues   = 1 << 20
)

// ReadFile reads a notebook. See [Parse].
func ReadFile(path string) (*Notebook, error) {
	data, err := input.File(path, maxNotebook)
	if err != nil {
		return nil, fmt.Errorf("nb: %w", err)
	}
	return Parse(path, data)
}

// Parse reads a notebook from data; name stands for it in errors, which say
// which cell is wrong and in what. A cell without an id, or with one that
// an earlier cell has, gets one made from its place and content: reading the
// same file again makes the same ids.
func Parse(name string, data []byte) (*Notebook, error) {
	n, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("nb: %s:%w", name, err)
	}
	return n, nil
}

// parse does what Parse does. Its errors are either "line:column: ..." or
// " where: ...", to be put behind "name:".
func parse(data []byte) (*Notebook, error) {
	v, err := decodeJSON(data)
	if err != nil {
		return nil, err
	}
	top, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf(" not a notebook: the file holds %s, want an object with nbformat and cells", kind(v))
	}
	f := fields{object: top}
	switch major := f.number("nbformat"); {
	case f.err != nil:
	case major < formatMajor:
		return nil, fmt.Errorf(" notebook format %d is too old, want %d; 'jupyter nbconvert --to notebook --inplace FILE' converts it",
			major, formatMajor)
	case major > formatMajor:
		return nil, fmt.Errorf(" notebook format %d is newer than %d.%d, which is read here; save it in format %d",
			major, formatMajor, formatMinor, formatMajor)
	}
	minor := f.number("nbformat_minor")
	n := &Notebook{Metadata: f.optionalObject("metadata"), minor: max(minor, formatMinor)}
	cells := f.list("cells")
	if f.err != nil {
		return nil, fmt.Errorf(" not a notebook: %w", f.err)
	}
	n.extra = f.rest()
	for i, v := range cells {
		c, err := parseCell(v)
		if err != nil {
			return nil, fmt.Errorf(" cell %d of %d: %w", i+1, len(cells), err)
		}
		n.Cells = append(n.Cells, c)
	}
	nameCells(n.Cells)
	return n, nil
}

func parseCell(v any) (*Cell, error) {
	object, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("is %s, want an object", kind(v))
	}
	f := fields{object: object}
	c := &Cell{
		Type:     CellType(f.text("cell_type")),
		ID:       f.optionalText("id"),
		Source:   f.text("source"),
		Metadata: f.optionalObject("metadata"),
	}
	switch c.Type {
	case Markdown, Raw:
	case Code:
		c.ExecutionCount = f.count("execution_count")
		for i, v := range f.optionalList("outputs") {
			o, err := parseOutput(v)
			if err != nil {
				return nil, fmt.Errorf("output %d: %w", i+1, err)
			}
			c.Outputs = append(c.Outputs, o)
		}
	default:
		if f.err == nil {
			f.err = fmt.Errorf(`cell_type is %q, want "code", "markdown" or "raw"`, c.Type)
		}
	}
	if f.err == nil && c.ID != "" && !validID(c.ID) {
		f.err = fmt.Errorf("id %.80q: want 1 to 64 letters, digits, '-' or '_'", c.ID)
	}
	c.extra = f.rest()
	return c, f.err
}

func parseOutput(v any) (*Output, error) {
	object, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("is %s, want an object", kind(v))
	}
	f := fields{object: object}
	o := &Output{Type: OutputType(f.text("output_type"))}
	switch o.Type {
	case Stream:
		o.Name = f.text("name")
		o.Text = f.text("text")
	case DisplayData, ExecuteResult:
		o.Data = joinBundle(f.optionalObject("data"))
		o.Metadata = f.optionalObject("metadata")
		if o.Type == ExecuteResult {
			o.ExecutionCount = f.count("execution_count")
		}
	case ErrorOutput:
		o.ErrName = f.text("ename")
		o.ErrValue = f.text("evalue")
		for _, line := range f.optionalList("traceback") {
			s, ok := line.(string)
			if !ok {
				return nil, fmt.Errorf("traceback has %s, want text", kind(line))
			}
			o.Traceback = append(o.Traceback, s)
		}
	default:
		if f.err == nil {
			f.err = fmt.Errorf("output_type is %q, want stream, display_data, execute_result or error", o.Type)
		}
	}
	o.extra = f.rest()
	return o, f.err
}

// validID tells whether the notebook format's schema takes the id.
func validID(id string) bool {
	for i := range len(id) {
		b := id[i]
		if (b < 'a' || b > 'z') && (b < 'A' || b > 'Z') && (b < '0' || b > '9') && b != '-' && b != '_' {
			return false
		}
	}
	return len(id) >= 1 && len(id) <= 64
}

// nameCells gives an id to each cell that has none of its own.
func nameCells(cells []*Cell) {
	taken := make(map[string]bool, len(cells))
	for _, c := range cells {
		if c.ID == "" {
			continue
		}
		if taken[c.ID] {
			c.ID = "" // a copy of an earlier cell: that one keeps the name
			continue
		}
		taken[c.ID] = true
	}
	for i, c := range cells {
		for try := 0; c.ID == ""; try++ {
			sum := sha256.Sum256(fmt.Appendf(nil, "%d %d %s\n%s", i, try, c.Type, c.Source))
			if id := hex.EncodeToString(sum[:4]); !taken[id] {
				c.ID = id
				taken[id] = true
			}
		}
	}
}
