package nb

import (
	"fmt"
	"maps"
	"strings"
	"unicode/utf8"

	"github.com/google/renameio/v2"
)

// WriteFile writes the notebook to path. The file is replaced in one step: a
// reader sees the old notebook or the new one, and a crash leaves the old.
func (n *Notebook) WriteFile(path string) error {
	data, err := n.Encode()
	if err != nil {
		return err
	}
	if err := renameio.WriteFile(path, data, 0o644, renameio.WithExistingPermissions()); err != nil {
		return fmt.Errorf("nb: %w", err)
	}
	return nil
}

// Encode returns the notebook as the bytes of an .ipynb file of format 4.5, or
// of the later one of format 4 that it was read in,
// laid out as Jupyter lays it out: sorted keys, one space of indent, text as
// lists of lines. It fails only on metadata that JSON cannot hold.
func (n *Notebook) Encode() ([]byte, error) {
	cells := make([]any, len(n.Cells))
	for i, c := range n.Cells {
		cells[i] = encodeCell(c)
	}
	top := withExtra(n.extra, map[string]any{
		"cells":          cells,
		"metadata":       orEmpty(n.Metadata),
		"nbformat":       formatMajor,
		"nbformat_minor": max(n.minor, formatMinor),
	})
	data, err := appendJSON(nil, top, 0)
	if err != nil {
		return nil, fmt.Errorf("nb: cannot write the notebook: %w", err)
	}
	return append(data, '\n'), nil
}

func encodeCell(c *Cell) map[string]any {
	object := map[string]any{
		"cell_type": string(c.Type),
		"id":        c.ID,
		"metadata":  orEmpty(c.Metadata),
		"source":    splitLines(c.Source),
	}
	if c.Type == Code {
		outputs := make([]any, len(c.Outputs))
		for i, o := range c.Outputs {
			outputs[i] = encodeOutput(o)
		}
		object["outputs"] = outputs
		object["execution_count"] = encodeCount(c.ExecutionCount)
	}
	return withExtra(c.extra, object)
}

func encodeOutput(o *Output) map[string]any {
	object := map[string]any{"output_type": string(o.Type)}
	switch o.Type {
	case Stream:
		object["name"] = o.Name
		object["text"] = splitLines(o.Text)
	case DisplayData, ExecuteResult:
		object["data"] = splitBundle(o.Data)
		object["metadata"] = orEmpty(o.Metadata)
		if o.Type == ExecuteResult {
			object["execution_count"] = encodeCount(o.ExecutionCount)
		}
	case ErrorOutput:
		object["ename"] = o.ErrName
		object["evalue"] = o.ErrValue
		object["traceback"] = o.Traceback
	}
	return withExtra(o.extra, object)
}

func encodeCount(n int) any {
	if n == 0 {
		return nil
	}
	return n
}

func orEmpty(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

// withExtra returns object together with the fields that were only carried
// along.
func withExtra(extra, object map[string]any) map[string]any {
	if len(extra) == 0 {
		return object
	}
	all := maps.Clone(extra)
	maps.Copy(all, object)
	return all
}

// splitLines cuts text after each line end, at the ends that Python's
// str.splitlines knows: notebooks written by Jupyter are cut there, and a
// notebook that is only read and written again should not change.
func splitLines(s string) []string {
	lines := []string{}
	start := 0
	for i, r := range s {
		switch r {
		case '\r':
			if strings.HasPrefix(s[i:], "\r\n") {
				continue // the line ends after the \n
			}
		case '\n', '\v', '\f', 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029:
		default:
			continue
		}
		end := i + utf8.RuneLen(r)
		lines = append(lines, s[start:end])
		start = end
	}
	if start < len(s) {
		lines = append(lines, s[start:])
	}
	return lines
}

// joinLines undoes splitLines on a JSON value, which is text or a list of it.
func joinLines(v any) (string, bool) {
	if s, ok := v.(string); ok {
		return s, true
	}
	list, ok := v.([]any)
	if !ok {
		return "", false
	}
	var b strings.Builder
	for _, item := range list {
		s, ok := item.(string)
		if !ok {
			return "", false
		}
		b.WriteString(s)
	}
	return b.String(), true
}

// splitBundle returns data as the file holds it: lines for text, a single
// string for base64.
func splitBundle(data map[string]any) map[string]any {
	split := make(map[string]any, len(data))
	for mime, v := range data {
		s, ok := v.(string)
		if ok && (strings.HasPrefix(mime, "text/") || mime == mimeSVG || mime == "application/javascript") {
			split[mime] = splitLines(s)
			continue
		}
		split[mime] = v
	}
	return split
}

// joinBundle undoes splitBundle.
func joinBundle(data map[string]any) map[string]any {
	for mime, v := range data {
		if mime == "application/json" || strings.HasSuffix(mime, "+json") {
			continue // a list is a list there
		}
		if s, ok := joinLines(v); ok {
			data[mime] = s
		}
	}
	return data
}
