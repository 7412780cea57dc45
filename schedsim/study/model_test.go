package study

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// copyStudy puts the study's file into a directory of its own.
func copyStudy(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(fixtureFile)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), gorman+".yaml")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func testModel(t *testing.T) ([]Constant, Calibration, Ensemble) {
	c := slices.Clone(fixture(t).Constants)
	for i := range c {
		c[i].Value = c[i].Low + (c[i].High-c[i].Low)/3
	}
	cal := Calibration{
		Optimiser:       "Nelder-Mead; \"restarted\" twice",
		Date:            "2021-02-03",
		ModelVersion:    "1",
		Rows:            []string{"1", "8", "64"},
		MedianAbsErrPct: 3.25,
	}
	e := Ensemble{
		Draws: 1000,
		Rule:  "every row within max(2 noise, 5 %)",
		Date:  "2021-02-04",
		Names: []string{"work_ns", "refill_lines"},
		Sets:  [][]float64{{600, 0}, {1e3 / 3, 1e-7}, {4000, 8000}},
	}
	e.Sets[1][0] += 500
	return c, cal, e
}

func TestUpdateFile(t *testing.T) {
	path := copyStudy(t)
	before, _ := os.ReadFile(path)
	c, cal, e := testModel(t)
	if err := UpdateFile(path, c, cal, e); err != nil {
		t.Fatal(err)
	}
	after, _ := os.ReadFile(path)
	if !bytes.Equal(before, after) {
		t.Error("the study's own file was changed")
	}
	s, err := LoadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range c {
		if s.Constants[i] != c[i] {
			t.Errorf("constant %+v, want %+v", s.Constants[i], c[i])
		}
	}
	if got := s.Calibration; got.Optimiser != cal.Optimiser || got.Date != cal.Date || got.ModelVersion != "1" ||
		!slices.Equal(got.Rows, cal.Rows) || got.MedianAbsErrPct != cal.MedianAbsErrPct {
		t.Errorf("calibration %+v, want %+v", got, cal)
	}
	if got := s.Ensemble; got.Digest() != e.Digest() || got.SHA256 != e.Digest() || got.Draws != 1000 || got.Rule != e.Rule || got.Date != e.Date {
		t.Errorf("ensemble %+v, want %+v", got, e)
	}
	entries, _ := os.ReadDir(filepath.Dir(path))
	if len(entries) != 2 {
		t.Errorf("%d files left, want the study and its model", len(entries))
	}
}

func TestUpdateFileWithoutEnsemble(t *testing.T) {
	path := copyStudy(t)
	c, cal, _ := testModel(t)
	cal.MedianAbsErrPct = NotMeasured
	if err := UpdateFile(path, c, cal, Ensemble{}); err != nil {
		t.Fatal(err)
	}
	s, err := LoadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if s.Calibration.MedianAbsErrPct.Measured() || len(s.Ensemble.Sets) != 0 {
		t.Errorf("calibration %+v, ensemble %+v", s.Calibration, s.Ensemble)
	}
}

// TestUpdateFileRefuses checks that a bad model leaves the old one in place.
func TestUpdateFileRefuses(t *testing.T) {
	tests := []struct {
		name   string
		change func(c []Constant, cal *Calibration, e *Ensemble)
		want   string
	}{
		{"out of bounds", func(c []Constant, _ *Calibration, _ *Ensemble) { c[0].Value = c[0].High + 1 }, "outside of"},
		{"unknown constant", func(c []Constant, _ *Calibration, _ *Ensemble) { c[0].Name = "wurk_ns" }, "not in the study"},
		{"unknown row", func(_ []Constant, cal *Calibration, _ *Ensemble) { cal.Rows = []string{"65"} }, `row "65"`},
		{"set out of bounds", func(_ []Constant, _ *Calibration, e *Ensemble) { e.Sets[2][0] = 1e9 }, "work_ns = 1e+09 is outside of"},
		{"short set", func(_ []Constant, _ *Calibration, e *Ensemble) { e.Sets[2] = []float64{1000} }, "1 values for 2 names"},
		{"unknown name", func(_ []Constant, _ *Calibration, e *Ensemble) { e.Names[0] = "x" }, `constant "x"`},
		{"name twice", func(_ []Constant, _ *Calibration, e *Ensemble) { e.Names[0] = e.Names[1] }, "twice"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := copyStudy(t)
			c, cal, e := testModel(t)
			if err := UpdateFile(path, c, cal, e); err != nil {
				t.Fatal(err)
			}
			old, _ := os.ReadFile(ModelPath(path))
			tt.change(c, &cal, &e)
			err := UpdateFile(path, c, cal, e)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q in it", err, tt.want)
			}
			if now, _ := os.ReadFile(ModelPath(path)); !bytes.Equal(old, now) {
				t.Error("the old model was replaced")
			}
		})
	}
}

func TestUpdateFileUnfitted(t *testing.T) {
	path := copyStudy(t)
	data, _ := os.ReadFile(path)
	text := strings.Replace(string(data), "fitted: true", "fitted: false", 1)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	c, cal, e := testModel(t)
	c[0].Fitted = false
	if err := UpdateFile(path, c, cal, e); err == nil || !strings.Contains(err.Error(), "not fitted but changed") {
		t.Errorf("got %v", err)
	}
}

// TestFrozenEnsemble edits a stored ensemble.
func TestFrozenEnsemble(t *testing.T) {
	path := copyStudy(t)
	c, cal, e := testModel(t)
	if err := UpdateFile(path, c, cal, e); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(ModelPath(path))
	good := string(data)
	tests := []struct{ name, old, new, want string }{
		{"value", "[4000, 8000]", "[4000, 7999]", "changed after it was frozen"},
		{"set removed", "    - [4000, 8000]\n", "", "changed after it was frozen"},
		{"hash removed", e.Digest(), "", "changed after it was frozen"},
		{"other study", `study: "gorman`, `study: "norman`, "model is of study"},
		{"unknown key", "draws:", "drawn:", "unknown field"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bad := strings.Replace(good, tt.old, tt.new, 1)
			if bad == good {
				t.Fatalf("%q is not in the model file", tt.old)
			}
			if err := os.WriteFile(ModelPath(path), []byte(bad), 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := LoadFile(path)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), ".model.yaml:") {
				t.Errorf("got %v, want %q in it", err, tt.want)
			}
		})
	}
}

func FuzzParseModel(f *testing.F) {
	data, err := os.ReadFile(fixtureFile)
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte("study: gorman2020-idle-candidate\nvalues: [{name: work_ns, value: 1e3}]\n"))
	f.Add([]byte("study: gorman2020-idle-candidate\nensemble: {names: [work_ns], sets: [[600]], sha256: x}\n"))
	f.Fuzz(func(t *testing.T, model []byte) {
		s, err := ParseWithModel("s.yaml", data, "m.yaml", model)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "study: m.yaml:") {
				t.Errorf("error without a position: %v", err)
			}
			return
		}
		if len(s.Ensemble.Sets) > 0 && s.Ensemble.Digest() != s.Ensemble.SHA256 {
			t.Error("unverified ensemble")
		}
	})
}
