package experiment

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"sync"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/study"
)

// A Bench runs setups and keeps the runs: one that was done is not done again, in
// this program or the next.
type Bench struct {
	Store *study.Store
	// Runs is how many runs of each arm a comparison has, with seeds from 1.
	Runs int
	// Progress, if set, is told of every run, one call at a time, and whether it was in
	// the store.
	Progress func(done, total int, stored bool)
}

// StoreEnv names the environment variable that takes the place of the directory
// which Open is given: where notebooks are run that nobody looks at.
const StoreEnv = "SCHEDLAB_STORE"

// Open is a bench that keeps its runs in a directory, a store as mkreport's. It makes
// the directory if there is none.
func Open(dir string) (*Bench, error) {
	store, err := OpenStore(dir)
	if err != nil {
		return nil, err
	}
	return &Bench{Store: store, Runs: 3}, nil
}

// OpenStore opens the store in a directory, or in that of [StoreEnv] if it is set.
func OpenStore(dir string) (*study.Store, error) {
	if other := os.Getenv(StoreEnv); other != "" {
		dir = other
	}
	return study.Open(dir)
}

// job is one run.
type job struct {
	cfg schedsim.Config
	key study.Key
	to  *schedsim.Result
}

// runAll does all jobs, as many at a time as there are CPUs, and stops at the first
// that fails. What is finished is in the store in any case.
func (b *Bench) runAll(ctx context.Context, jobs []job) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	queue := make(chan job)
	var mu sync.Mutex
	var wg sync.WaitGroup
	done := 0
	for range min(runtime.GOMAXPROCS(0), len(jobs)) {
		wg.Go(func() {
			for j := range queue {
				if ctx.Err() != nil {
					continue
				}
				stored, err := b.run(ctx, j)
				if err != nil {
					cancel(err)
					continue
				}
				mu.Lock()
				done++
				if b.Progress != nil {
					b.Progress(done, len(jobs), stored)
				}
				mu.Unlock()
			}
		})
	}
	for _, j := range jobs {
		queue <- j
	}
	close(queue)
	wg.Wait()
	return context.Cause(ctx)
}

// run takes a run from the store, or does it and puts it there.
func (b *Bench) run(ctx context.Context, j job) (stored bool, err error) {
	r, stored, err := b.Store.Get(j.key)
	if err == nil && !stored {
		if r, err = schedsim.Run(ctx, j.cfg); err == nil {
			err = b.Store.Put(j.key, r)
		}
	}
	if err != nil {
		return false, fmt.Errorf("experiment: %s, seed %d: %w", j.key.Row, j.key.Seed, err)
	}
	*j.to = r
	return stored, nil
}

// Run does one run of a setup with patches, or takes it from the store.
func (b *Bench) Run(ctx context.Context, s Setup, seed uint64, patches ...schedsim.Patch) (schedsim.Result, error) {
	var r schedsim.Result
	j, err := jobOf(s, seed, patches)
	if err != nil {
		return r, err
	}
	j.to = &r
	err = b.runAll(ctx, []job{j})
	return r, err
}

// RunAll does [Bench.Runs] runs of each setup, with seeds from 1: the first index of
// the result is the setup.
func (b *Bench) RunAll(ctx context.Context, setups []Setup, patches ...schedsim.Patch) ([][]schedsim.Result, error) {
	out := make([][]schedsim.Result, len(setups))
	var jobs []job
	for i, s := range setups {
		out[i] = make([]schedsim.Result, b.Runs)
		for run := range out[i] {
			j, err := jobOf(s, uint64(1+run), patches)
			if err != nil {
				return nil, err
			}
			j.to = &out[i][run]
			jobs = append(jobs, j)
		}
	}
	if err := b.runAll(ctx, jobs); err != nil {
		return nil, err
	}
	return out, nil
}

// jobOf is a run of a setup with patches. Each has a configuration of its own: a
// workload is the state of one run.
func jobOf(s Setup, seed uint64, patches []schedsim.Patch) (job, error) {
	cfg, key, err := s.config()
	if err != nil {
		return job{}, err
	}
	for _, p := range patches {
		id, err := identify(p)
		if err != nil {
			return job{}, err
		}
		key.Patches = append(key.Patches, id)
	}
	cfg.Kernel = cfg.Kernel.With(patches...)
	if err := cfg.Kernel.Err(); err != nil {
		return job{}, fmt.Errorf("experiment: %w", err)
	}
	key.Row, key.Arm, key.Seed, cfg.Seed = s.String(), study.ArmPatched, seed, seed
	if len(patches) == 0 {
		key.Arm = study.ArmBase
	}
	return job{cfg: cfg, key: key}, nil
}
