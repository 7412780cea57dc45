package study

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A FileKind says what a file in a store is.
type FileKind string

// The kinds of files in a store.
const (
	RunFile      FileKind = "run"
	ConflictFile FileKind = "conflict" // another result of a run's key
	AsideFile    FileKind = "aside"    // could not be trusted, and was put aside
	TempFile     FileKind = "temp"     // being written, or left by a killed writer
	ForeignFile  FileKind = "foreign"  // not the store's
)

// A File is one file of a store, or one line of a pack, and what is wrong with it.
type File struct {
	Path     string // with the store's directory
	Line     int    // of a pack, from 1; 0 for a file of its own
	Kind     FileKind
	Bytes    int64
	Modified time.Time
	// Whole says that the content is what was written, by its checksum, and that
	// Key is its key.
	Whole bool
	Key   Key
	// Problem says why a run does not count; it is empty for one that does, and for
	// one that is whole but of another model version.
	Problem string
}

// Inspect reads every file of the store and calls visit with each: runs in the order
// of their hashes, then the others, then the lines of packs. An unreadable file is a Problem; the
// error is of an unreadable directory, or visit's.
func (s *Store) Inspect(modelVersion string, visit func(File) error) error {
	var paths, rest, packed []string
	err := filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && path != s.dir {
			return nil // removed meanwhile
		}
		if err == nil && d.IsDir() && path == filepath.Join(s.dir, picturesDir) {
			return fs.SkipDir // drawings, which no verdict needs
		}
		if err != nil || d.IsDir() {
			return err
		}
		switch kind := s.kindOf(path); {
		case kind == RunFile && isPack(d.Name()):
			packed = append(packed, path)
		case kind == RunFile:
			paths = append(paths, path)
		default:
			rest = append(rest, path)
		}
		return nil
	})
	if err != nil {
		return s.readError(err)
	}
	err = inOrder(slices.Concat(paths, rest), func(path string) File {
		return s.inspect(path, modelVersion)
	}, func(f File) error {
		if f.Kind == "" {
			return nil
		}
		return visit(f)
	})
	if err != nil {
		return err
	}
	for _, path := range packed { // one after the other: each is large
		if err := s.inspectPack(path, modelVersion, visit); err != nil {
			return err
		}
	}
	return nil
}

// inspectPack visits the lines of a pack.
func (s *Store) inspectPack(path, modelVersion string, visit func(File) error) error {
	info, err := os.Lstat(path)
	var data []byte
	if err == nil {
		data, err = os.ReadFile(path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return visit(File{Path: path, Kind: RunFile, Line: 1, Problem: pathless(err).Error()})
	}
	var lines [][]byte
	eachLine(data, func(_ int, line []byte) { lines = append(lines, line) })
	index := make([]int, len(lines))
	for i := range index {
		index[i] = i
	}
	return inOrder(index, func(i int) File {
		f := File{Path: path, Line: i + 1, Kind: RunFile, Bytes: int64(len(lines[i])), Modified: info.ModTime()}
		f.check(lines[i], modelVersion)
		if !f.Whole {
			return f
		}
		key, _, _ := openRecord(lines[i])
		hash := hashOf(key)
		if _, _, err := s.lookup(hash); err == nil { // compares them
			if files := s.contradicting(hash); len(files) > 0 {
				f.Problem = "there are other results of the same run: " + strings.Join(files, ", ")
			}
		}
		return f
	}, visit)
}

// kindOf tells a file by its place.
func (s *Store) kindOf(path string) FileKind {
	rel, err := filepath.Rel(s.dir, path)
	if err != nil {
		return ForeignFile
	}
	dir, name := filepath.Split(filepath.ToSlash(rel))
	dir = strings.TrimSuffix(dir, "/")
	hash, end, _ := strings.Cut(name, ".")
	switch {
	case isTemp(name) && (len(dir) == 2 || dir == "" || dir == conflictsDir || dir == packsDir):
		return TempFile
	case !isHash(hash):
		return ForeignFile
	case dir == hash[:2] && "."+end == runSuffix, dir == packsDir && isPack(name):
		return RunFile
	case dir == conflictsDir:
		return ConflictFile
	case dir == asideDir:
		return AsideFile
	}
	return ForeignFile
}

// inspect reads a file. Its kind is empty if it is not there any more.
func (s *Store) inspect(path, modelVersion string) File {
	f := File{Path: path, Kind: s.kindOf(path)}
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return File{}
	}
	if err != nil {
		f.Problem = pathless(err).Error()
		return f
	}
	f.Bytes, f.Modified = info.Size(), info.ModTime()
	if f.Kind == TempFile || f.Kind == ForeignFile {
		return f
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return File{}
	}
	if err != nil {
		f.Problem = pathless(err).Error()
		return f
	}
	f.check(data, modelVersion)
	hash, _, _ := strings.Cut(filepath.Base(path), ".")
	if more := s.conflicting(hash); f.Kind == RunFile && f.Whole && len(more) > 0 {
		f.Problem = "there are other results of the same run: " + strings.Join(more, ", ")
	}
	if f.Kind == ConflictFile && f.Problem == "" {
		f.Problem = "another result of the run in " + s.path(hash)
	}
	return f
}

// check finds out what is wrong with the content of a run's file.
func (f *File) check(data []byte, modelVersion string) {
	key, result, err := openRecord(data)
	if err == nil {
		if f.Key, err = decodeKey(key); err == nil && f.Line == 0 && !strings.HasPrefix(filepath.Base(f.Path), hashOf(key)) {
			err = errOtherRun
		}
	}
	if err != nil {
		f.Problem = err.Error()
		return
	}
	f.Whole = true
	// A later version of the model may well have other counters.
	if _, err := decodeResult(result); err != nil && f.Key.ModelVersion == modelVersion {
		f.Problem = err.Error()
	}
}
