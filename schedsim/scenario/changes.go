package scenario

import (
	"fmt"
	"io"
	"slices"
)

// changes are the real A/Bs: a kernel and one that differs in a line or a feature.
var changes = []struct{ base, changed, what string }{
	{"6.1-base", "6.1-no-idle-prev", "`wake_affine_idle()` without the idle previous CPU"},
	{"6.12-base", "6.12-rq-nr-running", "`update_curr()` tests `rq->nr_running`, not `cfs_rq->nr_running`"},
	{"6.12", "6.12-no-run-to-parity", "`RUN_TO_PARITY` off"},
	{"6.12", "6.12-no-delay-dequeue", "`DELAY_DEQUEUE` off"},
	{"5.10", "5.10-no-gentle-fair-sleepers", "`GENTLE_FAIR_SLEEPERS` off"},
	{"5.10", "5.10-no-wakeup-preemption", "`WAKEUP_PREEMPTION` off"},
	{"6.1", "6.1-no-gentle-fair-sleepers", "`GENTLE_FAIR_SLEEPERS` off"},
	{"6.1", "6.1-no-wakeup-preemption", "`WAKEUP_PREEMPTION` off"},
}

// Change is one quantity before and after a change: of real kernels the middle of the
// boots, and of the model the mean of the runs.
type Change struct {
	Base, Changed *Line
}

// Moved reports whether the ranges of the boots, each widened by half of the tolerance, have
// nothing in common.
func (c *Change) Moved() bool {
	t := tolerances[(&Quantity{Name: c.Base.Quantity}).kind()]
	lo, hi := c.Base, c.Changed
	if lo.Lo > hi.Lo {
		lo, hi = hi, lo
	}
	return lo.Hi+(lo.Hi*t.Part+t.Abs)/2 < hi.Lo-(hi.Lo*t.Part+t.Abs)/2
}

// Follows reports whether the model goes the way that real kernels went, a third of it at
// least and three times it at most.
func (c *Change) Follows() bool {
	real, model := middle(c.Changed)-middle(c.Base), c.Changed.Model-c.Base.Model
	return real*model > 0 && model/real >= 1.0/3 && model/real <= 3
}

func middle(l *Line) float64 { return (l.Lo + l.Hi) / 2 }

// Changes pairs the lines of kernels that differ in one change.
func Changes(lines []Line, base, changed string) []Change {
	var all []Change
	for i := range lines {
		if lines[i].Kernel != base {
			continue
		}
		k := slices.IndexFunc(lines, func(l Line) bool {
			return l.Kernel == changed && l.Machine == lines[i].Machine && l.Scenario == lines[i].Scenario && l.Quantity == lines[i].Quantity
		})
		if k >= 0 && lines[i].Verdict != Pending {
			all = append(all, Change{&lines[i], &lines[k]})
		}
	}
	return all
}

// writeChanges writes a table a change, of what moved.
func writeChanges(out io.Writer, lines []Line) {
	fmt.Fprint(out, `
## One change

Real kernels that differ in one line, or of which one ran with a feature of the scheduler turned off, and the model with
the same change. Listed are the quantities that moved: the ranges of the boots, each widened by half of the
tolerance, have nothing in common. The model *follows* if it moves the same way, by a third of what real kernels moved at
least and three times that at most. Of quantities that did not move by more than boots differ it says how many the model
moves by more than the tolerance.
`)
	for _, c := range changes {
		all := Changes(lines, c.base, c.changed)
		if len(all) == 0 {
			continue
		}
		fmt.Fprintf(out, "\n### %s: %s\n\n", c.base, c.what)
		var moved []Change
		still, restless := 0, 0
		for _, p := range all {
			if p.Moved() {
				moved = append(moved, p)
				continue
			}
			still++
			t := tolerances[(&Quantity{Name: p.Base.Quantity}).kind()]
			if !t.within(p.Changed.Model, []float64{p.Base.Model}) {
				restless++
			}
		}
		if len(moved) > 0 {
			fmt.Fprint(out, "| scenario | machine | quantity | real | real, changed | model | model, changed | |\n|---|---|---|---|---|---|---|---|\n")
		}
		for _, p := range moved {
			verdict := "**does not follow**"
			if p.Follows() {
				verdict = "follows"
			}
			fmt.Fprintf(out, "| %s | %s | %s | %s to %s | %s to %s | %s | %s | %s |\n", p.Base.Scenario, p.Base.Machine, p.Base.Quantity,
				show(p.Base.Lo), show(p.Base.Hi), show(p.Changed.Lo), show(p.Changed.Hi),
				show(p.Base.Model), show(p.Changed.Model), verdict)
		}
		if len(moved) > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintf(out, "%d of %d quantities did not move so; of those the model moves %d.\n", still, len(all), restless)
	}
}
