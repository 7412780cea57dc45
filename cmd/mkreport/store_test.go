package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/study"
)

// fewRuns makes a store with the first runs of the tested study and one of a study
// that nobody has; results are made up.
func fewRuns(t *testing.T, n int) (dir string, keys []study.Key) {
	t.Helper()
	studies, err := subjects([]string{tested}, "")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := studies[0].Plan(study.ModeQuick)
	if err != nil {
		t.Fatal(err)
	}
	plan.Seed = 5 // of nobody's plan, but --seed is for the user to choose
	jobs, err := study.Jobs(studies[0].Study, plan, studies[0].identity)
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range jobs[:n] {
		keys = append(keys, j.Key)
	}
	other := keys[0]
	other.Study = "mine"
	keys = append(keys, other)
	dir = filepath.Join(t.TempDir(), "store")
	store, err := study.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range keys {
		r := schedsim.Result{
			Throughput: float64(i) + 1/3., Unit: "MB/sec", TraceHash: 1<<63 + uint64(i), MeasuredNS: 1e9,
			Metrics:  []schedsim.Metric{{Name: "throughput", Unit: "MB/sec", Value: float64(i) + 1/3.}, {Name: "wakeups/s", Unit: "1/s", Value: 1e-7}},
			Counters: schedsim.Counters{Wakeups: int64(i)},
		}
		if err := store.Put(k, r); err != nil {
			t.Fatal(err)
		}
	}
	return dir, keys
}

// fileOf is the file of a run.
func fileOf(t *testing.T, dir string, k study.Key) string {
	t.Helper()
	hash, err := k.Hash()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, hash[:2], hash+".json")
}

func TestStoreVerify(t *testing.T) {
	dir, keys := fewRuns(t, 5)
	stdout, stderr := want(t, exitDone, "store", "verify", "--store", dir)
	if stdout != "6 runs in "+dir+" are sound\n" || stderr != "" {
		t.Errorf("stdout %s, stderr %s", stdout, stderr)
	}
	cut, twice := fileOf(t, dir, keys[1]), fileOf(t, dir, keys[2])
	if err := os.Truncate(cut, 1000); err != nil {
		t.Fatal(err)
	}
	store, err := study.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Put(keys[2], schedsim.Result{Unit: "MB/sec"}); err == nil {
		t.Fatal("no conflict")
	}
	stdout, stderr = want(t, exitFailed, "store", "verify", "--store", dir)
	for _, line := range []string{
		cut + ": it is cut short", twice + ": " + keys[2].String() + ": there are other results",
		filepath.Join(dir, "conflicts"), "\n4 runs in ",
	} {
		if !strings.Contains(stdout, line) {
			t.Errorf("no %q in %s", line, stdout)
		}
	}
	if !strings.Contains(stderr, "3 files in "+dir+" do not count") {
		t.Errorf("stderr %s", stderr)
	}
	want(t, exitFailed, "store", "verify", "--store", dir+"-none")
	want(t, exitUsage, "store")
	want(t, exitUsage, "store", "repair")
}

func TestStoreStats(t *testing.T) {
	dir, _ := fewRuns(t, 5)
	stdout, _ := want(t, exitDone, "store", "stats", "--store", dir)
	for _, words := range [][]string{{"study", "machine", "kernel", "model", "runs"}, {tested, "csl-2s-80", "v5.10", schedsim.ModelVersion, "5"}, {"mine", "csl-2s-80"}, {"all", "6"}} {
		if !strings.Contains(strings.Join(strings.Fields(stdout), " "), strings.Join(words, " ")) {
			t.Errorf("no %q in\n%s", words, stdout)
		}
	}
	stdout, _ = want(t, exitDone, "store", "stats", "--json", "--store", dir)
	var groups []runGroupJSON
	if err := json.Unmarshal([]byte(stdout), &groups); err != nil || len(groups) != 2 || groups[0].Runs != 5 || groups[0].Oldest.IsZero() {
		t.Errorf("%+v, %v", groups, err)
	}
}

func TestStoreGC(t *testing.T) {
	dir, keys := fewRuns(t, 5)
	mine := fileOf(t, dir, keys[5])
	old := keys[0]
	old.ModelVersion = "0"
	store, err := study.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Put(old, schedsim.Result{}); err != nil {
		t.Fatal(err)
	}
	temp := filepath.Join(dir, ".tmp-1")
	if err := os.WriteFile(temp, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	before := files(t, dir)
	stdout, _ := want(t, exitDone, "store", "gc", "--list", "--store", dir)
	for _, text := range []string{mine + ": asked for by no study", "unasked  would remove 1 file ", "version  would remove 1 file ", "nothing was removed; --delete does it"} {
		if !strings.Contains(stdout, text) {
			t.Errorf("no %q in %s", text, stdout)
		}
	}
	if strings.Contains(stdout, temp) {
		t.Error("a file that may be written right now is taken for left")
	}
	sameFiles(t, "a dry run", before, files(t, dir))

	stdout, _ = want(t, exitDone, "store", "gc", "--delete", "--only", "temp,version", "--older", "0s", "--store", dir)
	if !strings.Contains(stdout, "removed 2, 6 stay") {
		t.Errorf("stdout %s", stdout)
	}
	if _, err := os.Stat(mine); err != nil {
		t.Errorf("without --only unasked: %v", err)
	}
	want(t, exitDone, "store", "gc", "--delete", "--store", dir)
	if _, err := os.Stat(mine); err == nil {
		t.Error("the run of a study that is not named is still there")
	}
	if n := len(files(t, dir)); n != 5 {
		t.Errorf("%d files left, want the 5 of a shipped study", n)
	}
	for _, args := range [][]string{{"--only", "all"}, {"--delete", "--dry-run"}, {"--older", "-1s"}, {"nosuchstudy"}} {
		want(t, exitUsage, append([]string{"store", "gc", "--store", dir}, args...)...)
	}
	want(t, exitFailed, "store", "gc", "--delete", "--store", dir+"-none")
	if _, err := os.Stat(dir + "-none"); err == nil {
		t.Error("makes a store to clean it")
	}
}
