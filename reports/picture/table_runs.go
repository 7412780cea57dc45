package picture

import (
	"github.com/schedlab/schedlab/reports/plot"
	"github.com/schedlab/schedlab/reports/view"
	"github.com/schedlab/schedlab/schedsim/study"
)

// tableRuns shows every run of the rows that were run; ok is false if none was.
func tableRuns(t *study.Table, cells []study.Cell, name string) (p view.Plot, ok bool, err error) {
	var strips []plot.Strip
	for _, c := range cells {
		mean := study.Mean(c.Base.Values) / 100
		if !(mean > 0) {
			continue
		}
		s := plot.Strip{Key: c.Row}
		for _, v := range c.Base.Values {
			s.Base = append(s.Base, v/mean)
		}
		for _, v := range c.Patched.Values {
			s.Patched = append(s.Patched, v/mean)
		}
		switch base, patched := c.Base.Bimodal, c.Patched.Bimodal; {
		case base && patched:
			s.Note = "bimodal"
		case base:
			s.Note = "base bimodal"
		case patched:
			s.Note = "patched bimodal"
		}
		strips = append(strips, s)
	}
	if len(strips) == 0 {
		return p, false, nil
	}
	f, err := plot.Dots(plot.Labels{
		Title:    "Every run",
		Subtitle: "simulated, over seeds and constant sets",
		X:        "percent of the mean of the base runs",
		Y:        t.RowName,
	}, strips...)
	if err != nil {
		return p, false, err
	}
	p, err = drawn(f, view.Plot{
		Name:  name,
		Title: "Every simulated run by row, in percent of the mean of the row's base runs.",
		Alt:   "Single runs by " + t.RowName + ", base and patched; their distribution is in a table below.",
	})
	return p, true, err
}
