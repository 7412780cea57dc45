package study

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

func testKey(seed uint64) Key {
	return Key{
		ModelVersion: "1", Study: "s", Machine: "m", MachineHash: "abc", Kernel: "v5.10", Patches: []string{"p"}, Workload: "w",
		Constants: map[string]float64{"b": 2.5, "a": 1}, Row: "64", Arm: ArmBase, Seed: seed,
		Warmup: time.Second, Measure: 2 * time.Second,
	}
}

func testResult(throughput float64) schedsim.Result {
	return schedsim.Result{
		Throughput: throughput, Unit: "MB/sec", MeasuredNS: 5, SocketShare: 0.5, TraceHash: math.MaxUint64,
		Counters: schedsim.Counters{Wakeups: 7},
	}
}

func mustOpen(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// recordFile is the only file of a store.
func recordFile(t *testing.T, s *Store) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(s.Dir(), "??", "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %q, %v", files, err)
	}
	return files[0]
}

func TestStore(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "new", "store"))
	k, r := testKey(math.MaxUint64), testResult(1234.5678)
	if _, ok, err := s.Get(k); ok || err != nil {
		t.Fatalf("empty store: %v, %v", ok, err)
	}
	for range 2 { // the second finds its own file
		if err := s.Put(k, r); err != nil {
			t.Fatal(err)
		}
	}
	again := mustOpen(t, s.Dir())
	got, ok, err := again.Get(k)
	if !ok || err != nil || !reflect.DeepEqual(got, r) {
		t.Errorf("got %+v, %v, %v", got, ok, err)
	}
	if _, ok, _ := again.Get(testKey(1)); ok {
		t.Error("another seed is found")
	}
	hash, _ := k.Hash()
	if want := filepath.Join(s.Dir(), hash[:2], hash+".json"); recordFile(t, s) != want {
		t.Errorf("file %s, want %s", recordFile(t, s), want)
	}
	n := 0
	err = again.Each(func(got StoredRun) error {
		n++
		if hash, _ := k.Hash(); !reflect.DeepEqual(got, StoredRun{hash, k, r}) {
			t.Errorf("iterates over %+v", got)
		}
		return nil
	})
	if n != 1 || err != nil || len(again.Warnings()) != 0 {
		t.Errorf("%d runs, %v, warnings %q", n, err, again.Warnings())
	}
}

// TestKeyHash changes each field of the key in turn.
func TestKeyHash(t *testing.T) {
	seen := make(map[string]string)
	add := func(name string, k Key) {
		hash, err := k.Hash()
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := seen[hash]; ok {
			t.Errorf("%s and %s have one hash", name, other)
		}
		seen[hash] = name
	}
	add("unchanged", testKey(1))
	for i := range reflect.TypeFor[Key]().NumField() {
		k := testKey(1)
		f := reflect.ValueOf(&k).Elem().Field(i)
		switch f.Kind() {
		case reflect.String:
			f.SetString(f.String() + "x")
		case reflect.Uint64:
			f.SetUint(f.Uint() + 1)
		case reflect.Int64:
			f.SetInt(f.Int() + 1)
		case reflect.Bool:
			f.SetBool(!f.Bool())
		case reflect.Slice:
			f.Set(reflect.ValueOf([]string{"x"}))
		case reflect.Map:
			if f.Type() == reflect.TypeFor[map[string]string]() {
				f.Set(reflect.ValueOf(map[string]string{"a": "b"}))
			} else {
				f.Set(reflect.ValueOf(map[string]float64{"a": math.Nextafter(1, 2), "b": 2.5}))
			}
		default:
			t.Fatalf("field %d is of a kind that this test does not change", i)
		}
		add(reflect.TypeFor[Key]().Field(i).Name, k)
	}
	bad := testKey(1)
	bad.Constants["a"] = math.NaN()
	if _, err := bad.Hash(); err == nil {
		t.Error("NaN constant has a hash")
	}
}

