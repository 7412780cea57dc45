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
)

// Directories of a store for files that are no runs.
const (
	conflictsDir = "conflicts" // further results of a key
	asideDir     = "aside"     // untrustworthy files that had the name of a run
)

// A ConflictError says that one key has different results: the simulation changed
// without its version, or is not deterministic, or a memory or disk failed. All
// are kept; which one is right is not for the store to say, so none counts.
type ConflictError struct {
	Key   Key
	Files []string // with the results, the one that was first in front
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("study: the same run (%s) gave different results: %s; none counts. Either the simulation changed without its version, or it is not deterministic, or this machine failed. Remove these files to have it run again",
		e.Key, strings.Join(e.Files, " and "))
}

// conflict keeps another result of a key.
func (s *Store) conflict(k Key, hash string, data []byte) error {
	known := append([]string{s.path(hash)}, s.conflicting(hash)...)
	for _, file := range known {
		if old, err := os.ReadFile(file); err == nil && bytes.Equal(old, data) {
			return &ConflictError{k, known}
		}
	}
	dir := filepath.Join(s.dir, conflictsDir)
	if err := makeDir(dir); err != nil {
		return writeError(s.dir, err)
	}
	file := filepath.Join(dir, numbered(hash, data))
	if err := publish(file, data); err != nil && !errors.Is(err, fs.ErrExist) {
		return writeError(s.dir, err)
	}
	s.mu.Lock()
	s.conflicts[hash] = append(s.conflicts[hash], file)
	s.mu.Unlock()
	return &ConflictError{k, append(known, file)}
}

// conflicting lists the further results of a key.
func (s *Store) conflicting(hash string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conflicts[hash]
}

// contradicting lists all files with a result of a key if they are not the same.
func (s *Store) contradicting(hash string) []string {
	if files := s.conflicting(hash); len(files) > 0 {
		return append([]string{s.path(hash)}, files...)
	}
	return s.packs.conflicts(hash)
}

// listConflicts finds the further results of all keys, by hash.
func listConflicts(dir string) (map[string][]string, error) {
	found := make(map[string][]string)
	entries, err := os.ReadDir(filepath.Join(dir, conflictsDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		if hash, _, ok := strings.Cut(e.Name(), "."); ok && isHash(hash) {
			found[hash] = append(found[hash], filepath.Join(dir, conflictsDir, e.Name()))
		}
	}
	return found, nil
}

// putAside takes an untrustworthy file, whose content was read before, from the
// name of a run.
func (s *Store) putAside(path string, seen []byte) error {
	dir := filepath.Join(s.dir, asideDir)
	if err := makeDir(dir); err != nil {
		return err
	}
	hash := strings.TrimSuffix(filepath.Base(path), runSuffix)
	to := filepath.Join(dir, numbered(hash, seen))
	if err := os.Rename(path, to); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // another process did
		}
		return err
	}
	if now, err := os.ReadFile(to); err == nil && !bytes.Equal(now, seen) {
		// Another process had put the bad file aside and stored the run: give it back.
		if err := os.Link(to, path); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		if err := os.Remove(to); err != nil {
			return err
		}
	}
	return errors.Join(syncDir(dir), syncDir(filepath.Dir(path)))
}

// numbered is the name of a file that is not a run's, told apart by its content.
func numbered(hash string, data []byte) string {
	sum := sha256.Sum256(data)
	return hash + "." + hex.EncodeToString(sum[:4]) + runSuffix
}

// isHash reports whether a text is a hash in hex.
func isHash(text string) bool {
	if len(text) != 2*sha256.Size {
		return false
	}
	return strings.Trim(text, "0123456789abcdef") == ""
}
