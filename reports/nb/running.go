package nb

import (
	"fmt"
	"strings"
	"time"
)

// runningInterval is the time between two changes of the line of a running cell,
// which is in seconds.
const runningInterval = time.Second

// running shows on the terminal which cell runs, for how long, and what its own
// line of progress says. The function that it returns takes the line away.
func (w *wait) running(c *Cell, place string) (clear func()) {
	ticker := time.NewTicker(runningInterval)
	begin := time.Now()
	shown := false
	w.tick = ticker.C
	w.told = func() {
		says := c.FirstLine()
		if w.live != "" {
			says = oneLine(w.live)
		}
		shown = true
		fmt.Fprintf(w.run.opt.Progress, "\r\x1b[K%s", runningLine(place, time.Since(begin), says, w.run.opt.Terminal-1))
	}
	return func() {
		ticker.Stop()
		if shown {
			fmt.Fprint(w.run.opt.Progress, "\r\x1b[K")
		}
	}
}

// runningLine is the line of a running cell, cut to a width: one that is wrapped
// cannot be written over. Control characters of the cell do not come through.
func runningLine(place string, elapsed time.Duration, says string, width int) string {
	line := fmt.Sprintf("%s %.0fs  %s", place, elapsed.Seconds(), says)
	line = strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, line)
	if r := []rune(line); len(r) > width {
		return string(r[:max(width-3, 0)]) + "..."
	}
	return line
}
