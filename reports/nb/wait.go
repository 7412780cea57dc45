package nb

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// interruptGrace is the time between asking a cell to stop and ending it with
// all that it started.
const interruptGrace = 5 * time.Second

// wait waits for the end of one cell.
type wait struct {
	run     *run
	id      string           // of the request
	timeout <-chan time.Time // the time limit; nil for none

	reply  *message
	idle   bool
	stderr []string // the texts of the last stderr messages
	held   int      // their bytes

	tick <-chan time.Time // when to bring the terminal up to date; nil for never
	told func()           // does it
	live string           // what the cell's own line of progress says

	stopped *CellError       // why the cell is being stopped; nil if it is not
	grace   <-chan time.Time // when to stop waiting for that
}

// end returns when the cell has ended and all its output is there, or when it
// was stopped.
func (w *wait) end(ctx context.Context) *CellError {
	k := w.run.kernel
	done := ctx.Done()
	for w.reply == nil || !w.idle {
		select {
		case m, ok := <-k.published:
			if !ok || m.err != nil {
				return w.broken(m.err)
			}
			w.publish(m.message)
		case m, ok := <-k.replies:
			if !ok || m.err != nil {
				return w.broken(m.err)
			}
			if m.parent.ID == w.id && m.header.Type == "execute_reply" {
				w.reply = &m.message
			}
		case <-k.dead:
			return w.broken(nil)
		case <-w.tick:
			w.told()
		case <-w.timeout:
			done = nil
			w.stop(context.DeadlineExceeded, fmt.Sprintf("not done after %v", w.run.opt.CellTimeout))
		case <-done:
			done = nil
			w.stop(ctx.Err(), "stopped: "+context.Cause(ctx).Error())
		case <-w.grace:
			k.kill()
			return w.broken(nil)
		}
	}
	return w.stopped
}

// stop asks the cell to end, and bounds the time that it may take for that.
func (w *wait) stop(err error, what string) {
	w.stopped = &CellError{Err: err, what: what}
	w.timeout = nil
	w.grace = time.After(w.run.opt.grace)
	// Where asking fails, the end of the grace period does without.
	_ = w.run.kernel.interrupt()
}

func (w *wait) publish(m message) {
	w.run.outputs.add(m)
	if m.parent.ID != w.id {
		return
	}
	if strings.HasPrefix(m.content.Transient.DisplayID, livePrefix) {
		w.live, _ = m.content.Data[mimeText].(string)
	}
	switch {
	case m.header.Type == "status" && m.content.ExecutionState == "idle":
		w.idle = true
	case m.header.Type == "stream" && m.content.Name == "stderr":
		w.stderr = append(w.stderr, m.content.Text)
		// Only the last messages can tell how a command ended.
		for w.held += len(m.content.Text); w.held > printedTail && len(w.stderr) > 1; w.stderr = w.stderr[1:] {
			w.held -= len(w.stderr[0])
		}
	}
}

// broken ends the wait for a cell whose kernel cannot be talked to any more,
// after taking the output that is still on its way. err says what the kernel
// sent that could not be read, if anything.
func (w *wait) broken(err error) *CellError {
	k := w.run.kernel
	late := time.After(drainTimeout)
	for open := err == nil; open; {
		select {
		case m, ok := <-k.published:
			if open = ok && m.err == nil; open {
				w.publish(m.message)
			}
		case <-late:
			open = false
		}
	}
	switch {
	case w.stopped != nil:
		return w.stopped
	case err != nil:
		return &CellError{Err: err, what: "the Go kernel sent what cannot be read: " + err.Error()}
	}
	what, text, _ := strings.Cut(k.deathError().Error(), "\n")
	return &CellError{Err: ErrKernelDied, what: what, Text: text}
}
