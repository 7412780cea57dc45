package topology

import (
	"bytes"
	"fmt"
	"strconv"
)

// binsPerLine is how many turbo bins stand beside each other.
const binsPerLine = 10

// writeClock writes the turbo table and how Linux sets the clock.
func (m *Machine) writeClock(buf *bytes.Buffer) {
	f := m.Frequency
	fmt.Fprintf(buf, "\nTurbo of a socket by its active cores (%s; base %s MHz):\n", howKnown(f.TurboInfo), number(f.BaseMHz.Value))
	for first := 0; first < len(f.Turbo); first += binsPerLine {
		bins := f.Turbo[first:min(first+binsPerLine, len(f.Turbo))]
		from := 1
		if first > 0 {
			from = f.Turbo[first-1].ActiveCores + 1
		}
		cores, mhz := []string{"cores"}, []string{"MHz"}
		align := "l"
		for _, bin := range bins {
			cores = append(cores, rangeOf(from, bin.ActiveCores))
			mhz = append(mhz, strconv.Itoa(bin.MHz))
			from = bin.ActiveCores + 1
			align += "r"
		}
		t := textTable{align: align}
		t.row(cores...)
		t.row(mhz...)
		t.write(buf)
	}
	c := f.Control
	if c.Driver == "" {
		return
	}
	how := c.Driver
	if c.HWP {
		how += " with HWP"
	}
	clocks := "one clock a socket"
	if c.PerCore {
		clocks = "one clock a core"
	}
	text := fmt.Sprintf("%s, %s (%s; %s)", how, clocks, c.Kind, sourceAndNote(c.Source, c.Note))
	if c.Step != (Quantity{}) {
		text += fmt.Sprintf("; steps of %s %s", number(c.Step.Value), c.Step.Unit)
	}
	if c.Transition != (Quantity{}) {
		text += fmt.Sprintf("; %s us from request to clock (%s)", number(c.Transition.Value/1000), howKnown(c.Transition))
	}
	writeWrapped(buf, "Frequency control: ", "  ", text)
}

// rangeOf writes "3-4", or "3" for a range of one.
func rangeOf(first, last int) string {
	if first >= last {
		return strconv.Itoa(last)
	}
	return fmt.Sprintf("%d-%d", first, last)
}

// howKnown says how a number is known and how far it may be off.
func howKnown(q Quantity) string {
	if q.Uncertainty == 0 {
		return string(q.Kind)
	}
	return fmt.Sprintf("%s +-%s %%", q.Kind, number(q.Uncertainty))
}

// writeIdleStates writes the idle states in us, as cpuidle shows them.
func (m *Machine) writeIdleStates(buf *bytes.Buffer) {
	buf.WriteString("\nIdle states (us; exit and residency as the driver has them, mean as a wakeup\nsees it):\n")
	t := textTable{align: "lrrrl"}
	t.row("name", "exit", "residency", "mean exit", "from")
	for _, s := range m.IdleStates {
		t.row(s.Name, number(float64(s.ExitLatency)/1000), number(float64(s.TargetResidency)/1000),
			number(s.MeanExit.Value/1000), howKnown(s.MeanExit))
	}
	t.write(buf)
}
