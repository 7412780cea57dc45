package study

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Picture is a stretch of one run of a row that a report shows, to see the mechanism
// at work that the post speaks of. No figure rests on it.
type Picture struct {
	Row    string `yaml:"row"` // as of RowName
	Warmup string `yaml:"warmup"`
	Length string `yaml:"length"`
	Doc    string `yaml:"doc"` // what there is to see, in the row's terms and before the run
}

// Times are the simulated times before the stretch and of it.
func (p *Picture) Times() (warmup, length time.Duration, err error) {
	if warmup, err = time.ParseDuration(p.Warmup); err == nil {
		length, err = time.ParseDuration(p.Length)
	}
	if err == nil && (warmup < 0 || length <= 0) {
		err = fmt.Errorf("warmup %v and length %v; give a length above 0", warmup, length)
	}
	return warmup, length, err
}

// PictureKey is everything that determines a picture's run, with the study's own
// constants and seed 1; arm is ArmBase or ArmPatched.
func (s *Study) PictureKey(p *Picture, arm string, ident Identity) (Key, error) {
	t, r := s.FindRow(p.Row)
	if r == nil {
		return Key{}, fmt.Errorf("study: %s has no row %q", s.ID, p.Row)
	}
	warmup, length, err := p.Times()
	if err != nil {
		return Key{}, fmt.Errorf("study: %s: picture of row %s: %w", s.ID, p.Row, err)
	}
	at, err := s.pointOf(Plan{
		Warmup: map[string]time.Duration{"": warmup}, Measure: map[string]time.Duration{"": length},
	}, t, r)
	if err != nil {
		return Key{}, err
	}
	j, err := s.job(ident, &at, valuesOf(s.Constants), arm, defaultSeed)
	return j.Key, err
}

func validatePictures(s *Study, doc *document) []error {
	var errs []error
	for i := range s.Pictures {
		p := &s.Pictures[i]
		at := fmt.Sprintf("$.pictures[%d]", i)
		if _, r := s.FindRow(p.Row); r == nil || r.NotModelled != "" {
			errs = append(errs, doc.errorf(at+".row", "no row %q that is run, to make a picture of; correct it", p.Row))
		}
		if _, _, err := p.Times(); err != nil {
			errs = append(errs, doc.errorf(at, "picture: %w", err))
		}
	}
	return errs
}

// picturesDir is where a store keeps drawings beside its runs. They can be made
// again, and are no runs: nothing is judged by them.
const picturesDir = "pictures"

// Drawing returns a drawing that was stored under a name, and whether there is one.
func (s *Store) Drawing(name string) ([]byte, bool, error) {
	data, err := os.ReadFile(filepath.Join(s.dir, picturesDir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, s.readError(err)
	}
	return data, true, nil
}

// PutDrawing stores a drawing under a name of a file.
func (s *Store) PutDrawing(name string, data []byte) error {
	if s.readOnly {
		return fmt.Errorf("study: store %s: opened for reading; a drawing was not stored", s.dir)
	}
	if name == "" || strings.ContainsAny(name, `/\`) || strings.HasPrefix(name, ".") {
		return fmt.Errorf("study: %q is no name for a drawing", name)
	}
	dir := filepath.Join(s.dir, picturesDir)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return writeError(s.dir, err)
	}
	if err := replaceFile(filepath.Join(dir, name), data); err != nil {
		return writeError(s.dir, err)
	}
	return nil
}
