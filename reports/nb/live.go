package nb

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
)

// liveInterval is the time between two changes of a line of progress, and from
// the begin of the work to the first: what is done at once, because its runs
// are stored, shows its summary only.
const liveInterval = 300 * time.Millisecond

// livePrefix begins the display ids of lines of progress.
const livePrefix = "schedlab-live-"

// Live is a line in a cell that says how far a long piece of work is and ends,
// in the same place, as a summary of it. The summary has no times: a cell that
// is run again, with all its runs stored, leaves the same notebook.
//
// Outside a notebook only the summary is printed, to standard output. A Live is
// for one goroutine at a time to begin and end, and for any to step.
type Live struct {
	name, noun string
	part       string // what the runs are of: "cell"

	mu           sync.Mutex
	total, done  int
	fresh        int // done now and not taken from a store
	partsLeft    int // -1 if it is not known
	began, shown time.Time
	ended        bool
	now          func() time.Time
	put          func(text string) error // nil outside a notebook
	print        func(text string)
	err          error // of the first display that failed
}

// NewLive begins a line for work that is counted in a noun, "runs". The total
// is set by the first step.
func NewLive(name, noun string) *Live {
	l := &Live{
		name: name, noun: noun, part: "cell", partsLeft: -1, now: time.Now,
		print: func(text string) { fmt.Fprintln(os.Stdout, text) },
	}
	if gonbui.IsNotebook {
		id := livePrefix + gonbui.UniqueId()
		l.put = func(text string) error { return put(map[string]any{mimeText: text}, id) }
	}
	l.began = l.now()
	return l
}

// Step says how many of a total are done by now, and whether the last of them
// was taken from a store, which says nothing about how long the rest takes.
func (l *Live) Step(done, total int, stored bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done, l.total = done, total
	if !stored {
		l.fresh++
	}
	l.show()
}

// show brings the line up to date if it is time.
func (l *Live) show() {
	now := l.now()
	if l.put == nil || l.ended || now.Sub(l.began) < liveInterval || now.Sub(l.shown) < liveInterval {
		return
	}
	l.shown = now
	if err := l.put(l.line(now)); err != nil && l.err == nil {
		l.err = err
	}
}

// line is the state of unfinished work.
func (l *Live) line(now time.Time) string {
	text := fmt.Sprintf("%s: %d of %d %s done", l.name, l.done, l.total, l.noun)
	if l.partsLeft >= 0 {
		text += fmt.Sprintf(", %s left", count(l.partsLeft, l.part))
	}
	if rest := l.total - l.done; rest > 0 && l.fresh > 0 {
		left := now.Sub(l.began) / time.Duration(l.fresh) * time.Duration(rest)
		text += fmt.Sprintf(", about %v left", left.Round(time.Second))
	}
	return text
}

// End replaces the line by a summary: what is done, and notes, which say where
// it is kept or why it is not all. It returns the first error of a display;
// work that was shown wrong may still be right.
func (l *Live) End(notes ...string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return l.err
	}
	l.ended = true
	text := strings.Join(append([]string{fmt.Sprintf("%s: %d of %d %s", l.name, l.done, l.total, l.noun)}, notes...), "; ")
	if l.put == nil {
		l.print(text)
		return l.err
	}
	if err := l.put(text); err != nil && l.err == nil {
		l.err = err
	}
	return l.err
}
