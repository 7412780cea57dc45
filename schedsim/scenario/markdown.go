package scenario

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// WriteMarkdown writes the comparison as a page.
func WriteMarkdown(w io.Writer, lines []Line, e *Expected) error {
	out := bufio.NewWriter(w)
	fmt.Fprint(out, `# Conformance

<!-- Made by "go run ./schedsim/scenario/conformance"; do not edit. -->

What the model does in small scenarios, beside what real kernels did in the same ones under an emulator. A quantity
passes if the mean of nine runs of the model lies in the range of the boots, widened by the tolerance in the last
table. *Pending* scenarios need something that the model has not. The recordings are in
`+"`schedsim/testdata/oracle`"+`, where `+"`run`"+` makes new ones; the scenarios are in its `+"`scenarios`"+`.

The emulator's virtual CPUs share two real ones: times of the recordings are coarse, decisions are the kernel's own. Not so
on machine 1cpu, whose clocks count its instructions: nothing of the host is in what it shows, and boots hardly differ.
The model has no host there, and costs from scenarios that are not compared, though they were revised with the results in
view; those of 5.10 were recorded after that.

Quantities end in the name of a task, or of what equal tasks have in common: their mean is compared, and as `+"`spread`"+`
the standard deviation of their shares. `+"`share`"+` is of a CPU. Switches are counted a second; of tasks that do something
in turns, on machines with more CPUs than the host, a turn. Migrations are of all tasks, a second. `+"`previous`"+`,
`+"`sibling`"+`, `+"`socket`"+` and `+"`other`"+` are the parts of wakeups that went to the CPU that the task ran on last, else to its
core, else to its socket, else elsewhere. `+"`pulls`"+` is the part of wake_affine's decisions that took the waker's CPU.

## Summary

Quantities that pass, of those compared.

`)
	summary(out, lines)
	writeChanges(out, lines)
	for _, k := range Kernels() {
		details(out, lines, k, e)
	}
	fmt.Fprint(out, "\n## Tolerances\n\n| quantity | widened by |\n|---|---|\n")
	var names []string
	for name := range tolerances {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		t := tolerances[name]
		var parts []string
		if t.Part > 0 {
			parts = append(parts, fmt.Sprintf("%g %%", t.Part*100))
		}
		if t.Abs > 0 {
			parts = append(parts, fmt.Sprintf("%g", t.Abs))
		}
		fmt.Fprintf(out, "| %s | %s |\n", name, strings.Join(parts, " and "))
	}
	return out.Flush()
}

// summary is a table of scenarios by kernels.
func summary(out io.Writer, lines []Line) {
	type cell struct{ pass, all int }
	type row struct{ scenario, machine string }
	var rows []row
	cells := map[row]map[string]*cell{}
	var used []string
	for _, k := range Kernels() {
		if slices.ContainsFunc(lines, func(l Line) bool { return l.Kernel == k }) {
			used = append(used, k)
		}
	}
	for i := range lines {
		l := &lines[i]
		r := row{l.Scenario, l.Machine}
		if cells[r] == nil {
			rows = append(rows, r)
			cells[r] = map[string]*cell{}
		}
		c := cells[r][l.Kernel]
		if c == nil {
			c = &cell{}
			cells[r][l.Kernel] = c
		}
		switch l.Verdict {
		case Pass:
			c.pass++
			c.all++
		case Miss:
			c.all++
		}
	}
	fmt.Fprintf(out, "| scenario | machine | %s |\n|---|---|%s\n", strings.Join(used, " | "), strings.Repeat("---|", len(used)))
	for _, r := range rows {
		fmt.Fprintf(out, "| %s | %s |", r.scenario, r.machine)
		for _, k := range used {
			switch c := cells[r][k]; {
			case c == nil:
				fmt.Fprint(out, " |")
			case c.all == 0:
				fmt.Fprint(out, " pending |")
			case c.pass == c.all:
				fmt.Fprintf(out, " all %d |", c.all)
			default:
				fmt.Fprintf(out, " **%d of %d** |", c.pass, c.all)
			}
		}
		fmt.Fprintln(out)
	}
}

// details are the tables of a kernel.
func details(out io.Writer, lines []Line, kernel string, e *Expected) {
	machine := ""
	for i := range lines {
		l := &lines[i]
		if l.Kernel != kernel {
			continue
		}
		if l.Machine != machine {
			machine = l.Machine
			fmt.Fprintf(out, "\n## %s, %s\n\n| scenario | quantity | boots | real kernels | model | |\n|---|---|---|---|---|---|\n", kernel, machine)
		}
		if l.Verdict == Pending {
			fmt.Fprintf(out, "| %s | | %d | | | pending: %s |\n", l.Scenario, l.Boots, e.Reason(l))
			continue
		}
		verdict := string(l.Verdict)
		if l.Verdict == Miss {
			verdict = "**miss**: " + e.Reason(l)
			if passesUndisturbed(lines, l) {
				verdict += "; passes on 1cpu"
			}
		}
		fmt.Fprintf(out, "| %s | %s | %d | %s to %s | %s | %s |\n",
			l.Scenario, l.Quantity, l.Boots, show(l.Lo), show(l.Hi), show(l.Model), verdict)
	}
}

// passesUndisturbed reports whether what misses on another machine passes on 1cpu, where nothing
// of a host is in the recording.
func passesUndisturbed(lines []Line, miss *Line) bool {
	return slices.ContainsFunc(lines, func(l Line) bool {
		return l.Machine == "1cpu" && l.Kernel == miss.Kernel && l.Scenario == miss.Scenario && l.Quantity == miss.Quantity && l.Verdict == Pass
	})
}

// show prints a value with three digits that count.
func show(v float64) string {
	switch {
	case v == 0:
		return "0"
	case v < 0.0005:
		return "0.000"
	case v < 1:
		return fmt.Sprintf("%.3f", v)
	case v < 10:
		return fmt.Sprintf("%.2f", v)
	case v < 100:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}
