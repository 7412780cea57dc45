package runs

import (
	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// Frame is the table as a gota frame. Missing numbers are NaN and missing texts "".
// For files use the table's own writers: gota's keeps six decimals.
func (t *Table) Frame() dataframe.DataFrame {
	columns := make([]series.Series, len(t.Columns))
	for i, c := range t.Columns {
		switch {
		case c.Text != nil:
			columns[i] = series.New(c.Text, series.String, c.Name)
		case c.Int != nil:
			ints := make([]int, len(c.Int))
			for j, v := range c.Int {
				ints[j] = int(v)
			}
			columns[i] = series.New(ints, series.Int, c.Name)
		case c.Bool != nil:
			columns[i] = series.New(c.Bool, series.Bool, c.Name)
		default:
			columns[i] = series.New(c.Num, series.Float, c.Name)
		}
	}
	return dataframe.New(columns...)
}
