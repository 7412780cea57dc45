package study

import (
	"sync"

	"github.com/schedlab/schedlab/schedsim"
)

const (
	// writesAtOnce is how many finished runs may be on their way to disk, each as a file
	// of its own. A disk takes some milliseconds for one and hardly longer for several.
	writesAtOnce = 16
	// packAtLeast is how many more must have ended meanwhile for them to go into one
	// file: in two fsyncs instead of two each.
	packAtLeast = 64
	// packAtMost bounds the memory: who has more waits.
	packAtMost = 2048
)

// A writer stores runs behind those that make them, so that no CPU waits for a disk.
// Runs that end one by one get a file each. Where they end faster than the disk takes
// files, it stores many as one.
type writer struct {
	store *Store
	done  func(j Job, err error) // is told of every run, by any goroutine

	writes  sync.WaitGroup
	mu      sync.Mutex
	space   sync.Cond // of mu: there is in waiting
	writing int
	waiting []finishedRun
}

type finishedRun struct {
	job    Job
	result schedsim.Result
}

func newWriter(store *Store, done func(j Job, err error)) *writer {
	w := &writer{store: store, done: done}
	w.space.L = &w.mu
	return w
}

// put takes over a run.
func (w *writer) put(j Job, r schedsim.Result) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.waiting) >= packAtMost {
		w.space.Wait()
	}
	one := []finishedRun{{j, r}}
	if w.writing < writesAtOnce && len(w.waiting) == 0 {
		w.writing++
		w.writes.Go(func() { w.write(one) })
		return
	}
	w.waiting = append(w.waiting, one...)
}

// write stores runs, and then those that wait: as soon as they are enough for a pack,
// or if nobody else is left to do it.
func (w *writer) write(runs []finishedRun) {
	for runs != nil {
		w.save(runs)
		w.mu.Lock()
		runs = nil
		if n := len(w.waiting); n >= packAtLeast || n > 0 && w.writing == 1 {
			runs, w.waiting = w.waiting, nil
			w.space.Broadcast()
		} else {
			w.writing--
		}
		w.mu.Unlock()
	}
}

// save stores runs as a pack, or a few as files.
func (w *writer) save(runs []finishedRun) {
	if len(runs) < packAtLeast {
		var wg sync.WaitGroup
		for _, r := range runs {
			wg.Go(func() { w.done(r.job, w.store.Put(r.job.Key, r.result)) })
		}
		wg.Wait()
		return
	}
	all := make([]StoredRun, len(runs))
	for i, r := range runs {
		all[i] = StoredRun{Key: r.job.Key, Result: r.result}
	}
	err := w.store.PutAll(all)
	for _, r := range runs {
		w.done(r.job, err)
	}
}

// wait returns when all runs are stored, or have failed to be.
func (w *writer) wait() { w.writes.Wait() }
