package dump

import (
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// tree is where the files of sysfs are. Names are slash-separated and have no
// leading slash.
type tree interface {
	// read returns the content of a file, nil if there is none, and an error
	// if it is too large.
	read(name string, limit int) ([]byte, error)
	// list returns the sorted names in a directory, nil if there is none.
	list(name string) []string
}

// memTree is a tree in memory, from an archive.
type memTree struct {
	files map[string][]byte
	links map[string]string
	dirs  map[string][]string
}

func newMemTree() *memTree {
	return &memTree{make(map[string][]byte), make(map[string]string), make(map[string][]string)}
}

// index builds the directories from the names of files and links.
func (t *memTree) index() {
	seen := make(map[string]bool)
	add := func(name string) {
		for name != "." && !seen[name] {
			seen[name] = true
			dir, base := path.Split(name)
			dir = path.Clean(dir)
			t.dirs[dir] = append(t.dirs[dir], base)
			name = dir
		}
	}
	for name := range t.files {
		add(name)
	}
	for name := range t.links {
		add(name)
	}
	for _, names := range t.dirs {
		slices.Sort(names)
	}
}

// maxLinks bounds the symbolic links on a path, as the kernel does.
const maxLinks = 40

// resolve follows symbolic links. A link that leaves the tree leads nowhere.
func (t *memTree) resolve(name string) string {
	for range maxLinks {
		if _, ok := t.files[name]; ok || t.dirs[name] != nil {
			return name
		}
		followed := false
		parts := strings.Split(name, "/")
		for i := range parts {
			prefix := strings.Join(parts[:i+1], "/")
			target, ok := t.links[prefix]
			if !ok {
				continue
			}
			if path.IsAbs(target) {
				return ""
			}
			name = path.Join(path.Dir(prefix), target, strings.Join(parts[i+1:], "/"))
			if strings.HasPrefix(name, "../") || len(name) > 4096 {
				return ""
			}
			followed = true
			break
		}
		if !followed {
			return ""
		}
	}
	return ""
}

func (t *memTree) read(name string, _ int) ([]byte, error) {
	return t.files[t.resolve(name)], nil // limits were kept on unpacking
}

func (t *memTree) list(name string) []string { return t.dirs[t.resolve(name)] }

// fsTree is a tree in a file system.
type fsTree struct {
	name string
	fsys fs.FS
}

func (t fsTree) read(name string, limit int) ([]byte, error) {
	file, err := t.fsys.Open(name)
	if err != nil {
		return nil, nil // sysfs has different files on every machine
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, nil
	}
	data, err := io.ReadAll(io.LimitReader(file, int64(limit)+1))
	if err != nil {
		// Some files of sysfs cannot be read while a CPU is offline.
		return nil, nil
	}
	if len(data) > limit {
		return nil, fmt.Errorf("%s:%s: the file has more than %d bytes, more than the kernel ever writes", t.name, name, limit)
	}
	return data, nil
}

func (t fsTree) list(name string) []string {
	entries, err := fs.ReadDir(t.fsys, name)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
