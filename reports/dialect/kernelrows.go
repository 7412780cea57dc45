package dialect

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// KernelRows is K Prateek Nayak's form for a single case: a row a kernel, its value
// and the improvement in brackets, the first being the baseline.
//
//	kernel:				time [pct imp]
//	tip:sched/core			1.00 [baseline]
//	tip:sched/core + SM_IDLE	0.80 [20.51%]
//
// The table's one row has a cell a kernel.
type KernelRows struct {
	// Head is the heading as it was read.
	Head string
	// Box is what stands in the box above; see Ratios.
	Box []Axis
	// Baseline is what stands in the brackets of the first: "baseline" or "0.00".
	Baseline string
	// Percent is set where changes have their sign.
	Percent bool

	keys []string // with the blanks and tabs behind them: columns are aligned by hand
}

// Style implements Form.
func (k *KernelRows) Style() string { return "kernel [pct imp]" }

// Better is the direction that the box names.
func (k *KernelRows) Better() Better { return (&Ratios{Box: k.Box}).Better() }

func (k *KernelRows) lines(t *Table) ([]string, error) {
	if len(t.Rows) != 1 || len(t.Rows[0].Cells) != len(t.Kernels) || len(t.Kernels) == 0 {
		return nil, fmt.Errorf("dialect: %d rows, want one with a value for each of %d kernels", len(t.Rows), len(t.Kernels))
	}
	var lines []string
	if k.Head != "" {
		lines = append(lines, k.Head)
	}
	width := 0
	for _, kernel := range t.Kernels {
		width = max(width, len(kernel.Name()))
	}
	for i, c := range t.Rows[0].Cells {
		key := padRight(t.Kernels[i].Name(), width+2)
		if i < len(k.keys) {
			key = k.keys[i]
		}
		change := string(c.Pct)
		switch {
		case i == 0 && k.Baseline != "":
			change = k.Baseline
		case k.Percent:
			change += "%"
		}
		lines = append(lines, key+string(c.Value)+" ["+change+"]")
	}
	return lines, nil
}

var (
	kernelHead = regexp.MustCompile(`^\s*kernel:\s+\S.*\[pct imp\]\s*$`)
	kernelRow  = regexp.MustCompile(`^(\s*(\S.*?)(?:\t+| {2,}))([0-9]+(?:\.[0-9]+)?) \[(baseline|-?[0-9]+(?:\.[0-9]+)?)(%?)\]$`)
)

// FindKernelRows returns such tables in a text, quoted or not: those below a heading
// "kernel: time [pct imp]".
func FindKernelRows(text, filename string) ([]Found, error) {
	lines, quotes := unquote(text)
	var found []Found
	for i := 0; i < len(lines); i++ {
		if !strings.Contains(lines[i].text, "[pct imp]") || !kernelHead.MatchString(lines[i].text) {
			continue
		}
		form := &KernelRows{Head: lines[i].text}
		t := &Table{File: filename, Form: form, Rows: []Row{{}}}
		last := i
		for last+1 < len(lines) {
			m := kernelRow.FindStringSubmatch(lines[last+1].text)
			if m == nil {
				break
			}
			last++
			c := Cell{Value: Decimal(m[3])}
			if len(t.Kernels) == 0 {
				form.Baseline = m[4] + m[5]
			} else if c.Pct = Decimal(m[4]); m[5] != "" {
				form.Percent = true
			}
			form.keys = append(form.keys, m[1])
			t.Kernels = append(t.Kernels, Kernel{Label: [2]string{"", m[2]}})
			t.Rows[0].Cells = append(t.Rows[0].Cells, c)
			t.Rows[0].Line = lines[last].n
		}
		if len(t.Kernels) < 2 || slices.ContainsFunc(t.Rows[0].Cells[1:], func(c Cell) bool { return c.Pct == "baseline" }) {
			continue
		}
		var r Ratios
		r.readBox(lines[:i])
		form.Box = r.Box
		if err := t.compare(lines[i : last+1]); err != nil {
			return found, err
		}
		found = append(found, Found{Table: t, Quote: quotes[i], First: lines[i].n, Last: lines[last].n})
		i = last
	}
	return found, nil
}
