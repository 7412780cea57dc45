package measured

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"
	"strings"
)

// csvHead is the first line of WriteCSV.
var csvHead = []string{"program", "name", "params", "unit", "better", "runs", "mean", "stddev", "values", "file", "line"}

// WriteCSV writes series with all digits: one line each, the values of the runs
// separated by blanks. What is not known is an empty cell.
func WriteCSV(w io.Writer, all []Series) error {
	c := csv.NewWriter(w)
	if err := c.Write(csvHead); err != nil {
		return err
	}
	for _, s := range all {
		var values []string
		for _, v := range s.Values {
			values = append(values, number(v))
		}
		runs, line := "", ""
		if s.N > 0 {
			runs = strconv.Itoa(s.N)
		}
		if s.Line > 0 {
			line = strconv.Itoa(s.Line)
		}
		err := c.Write([]string{s.Program, s.Name, s.Key(), s.Unit, s.Better, runs, number(s.Mean), number(s.Stddev), strings.Join(values, " "), s.File, line})
		if err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// number is v with as many digits as tell it from its neighbours.
func number(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
