package study

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// smallDisk is a file system of its own; the test is skipped where none can be
// mounted.
func smallDisk(t *testing.T, options string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, options); err != nil {
		t.Skipf("mounting a tmpfs: %v; it takes root", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func TestFullDisk(t *testing.T) {
	for name, options := range map[string]string{"no blocks": "size=600k", "no inodes": "nr_inodes=150"} {
		t.Run(name, func(t *testing.T) {
			disk := smallDisk(t, options)
			dir := filepath.Join(disk, "store")
			err := cheapSweep(t, dir, nil)
			if err == nil || !strings.Contains(err.Error(), "store "+dir+": no space left on device; make it writable and free some space") {
				t.Fatalf("got %v", err)
			}
			kept, temp := sound(t, dir)
			if kept < 10 || kept == cheapRuns || temp != 0 {
				t.Errorf("%d runs kept, %d temporary files", kept, temp)
			}
			if err := syscall.Mount("none", disk, "tmpfs", syscall.MS_REMOUNT, "size=100m,nr_inodes=10000"); err != nil {
				t.Fatal(err)
			}
			fresh := 0
			err = cheapSweep(t, dir, func(p Progress) {
				if !p.FromStore {
					fresh++
				}
			})
			if err != nil || fresh != cheapRuns-kept {
				t.Errorf("with space again: %d runs were run, want %d; %v", fresh, cheapRuns-kept, err)
			}
			sameTree(t, "with space again", undisturbed(t), readTree(t, dir))
		})
	}
}

// TestReadOnlyDisk has the disk become read-only under a sweep, as Linux does after an
// I/O error.
func TestReadOnlyDisk(t *testing.T) {
	disk := smallDisk(t, "size=100m")
	dir := filepath.Join(disk, "store")
	err := cheapSweep(t, dir, func(p Progress) {
		if p.Done != 100 {
			return
		}
		// While a file is open for writing the answer is "busy".
		for syscall.Mount("none", disk, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, "") != nil {
			time.Sleep(10 * time.Microsecond)
		}
	})
	if err == nil || !strings.Contains(err.Error(), "store "+dir+": read-only file system; make it writable") {
		t.Fatalf("got %v", err)
	}
	if kept, _ := sound(t, dir); kept < 100 || kept == cheapRuns {
		t.Errorf("%d runs kept", kept)
	}
	if err := cheapSweep(t, dir, nil); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("a sweep into a read-only store: %v", err)
	}
	s, err := OpenReadOnly(dir)
	if err != nil {
		t.Fatal(err)
	}
	if n := 0; s.Each(count(&n)) != nil || n < 100 {
		t.Errorf("%d runs read", n)
	}
	if err := syscall.Mount("none", disk, "tmpfs", syscall.MS_REMOUNT, "size=100m"); err != nil {
		t.Fatal(err)
	}
	if err := cheapSweep(t, dir, nil); err != nil {
		t.Fatal(err)
	}
	collect(t, dir) // what could not be removed when the disk had become read-only
	sameTree(t, "writable again", undisturbed(t), readTree(t, dir))
}

// TestReadOnlyDirectory: without the permission to write, a store can still be read.
func TestReadOnlyDirectory(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write everywhere; TestReadOnlyDisk has it")
	}
	dir := filepath.Join(t.TempDir(), "store")
	if err := mustOpen(t, dir).Put(testKey(1), testResult(1)); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o777)
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "permission denied; make it writable") {
		t.Errorf("Open: %v", err)
	}
	s, err := OpenReadOnly(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok, err := s.Get(testKey(1)); !ok || err != nil {
		t.Errorf("Get: %v, %v", ok, err)
	}
}

// TestVanishedDirectory takes the store away from a sweep, leaves another directory in
// its place, as a lost mount does, and brings it back.
func TestVanishedDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	err := cheapSweep(t, dir, func(p Progress) {
		if p.Done == 100 {
			if err := errors.Join(os.Rename(dir, dir+"-gone"), os.Mkdir(dir, 0o777)); err != nil {
				t.Error(err)
			}
		}
	})
	if err == nil || !strings.Contains(err.Error(), "store "+dir+": ") {
		t.Fatalf("got %v", err)
	}
	if kept, _ := sound(t, dir+"-gone"); kept < 100 || kept == cheapRuns {
		t.Errorf("%d runs kept", kept)
	}
	// Those that were between the look at the directory and the first write into it.
	if left := readTree(t, dir); len(left) > 4 {
		t.Errorf("%d files written elsewhere", len(left))
	}
	if err := errors.Join(os.RemoveAll(dir), os.Rename(dir+"-gone", dir)); err != nil {
		t.Fatal(err)
	}
	if err := cheapSweep(t, dir, nil); err != nil {
		t.Fatal(err)
	}
	collect(t, dir)
	sameTree(t, "it is back", undisturbed(t), readTree(t, dir))
}
