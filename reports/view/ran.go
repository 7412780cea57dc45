package view

import (
	"github.com/schedlab/schedlab/schedsim/study"
)

// Ran is the cells of an outcome that were run, published beside simulated, with their
// verdicts. Where the post has a claim and no figures its direction stands for them.
func Ran(o *study.Outcome) Table {
	t := Table{Cols: []Col{
		text("row"), num("published: base"), num("patched"), num("change, %"), num("noise, +-%"),
		num("simulated: base"), num("patched"), num("change, %"), num("95 % interval"), text("verdict"),
	}}
	for i := range o.Cells {
		c := &o.Cells[i]
		if c.Simulated.N == 0 {
			continue
		}
		change := Signed(c.Published.Pct, 2)
		if c.Expect != "" {
			change = c.Expect
		}
		t.Rows = append(t.Rows, []string{
			o.Study.RowName(c.Table, c.Row), fourDigits(c.Published.Base), fourDigits(c.Published.Patched), change, Fixed(study.Number(c.Noise.Pct), 2),
			fourDigits(c.Simulated.Base), fourDigits(c.Simulated.Patched), Signed(c.Simulated.Pct, 2),
			Range(c.Simulated.CILow, c.Simulated.CIHigh, 2), string(c.Verdict),
		})
	}
	return t
}
