package nb

import (
	"context"
	"errors"
	"fmt"
	"os/signal"
	"syscall"

	"github.com/schedlab/schedlab/schedsim/study"
)

// Interruptible returns a context that ends when the cell is interrupted, by
// the stop button or a time limit, instead of the program: simulations that are
// given it stop, and what the cell does after that still happens. A notebook
// gives it five seconds for this. Call stop when the work is done.
func Interruptible(ctx context.Context) (c context.Context, stop context.CancelFunc) {
	return signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
}

// ErrInterrupted is in the chain of the error of work that was interrupted.
var ErrInterrupted = errors.New("interrupted")

// Sweep runs the runs of a study's plan that the store does not have, with a
// line of progress in the cell: runs done, cells left, time left. It returns
// what the study came to. A second Sweep takes all runs from the store.
//
// If the cell is interrupted the finished runs are kept, the line says so, and
// the outcome of those is returned together with an error that wraps
// [ErrInterrupted]. After any other failure of a run the outcome of the rest is
// returned too; it is nil only if there is none to build.
//
//	plan, err := s.Plan(study.ModeQuick)
//	store, err := study.Open("../out/store")
//	outcome, err := nb.Sweep(ctx, s, plan, study.Simulator{}, store)
func Sweep(ctx context.Context, s *study.Study, plan study.Plan, runner study.Runner, store *study.Store) (*study.Outcome, error) {
	return sweep(ctx, s, plan, runner, store, NewLive(s.ReportID(), "runs"))
}

func sweep(ctx context.Context, s *study.Study, plan study.Plan, runner study.Runner, store *study.Store, live *Live) (*study.Outcome, error) {
	ident, err := s.Identity()
	if err != nil {
		return nil, err
	}
	jobs, err := study.Jobs(s, plan, ident)
	if err != nil {
		return nil, err
	}
	left := map[string]int{}
	for _, j := range jobs {
		left[cellOf(j)]++
	}
	live.setParts(len(left))
	ctx, stop := Interruptible(ctx)
	defer stop()
	err = study.Run(ctx, s, plan, runner, store, study.Options{
		Identity: ident,
		Progress: func(p study.Progress) {
			key := cellOf(p.Job)
			// Runs beyond the plan's, where an interval is wide, are in no count.
			if left[key]--; left[key] <= 0 {
				delete(left, key)
			}
			live.setParts(len(left))
			live.Step(p.Done, p.Total, p.FromStore)
		},
	})
	note := "kept in " + store.Dir()
	switch {
	case ctx.Err() != nil:
		note = "interrupted; those that are done are kept in " + store.Dir() + ", run the cell again to go on"
		err = fmt.Errorf("nb: %s: %w", s.ReportID(), ErrInterrupted)
	case err != nil:
		note = "stopped by an error; those that are done are kept in " + store.Dir()
	}
	if liveErr := live.End(note); err == nil {
		err = liveErr
	}
	o, buildErr := study.Build(s, plan, store, ident)
	if buildErr != nil {
		return nil, errors.Join(err, buildErr)
	}
	return o, err
}

// cellOf names the cell of the result that a run is for.
func cellOf(j study.Job) string {
	return fmt.Sprint(j.Workload, j.Machine, j.Kernel, j.Ablated, j.Row)
}

// setParts says how many parts of the work are not whole yet.
func (l *Live) setParts(left int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.partsLeft = left
}
