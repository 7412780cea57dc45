package runs

import (
	"bufio"
	"encoding/json"
	"io"
	"math"
	"strconv"
)

// WriteJSON writes the table as a list of objects, one a line, with numbers as
// WriteCSV has them. What is missing is null.
func (t *Table) WriteJSON(w io.Writer) error {
	names := make([][]byte, len(t.Columns))
	for i, c := range t.Columns {
		var err error
		if names[i], err = json.Marshal(c.Name); err != nil {
			return err
		}
	}
	out := bufio.NewWriter(w)
	out.WriteString("[")
	var line []byte
	for row := range t.Rows {
		line = append(line[:0], ",\n{"...)
		if row == 0 {
			line = append(line[:0], "\n{"...)
		}
		for i, c := range t.Columns {
			if i > 0 {
				line = append(line, ',')
			}
			line = append(append(line, names[i]...), ':')
			var err error
			if line, err = c.json(line, row); err != nil {
				return err
			}
		}
		out.Write(append(line, '}'))
	}
	out.WriteString("\n]\n")
	return out.Flush() // the first error
}

func (c *Column) json(line []byte, row int) ([]byte, error) {
	switch {
	case c.Text != nil && c.Text[row] != "":
		text, err := json.Marshal(c.Text[row])
		return append(line, text...), err
	case c.Int != nil:
		return strconv.AppendInt(line, c.Int[row], 10), nil
	case c.Bool != nil:
		return strconv.AppendBool(line, c.Bool[row]), nil
	case c.Num != nil && !math.IsNaN(c.Num[row]):
		return strconv.AppendFloat(line, c.Num[row], 'g', -1, 64), nil
	}
	return append(line, "null"...), nil
}