func TestStoreIgnoresBadFiles(t *testing.T) {
	tests := []struct {
		name   string
		damage func(data []byte) []byte
		want   string
	}{
		{"cut short", func(d []byte) []byte { return d[:len(d)/2] }, "cut short"},
		{"empty", func([]byte) []byte { return nil }, "cut short"},
		{"result edited", func(d []byte) []byte { return bytes.Replace(d, []byte("1234.5678"), []byte("1334.5678"), 1) }, "checksum"},
		{"key edited", func(d []byte) []byte { return bytes.Replace(d, []byte(`"row":"64"`), []byte(`"row":"32"`), 1) }, "checksum"},
		{"trailing text", func(d []byte) []byte { return append(d, "{}"...) }, "not a stored run"},
		{"no checksum", func(d []byte) []byte {
			return regexp.MustCompile(`"sha256":"[0-9a-f]*"`).ReplaceAll(d, []byte(`"sha256":""`))
		}, "no checksum"},
		{"other JSON", func([]byte) []byte { return []byte("{}") }, "format 0"},
		{"of another key", func([]byte) []byte { return mustRecord(t, testKey(2), testResult(1)) }, "another run"},
		{"other counters", func([]byte) []byte {
			key, _ := testKey(1).text()
			result := []byte(`{"Throughput":1,"Unit":"MB/sec"}`)
			return fmt.Appendf(nil, `{"format":1,"sha256":"%s","key":%s,"result":%s}`, checksum(key, result), key, result)
		}, "other fields"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := mustOpen(t, t.TempDir())
			k, r := testKey(1), testResult(1234.5678)
			if err := s.Put(k, r); err != nil {
				t.Fatal(err)
			}
			path := recordFile(t, s)
			data, _ := os.ReadFile(path)
			if err := os.WriteFile(path, tt.damage(data), 0o644); err != nil {
				t.Fatal(err)
			}
			for range 2 { // the warning is there once
				if _, ok, err := s.Get(k); ok || err != nil {
					t.Fatalf("got a run: %v, %v", ok, err)
				}
			}
			w := s.Warnings()
			if len(w) != 1 || !strings.Contains(w[0], path) || !strings.Contains(w[0], tt.want) {
				t.Errorf("warnings %q, want one with %q", w, tt.want)
			}
			if err := s.Each(func(StoredRun) error { return errors.New("visited") }); err != nil {
				t.Error(err)
			}
			if err := s.Put(k, r); err != nil {
				t.Fatal(err)
			}
			if got, ok, _ := s.Get(k); !ok || got.Throughput != r.Throughput {
				t.Error("not replaced")
			}
			aside, _ := filepath.Glob(filepath.Join(s.Dir(), asideDir, "*"))
			if len(aside) != 1 {
				t.Fatalf("put aside: %q", aside)
			}
			if kept, _ := os.ReadFile(aside[0]); !bytes.Equal(kept, tt.damage(data)) {
				t.Error("what was put aside is not what was there")
			}
		})
	}
}

