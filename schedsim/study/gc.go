package study

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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

// Collect finds out which files are garbage for a reason that is chosen, removes them
// if the store was opened for writing, and calls visit with every file and the reason,
// which is empty for those that stay. The runs of a pack stay until all are garbage.
func (s *Store) Collect(g *Garbage, chosen func(reason string) bool, remove bool, visit func(f File, reason string) error) error {
	now, err := s.Now()
	if err != nil {
		return err
	}
	var pack []File
	var reasons []string
	finish := func() error {
		if len(pack) == 0 {
			return nil
		}
		all := !slices.Contains(reasons, "")
		if all && remove {
			if err := s.remove(pack[0]); err != nil {
				return err
			}
		}
		for i, f := range pack {
			if !all {
				reasons[i] = ""
			}
			if err := visit(f, reasons[i]); err != nil {
				return err
			}
		}
		pack, reasons = nil, nil
		return nil
	}
	err = s.Inspect(g.ModelVersion, func(f File) error {
		why := g.Reason(&f, now)
		if !chosen(why) {
			why = ""
		}
		if len(pack) > 0 && pack[0].Path != f.Path {
			if err := finish(); err != nil {
				return err
			}
		}
		if f.Line > 0 {
			pack, reasons = append(pack, f), append(reasons, why)
			return nil
		}
		if why != "" && remove {
			if err := s.remove(f); err != nil {
				return err
			}
		}
		return visit(f, why)
	})
	if err != nil {
		return err
	}
	return finish()
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

// remove removes a file of the store. Directories stay: a writer may be about to use
// them. It is no error if another process removed the file.
func (s *Store) remove(f File) error {
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
