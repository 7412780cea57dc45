package study

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// packsDir has the packs of a store, and packSuffix ends their names.
//
// A pack is a file of many runs, a line each, as their own files would have them. It is
// written where runs end faster than a disk can take a file each; see writer. It is
// published like a run, so it is there whole or not at all.
const (
	packsDir   = "packs"
	packSuffix = ".jsonl"
)

// packs knows where in which pack a run is. Its zero value knows none.
type packs struct {
	mu       sync.RWMutex
	runs     map[string]packed // by hash
	files    map[string]bool   // that were read
	modified time.Time         // of the directory when it was listed
	// twice are runs of which two packs have different results.
	twice map[string][]string
}

// packed is a line of a pack.
type packed struct {
	file      string
	off, size int64
}

// find returns the place of a run.
func (p *packs) find(hash string) (packed, bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	at, ok := p.runs[hash]
	return at, ok
}

// load reads the packs that came since the last time. It reports whether there were
// any.
func (p *packs) load(storeDir string) (more bool, err error) {
	dir := filepath.Join(storeDir, packsDir)
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if info.ModTime().Equal(p.modified) {
		return false, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false, err
	}
	var fresh []string
	for _, e := range entries {
		if path := filepath.Join(dir, e.Name()); isPack(e.Name()) && !p.files[path] {
			fresh = append(fresh, path)
		}
	}
	type content struct {
		path string
		data []byte
		err  error
	}
	err = inOrder(fresh, func(path string) content {
		data, err := os.ReadFile(path)
		return content{path, data, err}
	}, func(c content) error {
		if errors.Is(c.err, fs.ErrNotExist) {
			return nil // unpacked meanwhile
		}
		if c.err == nil {
			p.add(c.path, c.data)
		}
		return c.err
	})
	p.modified = info.ModTime()
	return len(fresh) > 0, err
}

// add enters the runs of a pack. Its lines are verified when they are read.
func (p *packs) add(path string, data []byte) {
	if p.files == nil {
		p.files, p.runs, p.twice = make(map[string]bool), make(map[string]packed), make(map[string][]string)
	}
	p.files[path] = true
	eachLine(data, func(off int, line []byte) {
		key, _, err := openRecord(line)
		if err != nil {
			return
		}
		hash, at := hashOf(key), packed{path, int64(off), int64(len(line))}
		if old, ok := p.runs[hash]; ok && old != at {
			if text, err := old.read(); err == nil && !bytes.Equal(text, line) {
				p.twice[hash] = []string{old.file, path}
			}
			return
		}
		p.runs[hash] = at
	})
}

