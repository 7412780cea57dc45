package view

import (
	"fmt"
	"slices"

	"github.com/schedlab/schedlab/schedsim/study"
)

// spreads is the distribution of each arm over histories.
func spreads(t *study.Table, rows []row) Table {
	out := Table{Cols: []Col{
		text(rowName(t)), text("arm"), num("runs"),
		num("min"), num("p10"), num("median"), num("p90"), num("max"), num("cv %"), num("published cv %"), num("socket 0"), text("shape"),
	}}
	for _, r := range rows {
		if !r.run {
			out.Rows = append(out.Rows, absent(r.key, len(out.Cols)))
			continue
		}
		dec := r.decimals()
		for i, a := range armsOf(r.cell) {
			s := a.arm.Spread
			out.Rows = append(out.Rows, []string{
				keyOnce(r.key, i), a.name, fmt.Sprint(len(a.arm.Values)),
				Fixed(s.Min, dec), Fixed(s.P10, dec), Fixed(s.Median, dec), Fixed(s.P90, dec), Fixed(s.Max, dec),
				Fixed(a.arm.CVPct, 2), Fixed(a.arm.PublishedCVPct, 2),
				socketRange(a.arm.SocketShare), shape(a.arm),
			})
		}
	}
	return out
}

// shape says if the runs of an arm have more than one mode.
func shape(a study.Arm) string {
	if a.Bimodal {
		return "bimodal"
	}
	return ""
}

// socketRange is the least and the greatest share of runnable tasks on socket
// 0 over the runs of an arm, in percent.
func socketRange(shares []float64) string {
	if len(shares) == 0 {
		return Missing
	}
	low, high := slices.Min(shares), slices.Max(shares)
	return fmt.Sprintf("%s-%s %%", Fixed(study.Number(100*low), 0), Fixed(study.Number(100*high), 0))
}

// controls is base against base.
func controls(t *study.Table, rows []row) Table {
	out := Table{Cols: []Col{
		text(rowName(t)), num("base against base %"), num("95 % interval"), text("holds zero"),
	}}
	for _, r := range rows {
		c := r.cell
		holds := Missing
		if controlled(r) {
			holds = "no"
			if holdsZero(c) {
				holds = "yes"
			}
		}
		if !r.run {
			out.Rows = append(out.Rows, absent(r.key, len(out.Cols)))
			continue
		}
		out.Rows = append(out.Rows, []string{r.key, Signed(c.ControlPct, 2), Range(c.ControlCILow, c.ControlCIHigh, 2), holds})
	}
	return out
}

func controlled(r row) bool {
	return r.run && r.cell.ControlCILow.Measured() && r.cell.ControlCIHigh.Measured()
}

func holdsZero(c study.Cell) bool { return c.ControlCILow <= 0 && c.ControlCIHigh >= 0 }

// controlSentence says how the control came out.
func controlSentence(rows []row) string {
	all := len(keysOf(rows, controlled))
	if all == 0 {
		return "The control was not run."
	}
	outside := keysOf(rows, func(r row) bool { return controlled(r) && !holdsZero(r.cell) })
	s := fmt.Sprintf("The interval holds zero in %d of %s.", all-len(outside), counted(all, "row"))
	if len(outside) > 0 {
		s += fmt.Sprintf(" It does not in %s; by chance alone, 1 interval in 20 would not. Read the effect there with that in mind.", namedRows(outside))
	}
	return s
}
