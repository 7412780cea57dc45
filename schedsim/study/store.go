package study

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/schedlab/schedlab/schedsim"
)

// ErrNoStore says that there is no store at a directory that is only read.
var ErrNoStore = errors.New("no store there; 'mkreport run' makes one")

// A Store keeps finished runs, one file each, named by the hash of the run's
// key: DIR/ab/abcdef....json. A file is complete and on disk before it has its
// name, and is never changed, so any number of goroutines and processes, also of
// several machines on a shared file system, can fill one store without locks,
// and a killed sweep resumes. Runs that end faster than a disk can take files are
// stored many in one, see PutAll.
//
// A file that cannot be trusted (cut short, edited, of another key) is named
// in Warnings and treated as absent: the run is done again, and the file is put
// aside. A file of a later program is an error: it is not for this one to replace.
//
// Two different results of one key are both kept, in DIR/conflicts and under
// the name, and neither counts; see ConflictError.
type Store struct {
	dir      string
	readOnly bool
	opened   fs.FileInfo // of the directory, to notice that it was replaced

	mu        sync.Mutex
	warnings  []string
	conflicts map[string][]string // files by hash
	subdirs   map[string]bool     // that are on disk

	packs packs
}

// Open opens the store at dir for reading and writing, and makes it if there
// is none. It is an error if no file can be written there.
func Open(dir string) (*Store, error) {
	if err := makeDirs(dir); err != nil {
		return nil, writeError(dir, err)
	}
	s, err := open(dir)
	if err != nil {
		return nil, err
	}
	probe, err := writeTemp(dir, []byte("a store must be writable\n"))
	if err != nil {
		return nil, writeError(dir, err)
	}
	if err := os.Remove(probe); err != nil {
		return nil, writeError(dir, err)
	}
	return s, nil
}

// OpenReadOnly opens the store at dir for reading. It makes and writes
// nothing; without a directory there the error is ErrNoStore.
func OpenReadOnly(dir string) (*Store, error) {
	s, err := open(dir)
	if err != nil {
		return nil, err
	}
	s.readOnly = true
	return s, nil
}

// open reads what a store has beside its runs.
func open(dir string) (*Store, error) {
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrNoStore
	} else if err == nil && !info.IsDir() {
		err = errors.New("not a directory; name another with --store")
	}
	if err == nil {
		err = checkStoreFormat(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("study: store %s: %w", dir, err)
	}
	s := &Store{dir: dir, opened: info, subdirs: make(map[string]bool)}
	if s.conflicts, err = listConflicts(dir); err != nil {
		return nil, s.readError(err)
	}
	if _, err := s.packs.load(dir); err != nil {
		return nil, s.readError(err)
	}
	return s, nil
}

// Dir is the store's directory.
func (s *Store) Dir() string { return s.dir }

// path is the file of the run with that hash.
func (s *Store) path(hash string) string {
	return filepath.Join(s.dir, hash[:2], hash+runSuffix)
}

// Get returns the stored run of a key and whether there is one. The error is
// of the file system, or says that a later program wrote the run; an
// untrustworthy file is a warning and no run, and so are two that differ.
func (s *Store) Get(k Key) (schedsim.Result, bool, error) {
	g := s.get(k)
	if g.warning != "" {
		s.warn(g.warning)
	}
	return g.result, g.found, g.err
}

// got is what the store has of a key.
type got struct {
	result  schedsim.Result
	found   bool
	warning string
	err     error
}

func (s *Store) get(k Key) got {
	want, err := k.text()
	if err != nil {
		return got{err: err}
	}
	hash := hashOf(want)
	data, path, err := s.lookup(hash)
	if files := s.contradicting(hash); len(files) > 0 {
		return got{warning: (&ConflictError{k, files}).Error()}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return got{err: s.alive()}
	}
	if err != nil {
		return got{err: s.readError(err)}
	}
	key, r, err := decodeRecord(data)
	if err == nil && !bytes.Equal(key, want) {
		err = errOtherRun
	}
	var newer *newerFormatError
	if errors.As(err, &newer) {
		return got{err: fmt.Errorf("study: %s: %w", path, err)}
	}
	if err != nil {
		return got{warning: ignored(path, err)}
	}
	return got{result: r, found: true}
}

