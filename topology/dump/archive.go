package dump

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// isArchive tells a compressed or plain tar archive from its first bytes.
func isArchive(data []byte) bool {
	return bytes.HasPrefix(data, []byte{0x1f, 0x8b}) || bytes.HasPrefix(data, []byte("BZh")) ||
		len(data) >= 262 && string(data[257:262]) == "ustar"
}

// errTooLarge is what reading more than maxUnpacked bytes gives.
var errTooLarge = fmt.Errorf("it unpacks to more than %d MiB", maxUnpacked>>20)

// cappedReader stops a small archive from unpacking to a huge one.
type cappedReader struct {
	r    io.Reader
	left int64
}

func (c *cappedReader) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, errTooLarge
	}
	if int64(len(p)) > c.left {
		p = p[:c.left]
	}
	n, err := c.r.Read(p)
	c.left -= int64(n)
	return n, err
}

// readArchive keeps the files of a tar archive that matter, in memory.
func readArchive(name string, r io.Reader) (tree, error) {
	fail := func(entry string, err error) error {
		what := name
		if entry != "" {
			what += ":" + entry
		}
		switch {
		case errors.Is(err, errTooLarge):
			return fmt.Errorf("%s: %w, give an archive of sys/devices/system and proc/cpuinfo only", what, err)
		case errors.Is(err, io.ErrUnexpectedEOF):
			return fmt.Errorf("%s: the archive is cut off, copy it again", what)
		}
		return fmt.Errorf("%s: the archive is damaged (%w), pack it again", what, err)
	}
	unpacked, err := decompress(bufio.NewReader(r))
	if err != nil {
		return nil, fail("", err)
	}
	t := newMemTree()
	tr := tar.NewReader(&cappedReader{unpacked, maxUnpacked})
	tooMuch := fmt.Errorf("%s: the files of sysfs have more than %d MiB together, this is no archive of one machine", name, maxKept>>20)
	kept, last := 0, ""
	for n := 0; ; n++ {
		h, err := tr.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fail(last, err)
		}
		if n > maxEntries {
			return nil, fmt.Errorf("%s: the archive has more than %d files, pack sys/devices/system and proc/cpuinfo only", name, maxEntries)
		}
		last = path.Clean("/" + h.Name)[1:]
		switch h.Typeflag {
		case tar.TypeSymlink:
			if kept += len(last) + len(h.Linkname); kept > maxKept {
				return nil, tooMuch
			}
			t.links[last] = h.Linkname
		case tar.TypeReg:
			limit := sizeLimit(last)
			if limit == 0 {
				continue
			}
			if h.Size > int64(limit) {
				return nil, fmt.Errorf("%s:%s: the file has %d bytes, more than the kernel ever writes", name, last, h.Size)
			}
			data, err := io.ReadAll(tr)
			if err != nil {
				return nil, fail(last, err)
			}
			if kept += len(data) + len(last); kept > maxKept {
				return nil, tooMuch
			}
			t.files[last] = data
		}
	}
	if last == "" {
		return nil, fmt.Errorf("%s: the archive is empty, pack sys/devices/system and proc/cpuinfo", name)
	}
	t.index()
	return t, nil
}

// sizeLimit returns how many bytes a file in the archive may have, 0 if it is
// of no use.
func sizeLimit(name string) int {
	switch {
	case strings.HasSuffix("/"+name, "/proc/cpuinfo"):
		return maxCPUInfo
	case strings.Contains("/"+name, "/devices/system/cpu/"), strings.Contains("/"+name, "/devices/system/node/"),
		strings.Contains(name, "/devices/cpu_") && path.Base(name) == "cpus":
		return maxSysFile
	}
	return 0
}

func decompress(r *bufio.Reader) (io.Reader, error) {
	magic, _ := r.Peek(3)
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		return gzip.NewReader(r)
	case bytes.HasPrefix(magic, []byte("BZh")):
		return bzip2.NewReader(r), nil
	}
	return r, nil
}
