package nb

import (
	"fmt"
	"math"
	"strconv"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/schedlab/schedlab/reports/view"
)

const (
	// frameHead and frameTail are the rows that are shown of a long frame.
	frameHead, frameTail = 50, 10
	// frameDigits are the significant digits of a number that is not whole: a
	// frame is read, and gota's own form has six decimals, which makes 1e-9 zero.
	frameDigits = 6
)

// frameGrid is a frame as a table. Of a long frame the middle is left out, and
// the note says so. What was not measured is a dash.
func frameGrid(f dataframe.DataFrame) (any, error) {
	if f.Err != nil {
		return nil, fmt.Errorf("nb: the frame has no rows to show: %w", f.Err)
	}
	rows, names, types := f.Nrow(), f.Names(), f.Types()
	g := grid{note: fmt.Sprintf("%s, %s", count(rows, "row"), count(len(names), "column"))}
	for i, name := range names {
		g.Cols = append(g.Cols, view.Col{Head: name, Num: types[i] == series.Int || types[i] == series.Float})
	}
	for r := 0; r < rows; r++ {
		if rows > frameHead+frameTail && r == frameHead {
			gap := make([]string, len(names))
			for i := range gap {
				gap[i] = "..."
			}
			g.Rows = append(g.Rows, gap)
			r = rows - frameTail
			g.note += fmt.Sprintf("; %d in the middle are not shown", rows-frameHead-frameTail)
		}
		cells := make([]string, len(names))
		for c := range names {
			cells[c] = element(f.Elem(r, c))
		}
		g.Rows = append(g.Rows, cells)
	}
	return g, nil
}

// element is one entry of a frame as text.
func element(e series.Element) string {
	if e.IsNA() {
		return view.Missing
	}
	if e.Type() != series.Float {
		return e.String()
	}
	return figure(e.Float())
}

// figure is a number with frameDigits significant digits, whole ones in full.
func figure(f float64) string {
	const exact = 1 << 53 // up to here every whole number has a float64
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return view.Missing
	}
	if f == math.Trunc(f) && math.Abs(f) < exact {
		return strconv.FormatFloat(f, 'f', 0, 64)
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', frameDigits, 64), 64)
	if err != nil {
		return view.Plain(f)
	}
	return view.Plain(rounded)
}

// count is "1 row" or "2 rows".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