// Put stores a finished run. It returns when the file is on disk under its
// name; on an error, such as a full disk, there is no trace of it. If the store
// has another result of that key, the error is a ConflictError.
func (s *Store) Put(k Key, r schedsim.Result) error {
	if s.readOnly {
		return fmt.Errorf("study: store %s: opened for reading; a run was not stored", s.dir)
	}
	key, err := k.text()
	if err != nil {
		return err
	}
	data, err := encodeRecord(key, r)
	if err != nil {
		return fmt.Errorf("study: result of %s: %w", k, err)
	}
	if err := s.alive(); err != nil {
		return err
	}
	hash := hashOf(key)
	if err := s.makeSubdir(hash[:2]); err != nil {
		return writeError(s.dir, err)
	}
	if _, _, err := s.lookup(hash); err == nil {
		for _, file := range s.packs.conflicts(hash) {
			if !isPack(filepath.Base(file)) {
				continue
			}
			if err := s.unpack(file); err != nil {
				return err
			}
		}
	}
	if len(s.conflicting(hash)) > 0 {
		return s.conflict(k, hash, data)
	}
	// Another process may store this run, or put a bad file aside, at any moment
	// between two steps; then it is looked at again.
	for range maxTries {
		old, path, err := s.lookup(hash)
		if errors.Is(err, fs.ErrNotExist) {
			err = publish(path, data)
			if errors.Is(err, fs.ErrExist) {
				continue
			}
			if err != nil {
				return writeError(s.dir, err)
			}
			return nil
		}
		if err != nil {
			return s.readError(err)
		}
		if bytes.Equal(old, data) {
			// Whoever wrote it may not have come to this yet.
			if err := syncDir(filepath.Dir(path)); err != nil {
				return writeError(s.dir, err)
			}
			return nil
		}
		if path != s.path(hash) {
			// Whatever is to be done with it is done with a file.
			if err := s.unpack(path); err != nil {
				return err
			}
			continue
		}
		oldKey, _, err := decodeRecord(old)
		if err == nil && bytes.Equal(oldKey, key) {
			return s.conflict(k, hash, data)
		}
		var newer *newerFormatError
		if errors.As(err, &newer) {
			return fmt.Errorf("study: %s: %w", path, err)
		}
		if err := s.putAside(path, old); err != nil {
			return writeError(s.dir, err)
		}
	}
	return fmt.Errorf("study: %s: other processes kept replacing it; run again", s.path(hash))
}

// maxTries is how often Put starts anew. Each time takes another process that put
// the same bad file aside; more than two of those are hardly met.
const maxTries = 10

// errOtherRun says that a file was renamed or copied to another's name.
var errOtherRun = errors.New("it is of another run than its name says")

// alive is an error if the directory is not the one that was opened: of a network
// file system that went away the mount point is left, and what is written into it
// would be lost to the store.
func (s *Store) alive() error {
	now, err := os.Stat(s.dir)
	if err == nil && os.SameFile(now, s.opened) {
		return nil
	}
	if err == nil {
		err = errors.New("the directory was replaced or its file system unmounted since it was opened")
	}
	return fmt.Errorf("study: store %s: %w; bring it back and run again: the runs that were stored are not done again", s.dir, pathless(err))
}

// makeSubdir makes a directory of runs, once a Store.
func (s *Store) makeSubdir(name string) error {
	s.mu.Lock()
	done := s.subdirs[name]
	s.mu.Unlock()
	if done {
		return nil
	}
	if err := makeDir(filepath.Join(s.dir, name)); err != nil {
		return err
	}
	s.mu.Lock()
	s.subdirs[name] = true
	s.mu.Unlock()
	return nil
}

// ignored words the warning of a file that is treated as absent.
func ignored(path string, why error) string {
	return fmt.Sprintf("study: %s: ignored: %v; it will be run again", path, why)
}

// warn records a warning, once.
func (s *Store) warn(w string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.warnings, w) {
		s.warnings = append(s.warnings, w)
	}
}

// Warnings names the files that were ignored so far and why.
func (s *Store) Warnings() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.warnings)
}

// readError is an error of the file system while reading.
func (s *Store) readError(err error) error {
	return fmt.Errorf("study: store %s: %w", s.dir, err)
}

// writeError is an error of the file system while writing; it says what to do.
func writeError(dir string, err error) error {
	return fmt.Errorf("study: store %s: %w; make it writable and free some space, or name another directory with --store", dir, pathless(err))
}

// pathless is the error without the path, which is that of a temporary file or
// said already.
func pathless(err error) error {
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		return pe.Err
	case errors.As(err, &le):
		return le.Err
	}
	return err
}
