package nb

import (
	"fmt"
	"strings"
	"time"
)

// runningInterval is the time between two changes of the line of a running cell,
// which is in seconds.
const runningInterval = time.Second

// runningWidth is the most characters of that line: one that is wrapped cannot be
// written over.
const runningWidth = 78

// running shows on the terminal which cell runs, for how long, and what its own
// line of progress says. The function that it returns takes the line away.
func (w *wait) running(c *Cell) (clear func()) {
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
		fmt.Fprintf(w.run.opt.Progress, "\r\x1b[K%s", runningLine(w.run.report.Path, time.Since(begin), says))
	}
	return func() {
		ticker.Stop()
		if shown {
			fmt.Fprint(w.run.opt.Progress, "\r\x1b[K")
		}
	}
}

// runningLine is the line of a running cell, cut to its width. Control characters
// of the cell do not come through.
func runningLine(path string, elapsed time.Duration, says string) string {
	line := fmt.Sprintf("%s: %.0fs  %s", path, elapsed.Seconds(), says)
	line = strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, line)
	if r := []rune(line); len(r) > runningWidth {
		return string(r[:runningWidth-3]) + "..."
	}
	return line
}
