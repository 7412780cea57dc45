package study

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
)

// someRuns are runs with the seeds from..to.
func someRuns(from, to uint64) []StoredRun {
	var runs []StoredRun
	for seed := from; seed <= to; seed++ {
		k := testKey(seed)
		hash, _ := k.Hash()
		runs = append(runs, StoredRun{hash, k, testResult(float64(seed))})
	}
	return runs
}

func mustPutAll(t *testing.T, s *Store, runs []StoredRun) {
	t.Helper()
	if err := s.PutAll(runs); err != nil {
		t.Fatal(err)
	}
}

// packsOf are the packs of a store, at least want of them.
func packsOf(t *testing.T, s *Store, want int) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(s.Dir(), packsDir, "*"))
	if err != nil || len(files) != want {
		t.Fatalf("packs %q, want %d, %v", files, want, err)
	}
	return files
}

func mustGet(t *testing.T, s *Store, r StoredRun) {
	t.Helper()
	if got, ok, err := s.Get(r.Key); !ok || err != nil || !reflect.DeepEqual(got, r.Result) {
		t.Errorf("seed %d: %v, %v, %v; warnings %q", r.Key.Seed, got.Throughput, ok, err, s.Warnings())
	}
}

func TestPutAll(t *testing.T) {
	s := mustOpen(t, t.TempDir())
	other := mustOpen(t, s.Dir()) // another process, which has it open since before
	mustPutAll(t, s, someRuns(1, 50))
	packsOf(t, s, 1)
	mustPutAll(t, s, someRuns(1, 50)) // has them
	packsOf(t, s, 1)
	mustPutAll(t, s, someRuns(41, 60)) // has half of them
	packsOf(t, s, 2)
	if err := s.Put(testKey(61), testResult(61)); err != nil {
		t.Fatal(err)
	}
	if err := s.Put(testKey(1), testResult(1)); err != nil {
		t.Errorf("a run that is in a pack: %v", err)
	}
	for _, s := range []*Store{s, other, mustOpen(t, s.Dir())} {
		for _, r := range someRuns(1, 61) {
			mustGet(t, s, r)
		}
		var got []StoredRun
		if err := s.Each(func(r StoredRun) error { got = append(got, r); return nil }); err != nil {
			t.Error(err)
		}
		seen := make(map[uint64]bool)
		for i, r := range got {
			if i > 0 && got[i-1].Hash >= r.Hash {
				t.Error("not in order")
			}
			seen[r.Key.Seed] = true
		}
		if len(got) != 61 || len(seen) != 61 || len(s.Warnings()) > 0 {
			t.Errorf("%d runs, warnings %q", len(got), s.Warnings())
		}
	}
	bad := someRuns(70, 72)
	bad[1].Key.Constants["a"] = bad[1].Key.Constants["a"] / 0.0 * 0 // not a number
	if err := s.PutAll(bad); err == nil {
		t.Error("a key that is not a number is stored")
	}
	mustGet(t, s, bad[0])
	mustGet(t, s, bad[2])
}

// TestPackConflict: a result that contradicts one in a pack is kept with it, whoever
// stores it and in whatever way.
func TestPackConflict(t *testing.T) {
	other := someRuns(3, 3)[0]
	other.Result.Throughput = -1
	ways := map[string]func(s *Store) error{
		"alone":   func(s *Store) error { return s.Put(other.Key, other.Result) },
		"in pack": func(s *Store) error { return s.PutAll(append(someRuns(20, 30), other)) },
	}
	for name, put := range ways {
		t.Run(name, func(t *testing.T) {
			s := mustOpen(t, t.TempDir())
			mustPutAll(t, s, someRuns(1, 10))
			var conflict *ConflictError
			if err := put(s); !errors.As(err, &conflict) || len(conflict.Files) != 2 {
				t.Fatalf("got %v", err)
			}
			for i, want := range []StoredRun{someRuns(3, 3)[0], other} {
				if data, err := os.ReadFile(conflict.Files[i]); err != nil || !bytes.Equal(data, mustRecord(t, want.Key, want.Result)) {
					t.Errorf("%s is not result %d; %v", conflict.Files[i], i+1, err)
				}
			}
			for _, s := range []*Store{s, mustOpen(t, s.Dir())} {
				if _, ok, err := s.Get(other.Key); ok || err != nil {
					t.Errorf("a run in doubt counts: %v, %v", ok, err)
				}
				for _, r := range append(someRuns(1, 2), someRuns(4, 10)...) {
					mustGet(t, s, r)
				}
			}
			if name == "in pack" {
				mustGet(t, s, someRuns(25, 25)[0])
			}
			// Following the advice helps.
			for _, file := range conflict.Files {
				os.Remove(file)
			}
			again := mustOpen(t, s.Dir())
			if err := again.Put(other.Key, other.Result); err != nil {
				t.Error(err)
			}
			mustGet(t, again, other)
		})
	}
}

