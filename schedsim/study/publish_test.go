package study

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func TestPublish(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if err := publish(path, []byte("one")); err != nil {
		t.Fatal(err)
	}
	if err := publish(path, []byte("two")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a name that is taken: %v", err)
	}
	if err := publish(filepath.Join(dir, "none", "file"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a directory that is not there: %v", err)
	}
	if got, _ := os.ReadFile(path); string(got) != "one" {
		t.Errorf("the file has %q", got)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o644 {
		t.Errorf("mode %v: other users of a shared store cannot read it", info.Mode())
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("%d entries left", len(entries))
	}
}

// TestPublishOnce has many writers of different contents: one wins, whole, and who
// reads meanwhile sees nothing or that.
func TestPublishOnce(t *testing.T) {
	for round := range 20 {
		path := filepath.Join(t.TempDir(), "file")
		var won atomic.Int64
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				err := publish(path, bytes.Repeat([]byte{byte('a' + i)}, 10000))
				if err == nil {
					won.Add(1)
				} else if !errors.Is(err, fs.ErrExist) {
					t.Error(err)
				}
				data, err := os.ReadFile(path)
				if err != nil || len(data) != 10000 || bytes.Count(data, data[:1]) != 10000 {
					t.Errorf("%d bytes read, %v", len(data), err)
				}
			})
		}
		wg.Wait()
		if won.Load() != 1 {
			t.Fatalf("round %d: %d writers think that the file is theirs", round, won.Load())
		}
	}
}

func TestRenameTo(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	for i, want := range []error{nil, fs.ErrExist} {
		temp, err := writeTemp(dir, fmt.Append(nil, i))
		if err != nil {
			t.Fatal(err)
		}
		if err := renameTo(temp, path); !errors.Is(err, want) {
			t.Errorf("file %d: %v, want %v", i, err, want)
		}
	}
	if got, _ := os.ReadFile(path); string(got) != "0" {
		t.Errorf("the file has %q", got)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("%d entries left", len(entries))
	}
}

// TestPutAsideRace: two processes found a bad file; what the first has stored in its
// place must survive the second's putting it aside.
func TestPutAsideRace(t *testing.T) {
	s := mustOpen(t, t.TempDir())
	k, r := testKey(1), testResult(1)
	if err := s.Put(k, r); err != nil {
		t.Fatal(err)
	}
	path := recordFile(t, s)
	if err := s.putAside(path, []byte("bad, as it was read before")); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := s.Get(k); !ok || err != nil {
		t.Errorf("the good file is gone: %v, %v", ok, err)
	}
	if left, _ := os.ReadDir(filepath.Join(s.Dir(), asideDir)); len(left) != 0 {
		t.Errorf("%d files aside", len(left))
	}
}

func TestIsTemp(t *testing.T) {
	hash := strings.Repeat("0123456789abcdef", 4)
	for name, want := range map[string]bool{
		".tmp-123":                 true,
		".probe-5":                 true,
		"." + hash + ".json876543": true,
		"." + hash + ".json":       false,
		hash + ".json":             false,
		".hidden":                  false,
		"notes.txt":                false,
	} {
		if got := isTemp(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