func mustRecord(t *testing.T, k Key, r schedsim.Result) []byte {
	t.Helper()
	key, err := k.text()
	if err != nil {
		t.Fatal(err)
	}
	data, err := encodeRecord(key, r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestStoreConflict: two results of one key are both kept, named, and none counts.
func TestStoreConflict(t *testing.T) {
	s := mustOpen(t, t.TempDir())
	k := testKey(1)
	if err := s.Put(k, testResult(1)); err != nil {
		t.Fatal(err)
	}
	first := recordFile(t, s)
	var conflict *ConflictError
	if err := s.Put(k, testResult(2)); !errors.As(err, &conflict) || len(conflict.Files) != 2 {
		t.Fatalf("got %v", err)
	}
	if conflict.Files[0] != first || !strings.Contains(conflict.Error(), conflict.Files[1]) || !strings.Contains(conflict.Error(), k.String()) {
		t.Errorf("error %q", conflict)
	}
	for i, file := range conflict.Files {
		data, err := os.ReadFile(file)
		if err != nil || !bytes.Equal(data, mustRecord(t, k, testResult(float64(i+1)))) {
			t.Errorf("%s is not result %d; %v", file, i+1, err)
		}
	}
	for _, s := range []*Store{s, mustOpen(t, s.Dir())} {
		if _, ok, err := s.Get(k); ok || err != nil {
			t.Errorf("a result that is in doubt counts: %v, %v", ok, err)
		}
		if err := s.Each(func(StoredRun) error { return errors.New("visited") }); err != nil {
			t.Error(err)
		}
		if w := s.Warnings(); len(w) != 1 || !strings.Contains(w[0], conflict.Files[1]) {
			t.Errorf("warnings %q", w)
		}
		// Whatever comes out when it is run again is no majority vote.
		for _, v := range []float64{1, 2} {
			if err := s.Put(k, testResult(v)); !errors.As(err, &conflict) || len(conflict.Files) != 2 {
				t.Errorf("result %g again: %v", v, err)
			}
		}
	}
	if err := s.Put(k, testResult(3)); !errors.As(err, &conflict) || len(conflict.Files) != 3 {
		t.Errorf("a third result: %v", err)
	}
	for _, file := range conflict.Files {
		if err := os.Remove(file); err != nil {
			t.Error(err)
		}
	}
	s = mustOpen(t, s.Dir())
	if err := s.Put(k, testResult(2)); err != nil {
		t.Errorf("with the files removed: %v", err)
	}
	if r, ok, err := s.Get(k); !ok || err != nil || r.Throughput != 2 {
		t.Errorf("with the files removed: %v, %v, %v", r.Throughput, ok, err)
	}
}

// TestStoreNewer: what a later program wrote is neither used nor replaced.
func TestStoreNewer(t *testing.T) {
	s := mustOpen(t, t.TempDir())
	k := testKey(1)
	if err := s.Put(k, testResult(1)); err != nil {
		t.Fatal(err)
	}
	path := recordFile(t, s)
	data, _ := os.ReadFile(path)
	data = bytes.Replace(data, []byte(`"format":1`), []byte(`"format":2`), 1)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	_, _, get := s.Get(k)
	for name, err := range map[string]error{
		"Get":  get,
		"Put":  s.Put(k, testResult(1)),
		"Each": s.Each(func(StoredRun) error { return nil }),
	} {
		if err == nil || !strings.Contains(err.Error(), path+": it has format 2 and this program reads up to 1") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if now, _ := os.ReadFile(path); !bytes.Equal(now, data) {
		t.Error("the file was replaced")
	}

	marker := filepath.Join(s.Dir(), formatFile)
	for text, want := range map[string]string{"1\n": "", "2\n": "format 2", "x": "not the number of a format"} {
		if err := os.WriteFile(marker, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err1 := Open(s.Dir())
		_, err2 := OpenReadOnly(s.Dir())
		for _, err := range []error{err1, err2} {
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("FORMAT %q: %v", text, err)
			}
		}
	}
}

// TestStoreReplaced: a store whose directory went away is not begun anew in what is
// there instead.
func TestStoreReplaced(t *testing.T) {
	for _, replaced := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "store")
		s := mustOpen(t, dir)
		if err := s.Put(testKey(1), testResult(1)); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(dir, dir+"-gone"); err != nil {
			t.Fatal(err)
		}
		want := "no such file"
		if replaced {
			want = "replaced"
			if err := os.Mkdir(dir, 0o777); err != nil {
				t.Fatal(err)
			}
		}
		_, _, get := s.Get(testKey(1))
		for name, err := range map[string]error{"Get": get, "Put": s.Put(testKey(2), testResult(1))} {
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), dir) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if entries, _ := os.ReadDir(dir); len(entries) > 0 {
			t.Errorf("%d entries written", len(entries))
		}
		if err := os.Remove(dir); replaced && err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(dir+"-gone", dir); err != nil {
			t.Fatal(err)
		}
		if _, ok, err := s.Get(testKey(1)); !ok || err != nil {
			t.Errorf("it is back: %v, %v", ok, err)
		}
	}
}

