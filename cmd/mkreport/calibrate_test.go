package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/schedlab/schedlab/schedsim/study"
)

const (
	calibrated = "synthetic-calibrate"
	trueWork   = 2000.0 // work_ns of its base column
)

// calibrationStudy writes a study whose base column the model itself made.
func calibrationStudy(t *testing.T) (path string) {
	t.Helper()
	data, err := os.ReadFile("testdata/calibrate.yaml")
	if err != nil {
		t.Fatal(err)
	}
	filled := func(column []float64) string {
		text := string(data)
		for i, v := range column {
			text = strings.ReplaceAll(text, fmt.Sprintf("BASE%d", i+1), fmt.Sprintf("%.2f", v))
		}
		return text
	}
	s, err := study.Parse("calibrate.yaml", []byte(filled([]float64{1, 1, 1})))
	if err != nil {
		t.Fatal(err)
	}
	s.Constant("work_ns").Value = trueWork
	column, err := study.BaseColumn(t.Context(), s.Base(), 1)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), calibrated+".yaml")
	if err := os.WriteFile(path, []byte(filled(column)), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func reload(t *testing.T, path string) *study.Study {
	t.Helper()
	s, err := study.LoadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCalibrate(t *testing.T) {
	path := calibrationStudy(t)
	calibrate := []string{"calibrate", calibrated, "--file", path}
	with := func(words ...string) []string { return append(calibrate[:len(calibrate):len(calibrate)], words...) }

	stdout, _ := want(t, exitDone, with("--fit", "--date", "2099-02-03")...)
	s := reload(t, path)
	if got := s.Constant("work_ns").Value; math.Abs(got/trueWork-1) > 0.05 {
		t.Errorf("work_ns is fitted to %g, the base column was made with %g", got, trueWork)
	}
	if s.Calibration.Date != "2099-02-03" || s.Calibration.ModelVersion == "" || len(s.Calibration.Rows) != 3 || len(s.Ensemble.Sets) != 0 {
		t.Errorf("calibration %+v, ensemble %+v", s.Calibration, s.Ensemble)
	}
	for _, text := range []string{"published", "simulated", "error %", "median absolute error", "work_ns = ", "written: " + study.ModelPath(path)} {
		if !strings.Contains(stdout, text) {
			t.Errorf("no %q in\n%s", text, stdout)
		}
	}
	fit := s.Constant("work_ns").Value

	stdout, _ = want(t, exitDone, with("--ensemble", "--keep", "2", "--draws", "30", "--date", "2099-02-04")...)
	s = reload(t, path)
	if len(s.Ensemble.Sets) != 2 || s.Ensemble.Date != "2099-02-04" || s.Calibration.Date != "2099-02-03" || s.Constant("work_ns").Value != fit {
		t.Errorf("calibration %+v, ensemble %+v", s.Calibration, s.Ensemble)
	}
	if !strings.Contains(stdout, "frozen as sha256:"+s.Ensemble.SHA256) {
		t.Errorf("the ensemble's hash is not in\n%s", stdout)
	}

	frozen := s.Ensemble.SHA256
	for _, words := range [][]string{nil, {"--ensemble"}} {
		if _, stderr := want(t, exitFailed, with(words...)...); !strings.Contains(stderr, "frozen since 2099-02-04") || !strings.Contains(stderr, "--refreeze") {
			t.Errorf("%q: %s", words, stderr)
		}
	}
	if got := reload(t, path).Ensemble.SHA256; got != frozen {
		t.Error("a frozen ensemble was replaced")
	}
	want(t, exitDone, with("--ensemble", "--refreeze", "--keep", "1", "--draws", "30")...)
	if s := reload(t, path); s.Ensemble.SHA256 == frozen || len(s.Ensemble.Sets) != 1 {
		t.Errorf("--refreeze keeps %+v", s.Ensemble)
	}

	want(t, exitDone, with("--ensemble", "--refreeze", "--refit", "--keep", "1", "--draws", "10")...)
	if s := reload(t, path); len(s.Ensemble.Sets) != 1 || !strings.Contains(s.Ensemble.Rule, "moved to the fitted rows") {
		t.Errorf("--refit keeps %+v", s.Ensemble)
	}

	t.Run("stopped", func(t *testing.T) {
		before, err := os.ReadFile(study.ModelPath(path))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		status, _, stderr := invoke(ctx, with("--refreeze")...)
		if status != exitFailed || !strings.Contains(stderr, "stopped") {
			t.Errorf("exit status %d: %s", status, stderr)
		}
		if after, _ := os.ReadFile(study.ModelPath(path)); string(after) != string(before) {
			t.Error("the model file was changed")
		}
	})
	t.Run("model file of before", func(t *testing.T) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		changed := strings.Replace(string(data), "name: tail_ns", "name: switch_ns", 1)
		if err := os.WriteFile(path, []byte(changed), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, stderr := want(t, exitFailed, with("--ensemble")...); !strings.Contains(stderr, "--refreeze replaces the model file") {
			t.Errorf("stderr %s", stderr)
		}
		want(t, exitDone, with("--ensemble", "--refreeze", "--keep", "1", "--draws", "30")...)
		if e := reload(t, path).Ensemble; len(e.Sets) != 1 || e.Names[1] != "switch_ns" {
			t.Errorf("ensemble %+v", e)
		}
	})
	t.Run("file of another study", func(t *testing.T) {
		if _, stderr := want(t, exitFailed, "calibrate", tested, "--file", path); !strings.Contains(stderr, "is the file of study "+calibrated) {
			t.Errorf("stderr %s", stderr)
		}
	})
}

func TestStudyFile(t *testing.T) {
	path, err := studyFile(tested, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
	t.Chdir(t.TempDir())
	if _, err := studyFile(tested, ""); err == nil || !strings.Contains(err.Error(), "run it in a clone of the project") {
		t.Errorf("outside of a clone: %v", err)
	}
}
