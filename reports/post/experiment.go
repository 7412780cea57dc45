package post

import (
	"fmt"
	"strings"

	"github.com/schedlab/schedlab/reports/view"
	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/experiment"
)

// Comparison is what an experiment found as text for a mail or for below the "---" of a
// patch: what was run, the change on each setup, where the woken tasks went, and what
// the figures are not.
func Comparison(c *experiment.Comparison) string {
	if len(c.Rows) == 0 {
		return ""
	}
	first := &c.Rows[0]
	s := first.Setup
	var b strings.Builder
	b.WriteString(Paragraph(fmt.Sprintf("Simulated with schedlab, model %s: %s with and without %q, %s, %d runs of each, measured for %v after %v. Nothing here was run on hardware.",
		schedsim.ModelVersion, s.Kernel, c.Patch, workloads(c), first.Effect.N, s.Measure, s.Age+s.Warmup)))
	b.WriteString("\n\n" + Table(view.Comparison(c)))
	b.WriteString("\n" + Paragraph("Interval: 95 %, over runs of both kernels with the same seeds. Base again: the base with other seeds; a change that is no larger says nothing.") + "\n\n")
	b.WriteString(Table(view.Wakeups(c)))
	b.WriteString("\n" + Paragraph("probed: runqueues that searches looked at. differs: wakeups for which the other kernel, asked at the same moment, would have taken another CPU.") + "\n")
	b.WriteString("\n" + Paragraph("The constants of the workload and of the kernel's costs are the model's defaults; nothing was fitted to a measurement.") + "\n")
	return b.String()
}

// workloads names what was run.
func workloads(c *experiment.Comparison) string {
	var out []string
	seen := make(map[string]bool)
	for i := range c.Rows {
		w := c.Rows[i].Setup.Workload
		if system := c.Rows[i].Setup.System; system != "" {
			w += " (" + system + ")"
		}
		if !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	return strings.Join(out, "; ")
}
