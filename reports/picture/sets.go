package picture

import (
	"fmt"

	"github.com/schedlab/schedlab/reports/plot"
	"github.com/schedlab/schedlab/reports/view"
	"github.com/schedlab/schedlab/schedsim/study"
)

// Sets shows the runs of one row by constant set, with how the tasks were split
// over the sockets; ok is false with fewer than two sets.
func Sets(t *study.Table, c *study.Cell, name string) (p view.Plot, ok bool, err error) {
	mean := study.Mean(c.Base.Values) / 100
	if !(mean > 0) || len(c.Pairs) != len(c.Base.Values) || len(c.Pairs) != len(c.Patched.Values) {
		return p, false, nil
	}
	var strips []plot.Strip
	index := make(map[int]int)
	low, high := make(map[int]float64), make(map[int]float64)
	for i, pair := range c.Pairs {
		k, seen := index[pair.Set]
		if !seen {
			k = len(strips)
			index[pair.Set] = k
			strips = append(strips, plot.Strip{Key: fmt.Sprint(pair.Set + 1)})
		}
		strips[k].Base = append(strips[k].Base, c.Base.Values[i]/mean)
		strips[k].Patched = append(strips[k].Patched, c.Patched.Values[i]/mean)
		for _, share := range []float64{shareOf(c.Base, i), shareOf(c.Patched, i)} {
			most := fuller(share)
			if low[k] == 0 || most < low[k] {
				low[k] = most
			}
			high[k] = max(high[k], most)
		}
	}
	if len(strips) < 2 {
		return p, false, nil
	}
	for k := range strips {
		strips[k].Note = fmt.Sprintf("%.0f to %.0f %%", low[k], high[k])
	}
	f, err := plot.Dots(plot.Labels{
		Title:    fmt.Sprintf("Every run of %s %s, by constant set", t.RowName, c.Row),
		Subtitle: "right: tasks on the fuller socket, least and most of any run",
		X:        "percent of the mean of the base runs",
		Y:        "constant set",
	}, strips...)
	if err != nil {
		return p, false, err
	}
	p, err = drawn(f, view.Plot{
		Name: name,
		Title: fmt.Sprintf("Every run of row %s by constant set, in percent of the mean of all base runs. On the right is how many of the tasks were on the fuller socket: "+
			"half is spread, more is stacked.", c.Row),
		Alt: fmt.Sprintf("Single runs of row %s by constant set, base and patched; each is in the table of how the row's figures came about.", c.Row),
	})
	return p, true, err
}

// shareOf is the share of tasks on socket 0 in a run, a half where it is not known.
func shareOf(a study.Arm, run int) float64 {
	if run >= len(a.SocketShare) {
		return 0.5
	}
	return a.SocketShare[run]
}