// TestPacksContradict: two processes stored a run at the same time, as packs, and
// neither saw the other's.
func TestPacksContradict(t *testing.T) {
	a, b := mustOpen(t, t.TempDir()), mustOpen(t, t.TempDir())
	mustPutAll(t, a, someRuns(1, 10))
	runs := someRuns(5, 20)
	runs[0].Result.Throughput = -1
	mustPutAll(t, b, runs)
	pack := packsOf(t, b, 1)[0]
	data, err := os.ReadFile(pack)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(a.Dir(), packsDir, filepath.Base(pack)), data, 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := OpenReadOnly(a.Dir())
	if err != nil {
		t.Fatal(err)
	}
	problems := 0
	if err := s.Inspect("1", func(f File) error {
		if f.Problem != "" {
			problems++
		}
		return nil
	}); err != nil || problems != 2 {
		t.Errorf("%d problems, %v", problems, err)
	}
	if _, ok, err := s.Get(runs[0].Key); ok || err != nil || len(s.Warnings()) != 1 || !strings.Contains(s.Warnings()[0], filepath.Base(pack)) {
		t.Errorf("a run in doubt counts: %v, %v, warnings %q", ok, err, s.Warnings())
	}
	mustGet(t, s, runs[1])
	w := mustOpen(t, a.Dir())
	var conflict *ConflictError
	if err := w.Put(runs[0].Key, runs[0].Result); !errors.As(err, &conflict) || len(conflict.Files) != 2 {
		t.Errorf("stored again: %v", err)
	}
	packsOf(t, w, 0) // each run has a file now
	for _, r := range append(someRuns(1, 4), someRuns(6, 20)...) {
		mustGet(t, w, r)
	}
}

// TestPackDamaged: one bad line costs one run.
func TestPackDamaged(t *testing.T) {
	s := mustOpen(t, t.TempDir())
	mustPutAll(t, s, someRuns(1, 10))
	pack := packsOf(t, s, 1)[0]
	data, _ := os.ReadFile(pack)
	data = bytes.Replace(data, []byte(`"Throughput":7,`), []byte(`"Throughput":8,`), 1)
	if err := os.WriteFile(pack, data, 0o644); err != nil {
		t.Fatal(err)
	}
	seven := someRuns(7, 7)[0]
	for _, s := range []*Store{s, mustOpen(t, s.Dir())} {
		if _, ok, err := s.Get(seven.Key); ok || err != nil {
			t.Errorf("a damaged run counts: %v, %v", ok, err)
		}
		mustGet(t, s, someRuns(8, 8)[0])
	}
	bad := ""
	if err := s.Inspect("1", func(f File) error {
		if f.Problem != "" {
			bad += f.Problem
			if f.Path != pack || f.Line != 7 {
				t.Errorf("%s:%d is bad", f.Path, f.Line)
			}
		}
		return nil
	}); err != nil || !strings.Contains(bad, "checksum") {
		t.Errorf("problem %q, %v", bad, err)
	}
	if err := s.Put(seven.Key, seven.Result); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*Store{s, mustOpen(t, s.Dir())} {
		for _, r := range someRuns(1, 10) {
			mustGet(t, s, r)
		}
	}
}

// TestPackGarbage: a pack stays while any of its runs does.
func TestPackGarbage(t *testing.T) {
	s := mustOpen(t, t.TempDir())
	old := someRuns(1, 10)
	for i := range old {
		old[i].Key.ModelVersion = "0"
	}
	mustPutAll(t, s, old)
	mustPutAll(t, s, append(someRuns(11, 20), StoredRun{Key: func() Key { k := testKey(21); k.ModelVersion = "0"; return k }(), Result: testResult(1)}))
	g := Garbage{ModelVersion: "1"}
	n := make(map[string]int)
	for _, remove := range []bool{false, true} {
		clear(n)
		if err := s.Collect(&g, func(string) bool { return true }, remove, func(_ File, why string) error { n[why]++; return nil }); err != nil {
			t.Fatal(err)
		}
		if n[ReasonVersion] != 10 || n[""] != 11 {
			t.Errorf("%v", n)
		}
	}
	packsOf(t, s, 1)
	for _, s := range []*Store{s, mustOpen(t, s.Dir())} {
		if _, ok, err := s.Get(old[0].Key); ok || err != nil {
			t.Errorf("a removed run: %v, %v", ok, err)
		}
		mustGet(t, s, someRuns(11, 11)[0])
	}
}

// TestWriter has runs end faster than they can be stored.
func TestWriter(t *testing.T) {
	s := mustOpen(t, t.TempDir())
	var mu sync.Mutex
	done := make(map[uint64]int)
	w := newWriter(s, func(j Job, err error) {
		if err != nil {
			t.Error(err)
		}
		mu.Lock()
		done[j.Seed]++
		mu.Unlock()
	})
	const n = 5000
	for seed := range uint64(n) {
		w.put(Job{Key: testKey(seed)}, testResult(float64(seed)))
	}
	w.wait()
	got := 0
	if err := mustOpen(t, s.Dir()).Each(count(&got)); err != nil || got != n || len(done) != n {
		t.Errorf("%d runs stored, %d done, %v", got, len(done), err)
	}
	packs, _ := filepath.Glob(filepath.Join(s.Dir(), packsDir, "*"))
	files, _ := filepath.Glob(filepath.Join(s.Dir(), "??", "*"))
	if len(packs) == 0 || len(files) == 0 || len(packs)*packAtLeast > n {
		t.Errorf("%d packs and %d files", len(packs), len(files))
	}
}
