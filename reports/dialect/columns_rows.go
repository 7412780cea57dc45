package dialect

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// general is printf's %g: six digits, no zeros at the end.
func general(v float64) Decimal {
	if math.IsNaN(v) {
		return Missing
	}
	s := strconv.FormatFloat(v, 'g', 6, 64)
	mantissa, exponent, hasExp := strings.Cut(s, "e")
	if strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	if hasExp {
		return Decimal(mantissa + "e" + exponent)
	}
	return Decimal(mantissa)
}

// cutTo cuts a number after so many characters, as a %.5s does, and what is left
// of its point.
func (d Decimal) cutTo(n int) Decimal {
	if len(d) <= n || strings.Contains(string(d), "e") || strings.Contains(string(d[n:]), ".") {
		return d
	}
	return Decimal(strings.TrimSuffix(string(d[:n]), "."))
}

// shortChange is how many characters the changes of June 2018 have.
const shortChange = 5

// NewCaseRow makes a row of [Columns]: the test case, a value a kernel, and the
// increase in percent of the last over the first, with the six digits of printf's
// %g. Short cuts the change to five characters, as in the posts of June 2018.
func NewCaseRow(key string, values []float64, short bool) Row {
	row := Row{Key: key}
	for i, v := range values {
		c := Cell{Value: general(v)}
		if i > 0 && i == len(values)-1 {
			c.Pct = general(100 * (v - values[0]) / values[0])
			if short {
				c.Pct = c.Pct.cutTo(shortChange)
			}
		}
		row.Cells = append(row.Cells, c)
	}
	return row
}

// NewCountTable makes a table of [Columns] with a row a kernel: number of runs,
// extremes, average, and what its author heads "Variance" and is the standard
// deviation of the runs as a population.
func NewCountTable(runs [][]float64) *Table {
	stats := []string{"count", "Min", "Max", "Avg", "Variance"}
	t := &Table{Form: &Columns{Headings: append(slices.Clone(stats), "%Change")}, Kernels: make([]Kernel, len(runs))}
	for i, stat := range stats {
		row := Row{Stat: stat}
		for k, x := range runs {
			c := Cell{Value: general(summary(x)[i])}
			if base := mean(Lower, runs[0]); stat == "Avg" && k > 0 {
				c.Pct = general(100 * (mean(Lower, x) - base) / base)
			}
			row.Cells = append(row.Cells, c)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// summary is count, minimum, maximum, mean and population standard deviation.
func summary(x []float64) [5]float64 {
	if len(x) == 0 {
		nan := math.NaN()
		return [5]float64{0, nan, nan, nan, nan}
	}
	m, sum := mean(Lower, x), 0.0
	for _, v := range x {
		sum += (v - m) * (v - m)
	}
	return [5]float64{float64(len(x)), slices.Min(x), slices.Max(x), m, math.Sqrt(sum / float64(len(x)))}
}

// NewAutoNUMARows makes the four rows of one test of [AutoNUMA], whose key is its
// name and "Real:", "Sys:" or "User:".
func NewAutoNUMARows(key string, runs [][]float64) []Row {
	var rows []Row
	for i, stat := range autonumaStats {
		row := Row{Stat: stat, Key: key}
		for k, x := range runs {
			s := summary(x)
			c := Cell{Value: Fixed(s[i+1], 2)}
			if k > 0 && stat == "Avg" {
				base := summary(runs[0])[3]
				c.Pct = Fixed(100*(base-s[3])/s[3], 4).cutTo(shortChange)
			}
			row.Cells = append(row.Cells, c)
		}
		rows = append(rows, row)
	}
	return rows
}
