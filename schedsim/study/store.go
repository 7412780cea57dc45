package study

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"

	"github.com/schedlab/schedlab/schedsim"
)

// ErrNoStore says that there is no store at a directory that is only read.
var ErrNoStore = errors.New("no store there; 'mkreport run' makes one")

// A Store keeps finished runs, one file each, named by the hash of the run's
// key: DIR/ab/abcdef....json. Files are written atomically and never changed,
// so any number of goroutines and processes, also of several machines on a
// shared file system, can fill one store, and a killed sweep resumes.
//
// A file that cannot be trusted (cut short, edited, of another key) is named
// in Warnings and treated as absent: the run is done again and replaces it.
type Store struct {
	dir      string
	readOnly bool

	mu       sync.Mutex
	warnings []string
}

// Open opens the store at dir for reading and writing, and makes it if there
// is none. It is an error if no file can be written there.
func Open(dir string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, writeError(dir, err)
	}
	probe, err := os.CreateTemp(dir, ".probe-*")
	if err != nil {
		return nil, writeError(dir, err)
	}
	_, err = probe.WriteString("a store must be writable\n")
	err = errors.Join(err, probe.Close(), os.Remove(probe.Name()))
	if err != nil {
		return nil, writeError(dir, err)
	}
	return &Store{dir: dir}, nil
}

// OpenReadOnly opens the store at dir for reading. It makes and writes
// nothing; without a directory there the error is ErrNoStore.
func OpenReadOnly(dir string) (*Store, error) {
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrNoStore
	} else if err == nil && !info.IsDir() {
		err = errors.New("not a directory; name another with --store")
	}
	if err != nil {
		return nil, fmt.Errorf("study: store %s: %w", dir, err)
	}
	return &Store{dir: dir, readOnly: true}, nil
}

// Dir is the store's directory.
func (s *Store) Dir() string { return s.dir }

// path is the file of the run with that hash.
func (s *Store) path(hash string) string {
	return filepath.Join(s.dir, hash[:2], hash+".json")
}

// Get returns the stored run of a key and whether there is one. The error is
// of the file system; an untrustworthy file is a warning and no run.
func (s *Store) Get(k Key) (schedsim.Result, bool, error) {
	want, err := k.text()
	if err != nil {
		return schedsim.Result{}, false, err
	}
	hash, err := k.Hash()
	if err != nil {
		return schedsim.Result{}, false, err
	}
	path := s.path(hash)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return schedsim.Result{}, false, nil
	}
	if err != nil {
		return schedsim.Result{}, false, s.readError(err)
	}
	key, r, err := decodeRecord(data)
	if err == nil && !bytes.Equal(key, want) {
		err = errors.New("it is of another run than its name says")
	}
	if err != nil {
		s.warn(path, err)
		return schedsim.Result{}, false, nil
	}
	return r, true, nil
}

// Put stores a finished run. It returns when the file is complete under its
// name; on an error, such as a full disk, there is no trace of it. A trusted
// file that is there already with another result means that the simulation is
// not determined by its key, which is an error.
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
	hash, err := k.Hash()
	if err != nil {
		return err
	}
	path := s.path(hash)
	if old, err := os.ReadFile(path); err == nil && !bytes.Equal(old, data) {
		if oldKey, _, err := decodeRecord(old); err == nil && bytes.Equal(oldKey, key) {
			return fmt.Errorf("study: %s: the same run (%s) gave another result before; the simulation changed without its version, or is not deterministic: remove the store", path, k)
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return writeError(s.dir, err)
	}
	if err := replaceFile(path, data); err != nil {
		return writeError(s.dir, err)
	}
	return nil
}

// warn records an ignored file, once.
func (s *Store) warn(path string, why error) {
	w := fmt.Sprintf("study: %s: ignored: %v; it will be run again", path, why)
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

var recordName = regexp.MustCompile(`^[0-9a-f]{64}\.json$`)

// Each calls visit with every stored run, in the order of their hashes, until
// it returns an error, which Each returns. Files that are ignored are named in
// Warnings.
func (s *Store) Each(visit func(Key, schedsim.Result) error) error {
	return filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return s.readError(err)
		}
		if d.IsDir() || !recordName.MatchString(d.Name()) {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return s.readError(err)
		}
		text, r, err := decodeRecord(data)
		if err != nil {
			s.warn(path, err)
			return nil
		}
		var k Key
		if err := json.Unmarshal(text, &k); err != nil {
			s.warn(path, err)
			return nil
		}
		if hash, err := k.Hash(); err != nil || s.path(hash) != path {
			s.warn(path, errors.New("it is of another run than its name says"))
			return nil
		}
		return visit(k, r)
	})
}

// readError is an error of the file system while reading.
func (s *Store) readError(err error) error {
	return fmt.Errorf("study: store %s: %w", s.dir, err)
}

// writeError is an error of the file system while writing; it says what to do.
func writeError(dir string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err // the path is that of a temporary file
	}
	return fmt.Errorf("study: store %s: %w; make it writable and free some space, or name another directory with --store", dir, err)
}
