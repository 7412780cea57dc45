package view

import (
	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/experiment"
	"github.com/schedlab/schedlab/schedsim/study"
)

// Comparison is what a patch changes: both columns, the change with its 95 % interval,
// and beside it what the base changes by when it is run again with other seeds.
func Comparison(c *experiment.Comparison) Table {
	t := Table{Cols: []Col{text(""), num("base"), num("patched"), text("unit"), num("change, %"), num("95 % interval"), num("base again, %"), text("reading")}}
	for i := range c.Rows {
		r := &c.Rows[i]
		t.Rows = append(t.Rows, []string{
			r.Name, fourDigits(r.Effect.Base), fourDigits(r.Effect.Patched), r.Unit,
			Signed(r.Effect.Pct, 1), Range(r.Effect.CILow, r.Effect.CIHigh, 1), Signed(r.Again.Pct, 1), r.Change(),
		})
	}
	return t
}

// fourDigits prints a figure of a run with four digits or more.
func fourDigits(n study.Number) string {
	switch {
	case n >= 1000 || n <= -1000:
		return Fixed(n, 0)
	case n >= 10 || n <= -10:
		return Fixed(n, 2)
	}
	return Fixed(n, 4)
}

// Wakeups is where the tasks of a comparison went when they were woken, of 1000
// wakeups, by kernel: on the CPU that they ran on before, on another of its LLC, or on
// another LLC; how many of them found their CPU busy, and how many runqueues searches
// looked at; and for how many the other kernel would have decided otherwise at that
// moment.
func Wakeups(c *experiment.Comparison) Table {
	t := Table{Cols: []Col{text("of 1000 wakeups"), text("kernel"), num("same CPU"), num("same LLC"), num("other LLC"), num("busy CPU"), num("probed"), num("differs")}}
	for i := range c.Rows {
		r := &c.Rows[i]
		for _, arm := range []struct {
			name string
			runs []schedsim.Result
		}{{r.Setup.Kernel, r.Base}, {"+ " + c.Patch, r.Patched}} {
			row := []string{r.Name, arm.name}
			for _, counter := range []func(*schedsim.Counters) int64{
				func(c *schedsim.Counters) int64 { return c.WakeupsPrev },
				func(c *schedsim.Counters) int64 { return c.WakeupsSameLLC },
				func(c *schedsim.Counters) int64 { return c.WakeupsRemote },
				func(c *schedsim.Counters) int64 { return c.WakeupsStacked },
				func(c *schedsim.Counters) int64 { return c.CPUsScanned },
				func(c *schedsim.Counters) int64 { return c.ShadowDiffers },
			} {
				row = append(row, Fixed(study.Number(experiment.Per1000(arm.runs, counter)), 0))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}
