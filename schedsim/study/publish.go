package study

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// The names of files in a store. Files of killed writers keep their temporary
// name: nobody reads them, and gc removes them.
const (
	runSuffix  = ".json"
	tempPrefix = ".tmp-"
)

// publish writes a file that is on disk, whole, before it has its name. It never
// replaces one: if there is a file of that name the error is fs.ErrExist. On any
// error there is no trace of the new one.
//
// A hard link is the operation for that: unlike a rename it fails if the name is
// taken, and unlike a lock it means the same on every network file system.
func publish(path string, data []byte) error {
	dir := filepath.Dir(path)
	temp, err := writeTemp(dir, data)
	if err != nil {
		return err
	}
	err = os.Link(temp, path)
	if err != nil && !errors.Is(err, fs.ErrExist) && noLinks(err) {
		return errors.Join(renameTo(temp, path), syncDir(dir))
	}
	if err != nil && sameFile(temp, path) {
		err = nil // NFS: it was done, but the answer was lost and the call repeated
	}
	if rm := os.Remove(temp); err == nil && rm != nil && !errors.Is(rm, fs.ErrNotExist) {
		return rm
	}
	if err != nil {
		return err
	}
	return syncDir(dir)
}

// noLinks reports whether the file system has no hard links.
func noLinks(err error) bool {
	for _, no := range []error{syscall.EPERM, syscall.ENOSYS, syscall.EOPNOTSUPP, syscall.EMLINK} {
		if errors.Is(err, no) {
			return true
		}
	}
	return false
}

// renameTo is the second best way: of two processes that store one run in the same
// instant one may replace the other's file, with the same bytes unless the model
// is not deterministic.
func renameTo(temp, path string) error {
	_, err := os.Lstat(path)
	switch {
	case err == nil:
		err = fs.ErrExist
	case errors.Is(err, fs.ErrNotExist):
		err = os.Rename(temp, path)
	}
	if err != nil {
		os.Remove(temp)
	}
	return err
}

func sameFile(a, b string) bool {
	one, err1 := os.Stat(a)
	two, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(one, two)
}

// writeTemp writes a temporary file that is on disk when it returns, but not its
// name. On an error there is none.
func writeTemp(dir string, data []byte) (name string, err error) {
	f, err := os.CreateTemp(dir, tempPrefix+"*")
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	err = firstError(err, f.Chmod(0o644)) // CreateTemp's are for the user alone
	err = firstError(err, f.Sync())
	err = firstError(err, f.Close())
	if err != nil {
		os.Remove(f.Name())
		return "", err
	}
	return f.Name(), nil
}

func firstError(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// syncDir brings the names of a directory to disk.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil // the file system does not know such a thing
	}
	return firstError(err, f.Close())
}

// makeDir makes a directory in one that is there, and brings its name to disk.
func makeDir(dir string) error {
	err := os.Mkdir(dir, 0o777)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncDir(filepath.Dir(dir))
}

// makeDirs makes a directory with those above it.
func makeDirs(dir string) error {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		return &fs.PathError{Op: "mkdir", Path: dir, Err: syscall.ENOTDIR}
	}
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := makeDirs(filepath.Dir(dir)); err != nil {
		return err
	}
	return makeDir(dir)
}

// isTemp reports whether a name is that of a file that was being written, by this
// program or by earlier ones, which put it beside the run's.
func isTemp(name string) bool {
	if strings.HasPrefix(name, tempPrefix) || strings.HasPrefix(name, ".probe-") {
		return true
	}
	// ".HASH.json12345"
	hash, rest, ok := strings.Cut(strings.TrimPrefix(name, "."), runSuffix)
	return ok && strings.HasPrefix(name, ".") && isHash(hash) && rest != ""
}
