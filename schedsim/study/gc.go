package study

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Garbage says what a store need not keep.
type Garbage struct {
	// ModelVersion is that of the program: it never reads runs of others.
	ModelVersion string
	// Wanted, if set, are the runs that are asked for.
	Wanted *Wanted
	// Older is how long ago a temporary file must have been written for its writer to
	// be dead. A write takes milliseconds, on a slow network file system seconds.
	Older time.Duration
}

// The reasons to remove a file.
const (
	ReasonTemp    = "left by a killed writer"
	ReasonVersion = "of another model version"
	ReasonUnasked = "asked for by no study"
	ReasonAside   = "replaced by a run of this program"
)

// Reason says why a file can go, or is empty. What cannot be read is never garbage,
// nor is a result that contradicts another one, nor what is not the store's.
func (g *Garbage) Reason(f *File, now time.Time) string {
	switch {
	case f.Kind == TempFile:
		if now.Sub(f.Modified) >= g.Older {
			return ReasonTemp
		}
	case !f.Whole:
	case f.Kind == AsideFile:
		// Whole, so it was put aside because its fields are those of another build.
		return ReasonAside
	case f.Kind != RunFile || f.Problem != "":
	case f.Key.ModelVersion != g.ModelVersion:
		return ReasonVersion
	case g.Wanted != nil && !g.Wanted.Has(f.Key):
		return ReasonUnasked
	}
	return ""
}

// Now is the time by the clock of the store's file system, which is what the times of
// its files are by; those of hosts may differ. Of a store that is only read it is this
// host's.
func (s *Store) Now() (time.Time, error) {
	if s.readOnly {
		return time.Now(), nil
	}
	name, err := writeTemp(s.dir, nil)
	if err != nil {
		return time.Time{}, writeError(s.dir, err)
	}
	info, err := os.Stat(name)
	if err := errors.Join(err, os.Remove(name)); err != nil {
		return time.Time{}, writeError(s.dir, err)
	}
	return info.ModTime(), nil
}

// Remove removes a file of the store. Directories stay: a writer may be about to use
// them. It is no error if another process removed the file.
func (s *Store) Remove(f File) error {
	if s.readOnly {
		return fmt.Errorf("study: store %s: opened for reading; nothing is removed", s.dir)
	}
	if rel, err := filepath.Rel(s.dir, f.Path); err != nil || !filepath.IsLocal(rel) {
		return fmt.Errorf("study: store %s: %s is not in it; not removed", s.dir, f.Path)
	}
	if err := os.Remove(f.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("study: store %s: %w", s.dir, err)
	}
	return nil
}
