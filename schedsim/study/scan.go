package study

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/schedlab/schedlab/schedsim"
)

// Hashes lists the runs that the store has files of, in order. The files are not
// read: some may turn out to be untrustworthy.
func (s *Store) Hashes() ([]string, error) {
	var hashes []string
	err := s.eachSubdir(func(dir string) error {
		entries, err := os.ReadDir(filepath.Join(s.dir, dir))
		if err != nil {
			return s.readError(err)
		}
		for _, e := range entries {
			if hash, ok := strings.CutSuffix(e.Name(), runSuffix); ok && isHash(hash) && hash[:2] == dir {
				hashes = append(hashes, hash)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if _, err := s.packs.load(s.dir); err != nil {
		return nil, s.readError(err)
	}
	s.packs.mu.RLock()
	hashes = slices.AppendSeq(hashes, maps.Keys(s.packs.runs))
	s.packs.mu.RUnlock()
	slices.Sort(hashes)
	return slices.Compact(hashes), nil
}

// eachSubdir visits the directories of runs in order.
func (s *Store) eachSubdir(visit func(name string) error) error {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return s.readError(err)
	}
	for _, e := range entries {
		if !e.IsDir() || len(e.Name()) != 2 || strings.Trim(e.Name(), "0123456789abcdef") != "" {
			continue
		}
		if err := visit(e.Name()); err != nil {
			return err
		}
	}
	return nil
}

// StoredRun is a run of a store.
type StoredRun struct {
	Hash   string // of the key
	Key    Key
	Result schedsim.Result
}

// Each calls visit with every stored run, in the order of their hashes, until
// it returns an error, which Each returns. Files are read by all CPUs, visit is
// called by one goroutine. Files that are ignored are named in Warnings.
func (s *Store) Each(visit func(StoredRun) error) error {
	hashes, err := s.Hashes()
	if err != nil {
		return err
	}
	type run struct {
		hash string
		key  Key
		got
	}
	return inOrder(hashes, func(hash string) run {
		k, g := s.read(hash)
		return run{hash, k, g}
	}, func(r run) error {
		if r.warning != "" {
			s.warn(r.warning)
		}
		if r.err != nil || !r.found {
			return r.err
		}
		return visit(StoredRun{r.hash, r.key, r.result})
	})
}

// read reads the file of a hash.
func (s *Store) read(hash string) (Key, got) {
	data, path, err := s.lookup(hash)
	if errors.Is(err, fs.ErrNotExist) {
		return Key{}, got{} // removed since it was listed
	}
	if err != nil {
		return Key{}, got{err: s.readError(err)}
	}
	text, r, err := decodeRecord(data)
	if err == nil && hashOf(text) != hash {
		err = errOtherRun
	}
	var k Key
	if err == nil {
		k, err = decodeKey(text)
	}
	var newer *newerFormatError
	switch {
	case errors.As(err, &newer):
		return k, got{err: fmt.Errorf("study: %s: %w", path, err)}
	case err != nil:
		return k, got{warning: ignored(path, err)}
	}
	if files := s.contradicting(hash); len(files) > 0 {
		return k, got{warning: (&ConflictError{k, files}).Error()}
	}
	return k, got{result: r, found: true}
}

// getAll is Get of many keys, by all CPUs; visit is called in their order.
func (s *Store) getAll(jobs []Job, visit func(j Job, r schedsim.Result, found bool)) error {
	type answer struct {
		i int
		got
	}
	index := make([]int, len(jobs))
	for i := range index {
		index[i] = i
	}
	return inOrder(index, func(i int) answer { return answer{i, s.get(jobs[i].Key)} }, func(a answer) error {
		if a.warning != "" {
			s.warn(a.warning)
		}
		if a.err == nil {
			visit(jobs[a.i], a.result, a.found)
		}
		return a.err
	})
}

// readAhead is how many files are read before those in front of them were visited.
// It bounds the memory, and keeps all CPUs busy.
const readAhead = 1024

// inOrder calls work for all items by several goroutines and use for its answers
// in order, until use returns an error.
func inOrder[T, R any](items []T, work func(T) R, use func(R) error) error {
	answers := make([]R, min(readAhead, len(items)))
	// Most of the time goes into parsing; on a network file system it is waiting.
	workers := max(2*runtime.GOMAXPROCS(0), 8)
	for chunk := range slices.Chunk(items, readAhead) {
		var next atomic.Int64
		var wg sync.WaitGroup
		for range min(workers, len(chunk)) {
			wg.Go(func() {
				for i := next.Add(1) - 1; i < int64(len(chunk)); i = next.Add(1) - 1 {
					answers[i] = work(chunk[i])
				}
			})
		}
		wg.Wait()
		for i := range chunk {
			if err := use(answers[i]); err != nil {
				return err
			}
		}
	}
	return nil
}
