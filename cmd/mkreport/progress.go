package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Where there is no terminal, a line of progress comes after lineInterval at the
// earliest, and no more often than lineShare of the time that has passed, so that
// a log stays short.
const (
	lineInterval = 5 * time.Second
	lineShare    = 20
)

// unknownTotal is the total of work that ends when it is good enough.
const unknownTotal = -1

// progress tells on standard error how far a long piece of work is: as a bar on
// a terminal, or else as a line now and then.
type progress struct {
	w          io.Writer
	name, noun string // of the work, and of what it is counted in
	now        func() time.Time
	terminal   bool
	bar        *progressbar.ProgressBar // on a terminal, from the first step on

	total, fresh, stored int
	began, printed       time.Time
	detail               string // beside the count
}

func (a *app) newProgress(name, noun string) *progress {
	p := &progress{w: a.stderr, name: name, noun: noun, now: time.Now, terminal: isTerminal(a.stderr)}
	p.began = p.now()
	p.printed = p.began
	return p
}

// isTerminal reports whether w is a terminal that can move its cursor.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// columns is the width of w if it is a terminal that can move its cursor, or 0.
func columns(w io.Writer) int {
	if !isTerminal(w) {
		return 0
	}
	width, _, err := term.GetSize(int(w.(*os.File).Fd()))
	if err != nil || width <= 0 {
		return 80
	}
	return width
}

// done is how much is finished.
func (p *progress) done() int { return p.fresh + p.stored }

// kept says how much is finished, as the begin of a clause on where it is.
func (p *progress) kept() string {
	if p.total == 0 {
		return "none of the " + p.noun + " is"
	}
	return fmt.Sprintf("%d of %d %s are", p.done(), p.total, p.noun)
}

// step counts one of total as finished. What was stored before says nothing
// about how long the rest takes.
func (p *progress) step(total int, stored bool) {
	p.total = total
	if stored {
		p.stored++
	} else {
		p.fresh++
	}
	now := p.now()
	if p.terminal {
		p.draw(now)
		return
	}
	if p.done() == total || now.Sub(p.printed) < max(lineInterval, now.Sub(p.began)/lineShare) {
		return
	}
	p.printed = now
	of := ""
	if total != unknownTotal {
		of = fmt.Sprintf(" of %d", total)
	}
	fmt.Fprintf(p.w, "%s: %d%s %s%s%s\n", p.name, p.done(), of, p.noun, p.detail, p.left(now))
}

// left is the time that the rest will take if it goes on as before.
func (p *progress) left(now time.Time) string {
	rest := p.total - p.done()
	if p.fresh == 0 || rest <= 0 {
		return ""
	}
	d := now.Sub(p.began) / time.Duration(p.fresh) * time.Duration(rest)
	return fmt.Sprintf(", about %v left", d.Round(time.Second))
}

// draw updates the bar. A terminal that went away is no reason to stop.
//
// The bar's own prediction is the mean of the last rates, which is far off where
// some runs take a hundred times as long as others.
func (p *progress) draw(now time.Time) {
	if p.bar == nil {
		p.bar = progressbar.NewOptions(p.total,
			progressbar.OptionSetWriter(p.w),
			progressbar.OptionSetWidth(20),
			progressbar.OptionShowCount(),
			progressbar.OptionSetPredictTime(false),
			progressbar.OptionSetElapsedTime(false),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish(),
		)
	}
	p.bar.Describe(p.name + p.detail + p.left(now))
	_ = p.bar.Set(p.done())
}

// end takes the bar away.
func (p *progress) end() {
	if p.bar != nil {
		_ = p.bar.Clear()
		_ = p.bar.Exit()
	}
}
