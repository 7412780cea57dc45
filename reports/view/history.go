package view

import (
	"fmt"
	"math"
	"time"

	"github.com/schedlab/schedlab/schedsim/study"
)

// History is what a row came to from other pasts; see study.Histories.
type History struct {
	Row, Doc string
	Table    Table
	Finding  string
}

// histories are those that were run.
func histories(o *study.Outcome) []History {
	var out []History
	for i := range o.Study.Histories {
		h := &o.Study.Histories[i]
		cells := historyCells(o, h)
		if len(cells) == 0 {
			continue
		}
		row := cells[0].Row
		if len(o.Study.Tables) > 1 {
			row = o.Study.RowName(cells[0].Table, row)
		}
		out = append(out, History{row, stop(upper(h.Doc)), historyTable(o, cells), historyFinding(o, cells)})
	}
	return out
}

// historyCells are the pasts of a row that have runs.
func historyCells(o *study.Outcome, h *study.Histories) []study.HistoryCell {
	var out []study.HistoryCell
	for _, c := range o.Histories {
		if c.Row == h.Row && (h.Table == "" || h.Table == c.Table) && len(c.Runs) > 0 {
			out = append(out, c)
		}
	}
	return out
}

func historyTable(o *study.Outcome, cells []study.HistoryCell) Table {
	t := Table{Cols: []Col{
		num("aged"), text("arm"), num("runs"), num("socket 0"), num("min"), num("mean"), num("max"),
		num("moved by\nwakeup/s"), num("core search\nfailed/s"), num("idle\nCPUs"), num("effect %"), num("95 % interval"),
	}}
	dec := historyDecimals(o, cells)
	for _, c := range cells {
		for i, a := range []struct {
			name string
			arm  study.Arm
		}{{"base", c.Base}, {"patched", c.Patched}} {
			k, sec := a.arm.Counters, float64(a.arm.SimulatedNS)/1e9
			effect, interval := "", ""
			if i == 1 {
				effect, interval = Signed(c.Effect.Pct, 2), Range(c.Effect.CILow, c.Effect.CIHigh, 2)
			}
			t.Rows = append(t.Rows, []string{
				keyOnce(c.Age.String(), i), a.name, fmt.Sprint(len(a.arm.Values)), socketRange(a.arm.SocketShare),
				Fixed(a.arm.Spread.Min, dec), Fixed(study.Number(study.Mean(a.arm.Values)), dec), Fixed(a.arm.Spread.Max, dec),
				rate(k.WakeupsSameLLC+k.WakeupsRemote, sec), rate(k.IdleCoreFailed, sec),
				// CPU-ns over ns: how many CPUs on average.
				Fixed(ratio(float64(k.IdleNS), float64(a.arm.SimulatedNS)), 1),
				effect, interval,
			})
		}
	}
	return t
}

// historyDecimals are those of the row's figures elsewhere.
func historyDecimals(o *study.Outcome, cells []study.HistoryCell) int {
	for _, r := range rowsOf(o) {
		if r.cell.Table == cells[0].Table && r.cell.Row == cells[0].Row {
			return r.decimals()
		}
	}
	return 2
}

// historyFinding says how far base runs of several pasts are apart, beside the
// published effect.
func historyFinding(o *study.Outcome, cells []study.HistoryCell) string {
	low, high := math.Inf(1), math.Inf(-1)
	least, most := math.Inf(1), math.Inf(-1)
	var leastAge, mostAge time.Duration
	for _, c := range cells {
		for _, r := range c.Runs {
			low, high = min(low, r.Base), max(high, r.Base)
		}
		if pct := float64(c.Effect.Pct); pct < least {
			least, leastAge = pct, c.Age
		}
		if pct := float64(c.Effect.Pct); pct > most {
			most, mostAge = pct, c.Age
		}
	}
	s := fmt.Sprintf("Over these pasts the highest base run is %.1f %% above the lowest", 100*(high/low-1))
	for _, c := range o.Cells {
		if c.Table == cells[0].Table && c.Row == cells[0].Row && c.Published.Pct.Measured() {
			s += fmt.Sprintf("; the published effect is %+.2f %%", float64(c.Published.Pct))
		}
	}
	return s + fmt.Sprintf(". The patch's own effect, both columns from one past, goes from %+.2f %% (aged for %v) to %+.2f %% (%v).",
		least, leastAge, most, mostAge)
}
