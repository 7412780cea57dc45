package reports

import (
	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/schedlab/schedlab/reports/overlay"
)

// MeasuredFrame returns what was measured here as one tidy frame: a row for each
// test case and arm that was measured.
//
//	table, row, arm  as in [Frame]
//	value, unit      the figure, in the unit of the study's table
//	stddev           of single runs
//	n                runs, 0 where it is not told
//	change, ci_low, ci_high
//	                 the change from base to patched in percent, with its interval;
//	                 the same in both arms of a row
//	source           file and line
//
// A number that is not known is NaN, never 0.
func MeasuredFrame(o *overlay.Overlay) dataframe.DataFrame {
	var table, row, arm, unit, source []string
	var value, stddev, change, low, high []float64
	var n []int
	if o != nil {
		for _, r := range o.Rows {
			for _, a := range []struct {
				name string
				overlay.Sample
			}{{"base", r.Base}, {"patched", r.Patched}} {
				if !a.Measured() {
					continue
				}
				table, row, arm, unit, source = append(table, r.Table), append(row, r.Key), append(arm, a.name), append(unit, r.Unit), append(source, a.Where)
				value, stddev, n = append(value, a.Mean), append(stddev, a.Stddev), append(n, a.N)
				change, low, high = append(change, float64(r.Pct)), append(low, float64(r.CILow)), append(high, float64(r.CIHigh))
			}
		}
	}
	return dataframe.New(
		series.New(table, series.String, "table"),
		series.New(row, series.String, "row"),
		series.New(arm, series.String, "arm"),
		series.New(value, series.Float, "value"),
		series.New(unit, series.String, "unit"),
		series.New(stddev, series.Float, "stddev"),
		series.New(n, series.Int, "n"),
		series.New(change, series.Float, "change"),
		series.New(low, series.Float, "ci_low"),
		series.New(high, series.Float, "ci_high"),
		series.New(source, series.String, "source"),
	)
}
