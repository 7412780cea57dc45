package runs

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"
)

// WriteCSV writes the table with a header, and numbers with as many digits as it
// takes to read the same number back. What is missing is empty.
func (t *Table) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	line := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		line[i] = c.Name
	}
	if err := out.Write(line); err != nil {
		return err
	}
	for row := range t.Rows {
		for i, c := range t.Columns {
			line[i] = c.csv(row)
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func (c *Column) csv(row int) string {
	switch {
	case c.Text != nil:
		return c.Text[row]
	case c.Int != nil:
		return strconv.FormatInt(c.Int[row], 10)
	case c.Bool != nil:
		return strconv.FormatBool(c.Bool[row])
	case math.IsNaN(c.Num[row]):
		return ""
	}
	return strconv.FormatFloat(c.Num[row], 'g', -1, 64)
}