func TestStoreUnwritable(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, filepath.Join(file, "store")} {
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "name another directory with --store") {
			t.Errorf("Open(%s): %v", path, err)
		}
	}
	if _, err := OpenReadOnly(file); err == nil || !strings.Contains(err.Error(), "not a directory") {
		t.Errorf("OpenReadOnly(file): %v", err)
	}
	// The directory of the run's file cannot be made: nothing is left behind.
	s := mustOpen(t, filepath.Join(dir, "store"))
	hash, _ := testKey(1).Hash()
	if err := os.WriteFile(filepath.Join(s.Dir(), hash[:2]), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := s.Put(testKey(1), testResult(1)); err == nil || !strings.Contains(err.Error(), s.Dir()) {
		t.Errorf("Put: %v", err)
	}
	entries, _ := os.ReadDir(s.Dir())
	if len(entries) != 1 {
		t.Errorf("%d entries left", len(entries))
	}
}

func TestStoreReadOnly(t *testing.T) {
	dir := t.TempDir()
	if _, err := OpenReadOnly(filepath.Join(dir, "none")); !errors.Is(err, ErrNoStore) {
		t.Errorf("no directory: %v", err)
	}
	if err := mustOpen(t, dir).Put(testKey(1), testResult(1)); err != nil {
		t.Fatal(err)
	}
	s, err := OpenReadOnly(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok, err := s.Get(testKey(1)); !ok || err != nil {
		t.Errorf("Get: %v, %v", ok, err)
	}
	if err := s.Put(testKey(2), testResult(1)); err == nil {
		t.Error("Put into a store that was opened for reading")
	}
}

func TestStoreBadResult(t *testing.T) {
	s := mustOpen(t, t.TempDir())
	if err := s.Put(testKey(1), testResult(math.Inf(1))); err == nil {
		t.Error("an infinite result is stored")
	}
}

// TestStoreConcurrent has several stores on one directory, as several processes
// would, put and get the same runs.
func TestStoreConcurrent(t *testing.T) {
	dir := t.TempDir()
	const stores, runs = 4, 20
	var wg sync.WaitGroup
	for range stores {
		s := mustOpen(t, dir)
		wg.Go(func() {
			for i := range runs {
				k := testKey(uint64(i))
				if err := s.Put(k, testResult(float64(i+1))); err != nil {
					t.Error(err)
				}
				if r, ok, err := s.Get(k); !ok || err != nil || r.Throughput != float64(i+1) {
					t.Errorf("run %d: %v, %v, %v", i, r.Throughput, ok, err)
				}
			}
			if w := s.Warnings(); len(w) > 0 {
				t.Errorf("warnings %q", w)
			}
		})
	}
	wg.Wait()
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*"))
	hidden, _ := filepath.Glob(filepath.Join(dir, "*", ".*"))
	if len(files) != runs || len(hidden) != 0 {
		t.Errorf("%d files and %d temporary ones, want %d", len(files), len(hidden), runs)
	}
}

func FuzzRecord(f *testing.F) {
	key, err := testKey(1).text()
	if err != nil {
		f.Fatal(err)
	}
	data, err := encodeRecord(key, testResult(1))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(bytes.ReplaceAll(data, []byte(":"), []byte(" : ")))
	f.Add([]byte(`{"format":1}`))
	for _, result := range []string{
		`{"Throughput":1e400}`, `{"Throughput":-0,"Unit":"\u003c,\"result\":{"}`, `{"Metrics":[{"Name":"\ud800"}]}`, `{"result":{}}`, `[[[[`,
	} {
		sum := checksum([]byte(`{"result":{}}`), []byte(result))
		f.Add(fmt.Appendf(nil, `{"format":1,"sha256":"%s","key":{"result":{}},"result":%s}`+"\n", sum, result))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		key, r, err := decodeRecord(data)
		if err != nil {
			return
		}
		var slow record
		var plain schedsim.Result
		if err := errors.Join(json.Unmarshal(data, &slow), json.Unmarshal(slow.Result, &plain)); err != nil || !reflect.DeepEqual(r, plain) || !bytes.Equal(key, slow.Key) {
			t.Errorf("the fast parser reads %+v, the standard one %+v, %v", r, plain, err)
		}
		again, err := encodeRecord(key, r)
		if err != nil {
			t.Fatal(err)
		}
		if _, r2, err := decodeRecord(again); err != nil || !reflect.DeepEqual(r, r2) {
			t.Errorf("%+v is read back as %+v, %v", r, r2, err)
		}
	})
}
