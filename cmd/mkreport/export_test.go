package main

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestExport(t *testing.T) {
	dir, _ := fewRuns(t, 5)
	stdout, stderr := want(t, exitDone, "export", "--store", dir)
	lines, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
	if err != nil || len(lines) != 7 || stderr != "" {
		t.Fatalf("%d lines, %v, stderr %s", len(lines), err, stderr)
	}
	column := slices.Index(lines[0], "throughput")
	var got []float64
	for _, line := range lines[1:] {
		v, err := strconv.ParseFloat(line[column], 64)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, v)
	}
	slices.Sort(got)
	for i, v := range got {
		if v != float64(i)+1/3. { // to the last digit
			t.Errorf("throughput %v", v)
		}
	}
	out := t.TempDir()
	for _, name := range []string{"runs.csv", "runs.json", "runs.parquet"} {
		file := filepath.Join(out, name)
		if _, stderr := want(t, exitDone, "export", "--store", dir, file); !strings.HasPrefix(stderr, file+": 6 runs, ") {
			t.Errorf("stderr %s", stderr)
		}
		data, err := os.ReadFile(file)
		if err != nil || len(data) == 0 {
			t.Errorf("%s: %d bytes, %v", name, len(data), err)
		}
		switch filepath.Ext(name) {
		case ".csv":
			if string(data) != stdout {
				t.Error("the file differs from what is printed")
			}
		case ".json":
			if !json.Valid(data) {
				t.Error("not JSON")
			}
		case ".parquet":
			if !strings.HasPrefix(string(data), "PAR1") || !strings.HasSuffix(string(data), "PAR1") {
				t.Error("not Parquet")
			}
		}
	}
	stdout, _ = want(t, exitDone, "export", "--store", dir, "--study", "mine", "--format", "json")
	if n := strings.Count(stdout, `{"run":`); n != 1 || !strings.Contains(stdout, `"study":"mine"`) {
		t.Errorf("%d runs of one study", n)
	}
	stdout, _ = want(t, exitDone, "export", "--store", dir, "--columns")
	if !strings.HasPrefix(stdout, "name,type,unit\nrun,text,\n") || !strings.Contains(stdout, "\nmetric.wakeups/s,float64,1/s\n") {
		t.Errorf("columns %s", stdout)
	}
	_, stderr = want(t, exitFailed, "export", "--store", dir, "--study", "none")
	if !strings.Contains(stderr, "store stats") {
		t.Errorf("stderr %s", stderr)
	}
	for _, args := range [][]string{{"runs.xls"}, {"--format", "xml"}, {"a.csv", "b.csv"}} {
		want(t, exitUsage, append([]string{"export", "--store", dir}, args...)...)
	}
	want(t, exitFailed, "export", "--store", dir+"-none")
	if _, stderr := want(t, exitFailed, "export", "--store", dir, filepath.Join(out, "none", "runs.csv")); !strings.Contains(stderr, "none") {
		t.Errorf("stderr %s", stderr)
	}
	if left, _ := os.ReadDir(out); len(left) != 3 {
		t.Errorf("%d files, want 3", len(left))
	}
}
