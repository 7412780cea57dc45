package view

import (
	"fmt"
	"strings"

	"github.com/schedlab/schedlab/schedsim/study"
)

// sensitivity is which constants move each cell, and which its verdict hangs on. It
// is empty if that was not run.
func sensitivity(o *study.Outcome) Table {
	out := Table{Cols: []Col{text("row"), num("effect %"), text("moved by"), text("verdict hangs on")}}
	if o.Sensitivity == nil {
		return out
	}
	for i := range o.Sensitivity.Cells {
		c := &o.Sensitivity.Cells[i]
		out.Rows = append(out.Rows, []string{
			o.Study.RowName(c.Table, c.Row), Signed(c.Effect.Pct, 2), moves(c), orNone(c.HangsOn()),
		})
	}
	return out
}

// moves lists what moves a cell, with the effects at both ends of the range.
func moves(c *study.SensitivityCell) string {
	var parts []string
	for _, m := range c.Moves {
		if m.Moved {
			parts = append(parts, fmt.Sprintf("%s (%s to %s)", m.Constant, Signed(m.Low.Pct, 2), Signed(m.High.Pct, 2)))
		}
	}
	return orNone(parts)
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