// compare notes if a run's own file contradicts the pack.
func (p *packs) compare(hash string, at packed, path string, data []byte) {
	line, err := at.read()
	if err != nil || bytes.Equal(line, data) {
		return
	}
	if _, _, err := openRecord(data); err != nil {
		return // not another result but a damaged file
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.twice[hash] = []string{path, at.file}
}

// eachLine visits the lines of a pack, each with its newline.
func eachLine(data []byte, visit func(off int, line []byte)) {
	for off := 0; off < len(data); {
		end := len(data)
		if i := bytes.IndexByte(data[off:], '\n'); i >= 0 {
			end = off + i + 1
		}
		visit(off, data[off:end])
		off = end
	}
}

// read reads the line.
func (at packed) read() ([]byte, error) {
	f, err := os.Open(at.file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data := make([]byte, at.size)
	if _, err := f.ReadAt(data, at.off); err != nil {
		return nil, err
	}
	return data, nil
}

func isPack(name string) bool {
	hash, ok := strings.CutSuffix(name, packSuffix)
	return ok && isHash(hash)
}

// lookup reads what the store has of a hash: a file of its own, or a line of a pack. It
// is fs.ErrNotExist if there is neither.
func (s *Store) lookup(hash string) (data []byte, path string, err error) {
	path = s.path(hash)
	for try := range 2 {
		data, err = os.ReadFile(path)
		at, ok := s.packs.find(hash)
		if ok && err == nil {
			s.packs.compare(hash, at, path, data)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return data, path, err
		}
		if !ok && try == 0 {
			more, err := s.packs.load(s.dir)
			if err != nil {
				return nil, path, err
			}
			if more {
				at, ok = s.packs.find(hash)
			}
		}
		if !ok {
			break
		}
		data, err := at.read()
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return data, at.file, err
		}
		// It was unpacked since: each run has its own file now.
	}
	return nil, path, fs.ErrNotExist
}

// PutAll stores several runs; all are on disk when it returns. Those that the store has
// not are written as one file. It is as if Put was called with each: an error of one is
// none of the others.
func (s *Store) PutAll(runs []StoredRun) error {
	if s.readOnly {
		return fmt.Errorf("study: store %s: opened for reading; %d runs were not stored", s.dir, len(runs))
	}
	if err := s.alive(); err != nil {
		return err
	}
	var pack []byte
	var errs []error
	for _, r := range runs {
		key, err := r.Key.text()
		known := true
		if err == nil {
			_, _, err = s.lookup(hashOf(key))
			known = !errors.Is(err, fs.ErrNotExist) || len(s.contradicting(hashOf(key))) > 0
		}
		if known {
			errs = append(errs, s.Put(r.Key, r.Result)) // there is something to compare it with
			continue
		}
		data, err := encodeRecord(key, r.Result)
		if err != nil {
			errs = append(errs, fmt.Errorf("study: result of %s: %w", r.Key, err))
			continue
		}
		pack = append(pack, data...)
	}
	if len(pack) > 0 {
		errs = append(errs, s.putPack(pack))
	}
	return errors.Join(errs...)
}

func (s *Store) putPack(pack []byte) error {
	if err := s.makeSubdir(packsDir); err != nil {
		return writeError(s.dir, err)
	}
	sum := sha256.Sum256(pack)
	path := filepath.Join(s.dir, packsDir, hex.EncodeToString(sum[:])+packSuffix)
	if err := publish(path, pack); err != nil && !errors.Is(err, fs.ErrExist) {
		return writeError(s.dir, err)
	}
	s.packs.mu.Lock()
	defer s.packs.mu.Unlock()
	s.packs.add(path, pack)
	return nil
}

// unpack gives each run of a pack a file of its own and removes the pack. If that is
// interrupted, some runs are there twice, which is the same as once. Lines that cannot
// be trusted stay in the pack, which then is put aside.
func (s *Store) unpack(path string) error {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return s.readError(err)
	}
	var errs []error
	bad := false
	eachLine(data, func(_ int, line []byte) {
		key, _, err := openRecord(line)
		if err != nil {
			bad = true
			return
		}
		hash := hashOf(key)
		if err := s.makeSubdir(hash[:2]); err != nil {
			errs = append(errs, writeError(s.dir, err))
			return
		}
		err = publish(s.path(hash), line)
		if errors.Is(err, fs.ErrExist) {
			err = s.settle(key, hash, line)
		} else if err != nil {
			err = writeError(s.dir, err)
		}
		var conflict *ConflictError
		if err != nil && !errors.As(err, &conflict) {
			errs = append(errs, err)
		}
	})
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	if bad {
		dir := filepath.Join(s.dir, asideDir)
		if err := makeDir(dir); err != nil {
			return writeError(s.dir, err)
		}
		err = os.Rename(path, filepath.Join(dir, filepath.Base(path)))
	} else {
		err = os.Remove(path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return writeError(s.dir, err)
	}
	s.packs.forget(path)
	return nil
}

// settle keeps a line of a pack whose run has a file already.
func (s *Store) settle(key []byte, hash string, line []byte) error {
	old, err := os.ReadFile(s.path(hash))
	if err != nil || bytes.Equal(old, line) {
		return err
	}
	k, err := decodeKey(key)
	if err != nil {
		return err
	}
	return s.conflict(k, hash, line)
}

// forget drops the runs of a pack.
func (p *packs) forget(path string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for hash, at := range p.runs {
		if at.file == path {
			delete(p.runs, hash)
		}
	}
}

// conflicts lists the packs that contradict each other over a run.
func (p *packs) conflicts(hash string) []string {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.twice[hash]
}
