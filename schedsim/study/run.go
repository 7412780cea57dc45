package study

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

// A Runner simulates one run. It is called by several goroutines at once. Its
// result depends on the job's key only. When ctx is done it may return early
// with ctx.Err().
type Runner interface {
	Run(ctx context.Context, job Job) (schedsim.Result, error)
}

// Options say how a matrix is run, not what is in it.
type Options struct {
	Identity Identity
	Jobs     int   // runs at a time; 0 for one a CPU
	Shard    Shard // part of the matrix to run
	// Progress, if set, is told of every finished run, one call at a time.
	Progress func(Progress)
	// Again simulates runs too that the store has. If one has another result now, that is an
	// error of Store.Put.
	Again bool
}

// Progress is how far a sweep is.
type Progress struct {
	Done, Total int // runs of this shard
	Job         Job // the run that was finished last
	FromStore   bool
}

// Run does every run of the study's matrix (see Jobs) that the store does not
// have, and stores it. It stops at the first failed run or failed write. When
// ctx is done it stops and returns ctx.Err(); what is finished is in the store
// in any case, and a second Run goes on from there.
//
// If the plan allows for more runs than N, rows whose interval is too wide get them;
// see Plan.MaxN and WidthWanted.
func Run(ctx context.Context, s *Study, plan Plan, runner Runner, store *Store, opt Options) error {
	all, err := Jobs(s, plan, opt.Identity)
	if err != nil {
		return err
	}
	begin := time.Now()
	if err := runAll(ctx, all, runner, store, opt); err != nil || opt.Shard.N > 1 {
		return err // which runs are needed is not for a part to say
	}
	return extend(ctx, s, plan, runner, store, opt, begin)
}

// runAll does every job of the shard that the store does not have.
func runAll(ctx context.Context, all []Job, runner Runner, store *Store, opt Options) error {
	var jobs []Job
	for _, j := range all {
		hash, err := j.Hash()
		if err != nil {
			return err
		}
		if opt.Shard.Holds(hash) {
			jobs = append(jobs, j)
		}
	}
	workers := opt.Jobs
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	w := sweep{runner: runner, store: store, total: len(jobs), progress: opt.Progress, cancel: cancel, again: opt.Again}
	w.writer = newWriter(store, w.stored)
	queue := make(chan Job)
	var wg sync.WaitGroup
	for range min(workers, len(jobs)) {
		wg.Go(func() { w.work(inner, queue) })
	}
feed:
	for _, j := range jobs {
		select {
		case queue <- j:
		case <-inner.Done():
			break feed
		}
	}
	close(queue)
	wg.Wait()
	w.writer.wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	return w.err
}

// sweep is the state that the workers of one Run share.
type sweep struct {
	runner   Runner
	store    *Store
	total    int
	progress func(Progress)
	cancel   context.CancelFunc
	again    bool
	writer   *writer

	mu   sync.Mutex
	done int
	err  error // the first
}

// work does jobs until there are no more or one fails.
func (w *sweep) work(ctx context.Context, queue <-chan Job) {
	for j := range queue {
		if ctx.Err() != nil {
			return
		}
		if err := w.do(ctx, j); err != nil {
			w.fail(err)
			return
		}
	}
}

// do makes sure that the store has the job's result, or soon will.
func (w *sweep) do(ctx context.Context, j Job) error {
	_, ok, err := w.store.Get(j.Key)
	if err != nil {
		return err
	}
	if ok && !w.again {
		w.finished(j, true)
		return nil
	}
	r, err := w.runner.Run(ctx, j)
	if err != nil {
		return fmt.Errorf("study: %s: %w", j.Key, err)
	}
	w.writer.put(j, r)
	return nil
}

// stored is told by the writer what became of a run.
func (w *sweep) stored(j Job, err error) {
	if err != nil {
		w.fail(err)
		return
	}
	w.finished(j, false)
}

func (w *sweep) fail(err error) {
	w.mu.Lock()
	if w.err == nil {
		w.err = err
	}
	w.mu.Unlock()
	w.cancel()
}

func (w *sweep) finished(j Job, stored bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done++
	if w.progress != nil {
		w.progress(Progress{Done: w.done, Total: w.total, Job: j, FromStore: stored})
	}
}
