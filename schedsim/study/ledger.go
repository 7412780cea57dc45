package study

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// verdictsInLedger is the order in which verdicts are counted.
var verdictsInLedger = []Verdict{
	Reproduced, Direction, AgreesOnNone, Missed, Phantom, Contradicted,
	Undecided, Unidentified, Unfalsifiable, NotModelled, NotRun,
}

// WriteLedger writes the outcomes as plain text: first the cells of all studies
// that are beyond their noise, which is where a model can be right or wrong; then a
// table for each published one with the published and the simulated columns, the
// reason of every cell, ablations and claims in prose; and at the end the number of
// cells by verdict over all studies.
func WriteLedger(w io.Writer, outcomes []*Outcome) error {
	var b bytes.Buffer
	writeBeyond(&b, outcomes)
	for _, o := range outcomes {
		writeOutcome(&b, o)
	}
	all, beyond, ablations := make(map[Verdict]int), make(map[Verdict]int), make(map[Verdict]int)
	for _, o := range outcomes {
		for _, c := range o.Cells {
			all[c.Verdict]++
			if c.BeyondNoise() {
				beyond[c.Verdict]++
			}
		}
		for _, c := range o.Claims {
			all[c.Verdict]++
		}
		for _, c := range o.Ablations {
			ablations[c.Verdict]++
		}
	}
	writeCounts(&b, "cells and claims", all)
	writeCounts(&b, "cells beyond noise", beyond)
	if len(ablations) > 0 {
		writeCounts(&b, "ablations", ablations)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// writeBeyond lists the cells beyond noise.
func writeBeyond(b *bytes.Buffer, outcomes []*Outcome) {
	b.WriteString("Cells beyond noise:\n\n")
	name := func(o *Outcome, c *Cell) string { return o.Study.ReportID() + " " + o.Study.RowName(c.Table, c.Row) }
	width, n := 0, 0
	for _, o := range outcomes {
		for i := range o.Cells {
			if c := &o.Cells[i]; c.BeyondNoise() {
				width = max(width, len(name(o, c)))
				n++
			}
		}
	}
	if n == 0 {
		b.WriteString("none\n\n")
		return
	}
	fmt.Fprintf(b, "%-*s  %10s  %7s  %10s  %18s  %s\n", width, "", "published", "noise", "simulated", "95 % interval", "verdict")
	for _, o := range outcomes {
		for i := range o.Cells {
			c := &o.Cells[i]
			if !c.BeyondNoise() {
				continue
			}
			published := decimal("%+.2f", c.Published.Pct)
			if c.Expect != "" {
				published = c.Expect
			}
			fmt.Fprintf(b, "%-*s  %10s  %7.2f  %10s  %18s  %s\n", width, name(o, c),
				published, c.Noise.Pct, decimal("%+.2f", c.Simulated.Pct), bounds(c.Simulated), c.Verdict)
		}
	}
	b.WriteByte('\n')
}

// writeCounts is one line of counts by verdict.
func writeCounts(b *bytes.Buffer, what string, counts map[Verdict]int) {
	total := 0
	for _, n := range counts {
		total += n
	}
	fmt.Fprintf(b, "%d %s:", total, what)
	separator := " "
	for _, v := range verdictsInLedger {
		if counts[v] > 0 {
			fmt.Fprintf(b, "%s%d %s", separator, counts[v], v)
			separator = ", "
		}
	}
	if total == 0 {
		b.WriteString(" none")
	}
	b.WriteByte('\n')
}

func writeOutcome(b *bytes.Buffer, o *Outcome) {
	s := o.Study
	var machines []string
	for _, id := range s.Machines() {
		machines = append(machines, id+" "+short(o.Machines[id]))
	}
	text := strings.Join(machines, ", ")
	if s.Elsewhere() {
		text += " (NOT the post's machine, " + s.PostMachine + ")"
	}
	fmt.Fprintf(b, "%s: model %s, %s, %s, seed %d, %d of %d runs\n",
		s.ID, orDash(o.ModelVersion), text, orDash(o.Plan.Mode), o.Plan.Seed, o.HaveRuns, o.WantRuns)
	for i := range s.Tables {
		writeTable(b, o, &s.Tables[i])
	}
	b.WriteByte('\n')
	for _, a := range o.Ablations {
		fmt.Fprintf(b, "ablation %s, %s: %s: %s\n", a.Ablation.ID, s.RowName(a.Table, a.Row), a.Verdict, a.Reason)
	}
	for _, c := range o.Claims {
		fmt.Fprintf(b, "claim %q: %s: %s\n", c.Claim.Text, c.Verdict, c.Reason)
	}
	if o.MedianBaseErrPct.Measured() {
		fmt.Fprintf(b, "base column: median absolute error %.2f %%\n", float64(o.MedianBaseErrPct))
	}
	if more := needMore(o); more != "" {
		fmt.Fprintf(b, "interval above %g point, or a tenth of the noise, as far as runs go; need about so many more pairs: %s\n", WidthWanted, more)
	}
	if len(o.Missing) > 0 {
		fmt.Fprintf(b, "no runs for: %s\n", strings.Join(o.Missing, ", "))
	}
	for _, warning := range o.Warnings {
		fmt.Fprintf(b, "warning: %s\n", warning)
	}
	b.WriteByte('\n')
}

func writeTable(b *bytes.Buffer, o *Outcome, t *Table) {
	fmt.Fprintf(b, "\n%s: %s on %s, %s, %s, %s %s, %s is better\n\n",
		t.ID, t.Workload, t.Machine, t.KernelText(), t.PatchText(), t.Statistic, t.Unit, t.Better)
	var cells []Cell
	width := len(t.RowName)
	for _, c := range o.Cells {
		if c.Table == t.ID {
			cells = append(cells, c)
			width = max(width, len(c.Row))
		}
	}
	fmt.Fprintf(b, "%*s  %31s  %31s\n", width, "", "published", "simulated")
	fmt.Fprintf(b, "%*s  %10s %10s %9s  %10s %10s %9s  %18s %5s %4s  %7s  %s\n", width, t.RowName,
		"base", "patched", "%", "base", "patched", "%", "95 % interval", "runs", "sets", "noise", "verdict")
	for _, c := range cells {
		published := columns(c.Published)
		if c.Expect != "" {
			published = fmt.Sprintf("%31s", c.Expect)
		}
		fmt.Fprintf(b, "%*s  %s  %s  %18s %5d %4d  %7.2f  %s\n", width, c.Row,
			published, columns(c.Simulated.Effect), bounds(c.Simulated),
			c.Simulated.N, c.Simulated.Ensemble, c.Noise.Pct, c.Verdict)
	}
	b.WriteByte('\n')
	for _, c := range cells {
		fmt.Fprintf(b, "%*s  %s: %s\n", width, c.Row, c.Verdict, c.Reason)
		for _, f := range c.Findings {
			fmt.Fprintf(b, "%*s  found: %s\n", width, "", f.Reason)
		}
	}
}

// needMore lists rows with too few runs, and about how many more they need.
func needMore(o *Outcome) string {
	var parts []string
	for _, c := range o.Cells {
		if c.MoreRuns > 0 {
			parts = append(parts, fmt.Sprintf("%s (%d)", o.Study.RowName(c.Table, c.Row), c.MoreRuns))
		}
	}
	return strings.Join(parts, ", ")
}

// columns formats a pair of columns and the percentage between them.
func columns(e Effect) string {
	return fmt.Sprintf("%10s %10s %9s", decimal("%.2f", e.Base), decimal("%.2f", e.Patched), decimal("%+.2f", e.Pct))
}

func bounds(iv Interval) string {
	if !iv.decidable() {
		return "-"
	}
	return fmt.Sprintf("[%+.2f, %+.2f]", float64(iv.CILow), float64(iv.CIHigh))
}

// decimal formats a number, or a dash if it is not measured.
func decimal(format string, n Number) string {
	if !n.Measured() {
		return "-"
	}
	return fmt.Sprintf(format, float64(n))
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// short abbreviates a hash as git does.
func short(hash string) string { return orDash(hash[:min(len(hash), 12)]) }
