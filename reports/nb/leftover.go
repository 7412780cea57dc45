package nb

import (
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// dirPrefix begins the names of the kernels' temporary directories.
const dirPrefix = "schedlab-nb-"

// lockName is the file in a kernel's temporary directory that is locked as long
// as the process lives that made the directory.
const lockName = "lock"

// freshAge is the age from which on a directory without a lock has been left: it
// may be locked a moment after it was made.
const freshAge = time.Minute

// lockDir marks a new directory as in use. The lock goes with the process,
// whatever ends it.
func lockDir(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// removeLeftovers ends and removes what an execution left in temp that was
// killed itself and could not. Those of other users and those that are in use
// stay.
func removeLeftovers(temp string) {
	dirs, err := filepath.Glob(filepath.Join(temp, dirPrefix+"*"))
	if err != nil {
		return
	}
	for _, dir := range dirs {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || time.Since(info.ModTime()) < freshAge {
			continue
		}
		// Without a lock to be had, somebody uses it or it is not ours.
		lock, err := lockDir(dir)
		if err != nil {
			continue
		}
		endStragglers(dir)
		os.RemoveAll(dir)
		lock.Close()
	}
}
