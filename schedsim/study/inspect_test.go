package study

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// spoiltStore has one file of each kind and state, and what is to be said of it.
func spoiltStore(t *testing.T) (s *Store, problems map[string]string) {
	t.Helper()
	s = mustOpen(t, t.TempDir())
	problems = make(map[string]string)
	put := func(seed uint64, version string) string {
		k := testKey(seed)
		k.ModelVersion = version
		if err := s.Put(k, testResult(float64(seed))); err != nil {
			t.Fatal(err)
		}
		hash, _ := k.Hash()
		return s.path(hash)
	}
	rewrite := func(path string, with func([]byte) []byte) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, with(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	problems[put(1, "now")] = ""
	problems[put(2, "old")] = ""

	cut := put(3, "now")
	rewrite(cut, func(d []byte) []byte { return d[:len(d)/2] })
	problems[cut] = "cut short"

	flipped := put(4, "now")
	rewrite(flipped, func(d []byte) []byte { return bytes.Replace(d, []byte(`"MB/sec"`), []byte(`"mB/sec"`), 1) })
	problems[flipped] = "checksum"

	newer := put(5, "now")
	rewrite(newer, func(d []byte) []byte { return bytes.Replace(d, []byte(`"format":1`), []byte(`"format":9`), 1) })
	problems[newer] = "has format 9"

	otherFields := func(key []byte) []byte {
		result := []byte(`{"Throughput":1}`)
		return slices.Concat([]byte(`{"format":1,"sha256":"`), []byte(checksum(key, result)), []byte(`","key":`), key, []byte(`,"result":`), result, []byte("}\n"))
	}
	for seed, version := range map[uint64]string{6: "now", 7: "old"} {
		path := put(seed, version)
		k := testKey(seed)
		k.ModelVersion = version
		key, _ := k.text()
		rewrite(path, func([]byte) []byte { return otherFields(key) })
		problems[path] = ""
		if version == "now" {
			problems[path] = "other fields"
		}
	}

	misnamed := put(8, "now")
	rewrite(misnamed, func([]byte) []byte { return mustRecord(t, testKey(1), testResult(1)) })
	problems[misnamed] = "another run than its name"

	twice := put(9, "now")
	k := testKey(9)
	k.ModelVersion = "now"
	if err := s.Put(k, testResult(99)); err == nil {
		t.Fatal("no conflict")
	}
	problems[twice] = "other results of the same run"
	problems[s.conflicting(strings.TrimSuffix(filepath.Base(twice), runSuffix))[0]] = "another result of the run in " + twice

	for _, name := range []string{tempPrefix + "1", filepath.Join("00", tempPrefix+"2"), "notes.txt", filepath.Join("00", "copy of a run.json")} {
		path := filepath.Join(s.Dir(), name)
		if err := makeDirs(filepath.Dir(path)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("half a f"), 0o644); err != nil {
			t.Fatal(err)
		}
		problems[path] = ""
	}
	return s, problems
}

func TestInspect(t *testing.T) {
	s, problems := spoiltStore(t)
	err := s.Inspect("now", func(f File) error {
		want, ok := problems[f.Path]
		if !ok {
			t.Errorf("visits %s, again or unexpectedly", f.Path)
		}
		delete(problems, f.Path)
		if !strings.Contains(f.Problem, want) || (f.Problem == "") != (want == "") {
			t.Errorf("%s: problem %q, want %q", f.Path, f.Problem, want)
		}
		whole := f.Kind == RunFile && want == "" || strings.Contains(want, "result") || want == "other fields"
		if f.Whole != whole {
			t.Errorf("%s: whole %v", f.Path, f.Whole)
		}
		return nil
	})
	if err != nil || len(problems) > 0 {
		t.Errorf("%v; not visited: %v", err, problems)
	}
}

// TestGarbage: what cannot be read, what contradicts, and what is not the store's
// stays, whatever the program thinks of the rest.
func TestGarbage(t *testing.T) {
	s, problems := spoiltStore(t)
	var wanted Wanted // nothing is
	for _, older := range []time.Duration{time.Hour, 0} {
		g := Garbage{ModelVersion: "now", Wanted: &wanted, Older: older}
		n := make(map[string]int)
		any := func(string) bool { return true }
		err := s.Collect(&g, any, true, func(f File, why string) error {
			n[why]++
			if why != "" && (problems[f.Path] != "" || f.Kind == ForeignFile) {
				t.Errorf("%s is removed", f.Path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		first := older > 0
		if first && (n[ReasonVersion] != 2 || n[ReasonUnasked] != 1 || n[ReasonTemp] != 0) || !first && (n[ReasonTemp] != 2 || len(n) != 2) {
			t.Errorf("older than %v: %v", older, n)
		}
	}
	for path, problem := range problems {
		if _, err := os.Stat(path); problem != "" && err != nil {
			t.Errorf("%s is gone", path)
		}
	}
	if err := s.remove(File{Path: filepath.Join(s.Dir(), "..", "x")}); err == nil {
		t.Error("removes a file outside of the store")
	}
}

func TestWanted(t *testing.T) {
	s := withEnsemble(t, 4)
	s.Plans = Plans{Quick: PlanSpec{N: 1, Sets: "2", Warmup: map[string]string{"": "10ms"}, Measure: map[string]string{"": "100ms"}}}
	var w Wanted
	if err := w.Add(s, testIdentity); err != nil {
		t.Fatal(err)
	}
	for _, sets := range []int{0, 1, 4} { // other than the plan's, as --sets gives them
		plan := testPlan(3, sets)
		plan.Seed = 77
		jobs, err := Jobs(s, plan, testIdentity)
		if err != nil {
			t.Fatal(err)
		}
		for _, j := range jobs {
			if !w.Has(j.Key) {
				t.Fatalf("%s of set %d is not asked for", j.Key, j.Set)
			}
		}
	}
	jobs, err := SensitivityJobs(s, testPlan(2, 1), testIdentity)
	if err != nil || !w.Has(jobs[len(jobs)-1].Key) {
		t.Errorf("the sensitivity's runs are not asked for; %v", err)
	}
	k := jobs[0].Key
	for name, other := range map[string]func(*Key){
		"machine": func(k *Key) { k.MachineHash = "changed" },
		"patches": func(k *Key) { k.Patches = []string{"other"} },
		"row":     func(k *Key) { k.Row = "none" },
		"study":   func(k *Key) { k.Study = "mine" },
	} {
		changed := k
		other(&changed)
		if w.Has(changed) {
			t.Errorf("a run of another %s is asked for", name)
		}
	}
}

func TestGroups(t *testing.T) {
	s, _ := spoiltStore(t)
	g := make(Groups)
	if err := s.Inspect("now", func(f File) error { g.Add(&f); return nil }); err != nil {
		t.Fatal(err)
	}
	got := g.Sorted()
	if len(got) != 2 || got[0].ModelVersion != "now" || got[0].Runs != 3 || got[1].Runs != 2 || got[0].Bytes < 1000 {
		t.Errorf("%+v", got)
	}
}
