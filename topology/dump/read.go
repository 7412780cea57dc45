package dump

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/schedlab/schedlab/internal/input"
)

// Limits of an input. The lstopo XML of a machine with 2048 CPUs has 5 MB, and
// an archive of its sysfs unpacks to less than 100 MB. /proc/cpuinfo of 8192 CPUs
// has 230 000 lines.
const (
	maxInput    = 16 << 20  // bytes of a text, or of a packed archive
	maxItems    = 1 << 20   // lines of a text
	maxValues   = 1 << 18   // values of JSON
	maxXML      = 1 << 17   // elements of XML
	maxUnpacked = 256 << 20 // bytes of an unpacked archive
	maxKept     = 32 << 20  // bytes of the files in it that are used
	maxEntries  = 2_000_000 // files in an archive
	maxSysFile  = 64 << 10  // bytes of a file in sysfs
	maxCPUInfo  = 16 << 20  // bytes of /proc/cpuinfo
)

// Read reads one input. The name is for messages only: the format is told by
// the content.
//
// The error says what is wrong, as "file:line: text" or, in an archive or
// directory, "file:path: text". The Facts are complete and consistent if there
// is none.
func Read(name string, data []byte) (*Facts, error) {
	if len(data) > maxInput {
		return nil, fmt.Errorf("%s:1: the input has %d bytes, give one below %d", name, len(data), maxInput)
	}
	if isArchive(data) {
		t, err := readArchive(name, bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		return readTree(name, t)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	switch trimmed := bytes.TrimLeft(data, " \t\r\n"); {
	case len(trimmed) == 0:
		return nil, fmt.Errorf("%s:1: the file is empty, give the output of a tool", name)
	case trimmed[0] == '<':
		return readHwloc(name, data)
	case trimmed[0] == '{':
		return readLscpuJSON(name, data)
	}
	return readText(name, data)
}

// ReadPath reads a file, or the directory of a sysfs tree: one that contains
// sys/devices/system/cpu, or devices/system/cpu, or is the cpu directory
// itself. Symbolic links are followed inside the directory only.
func ReadPath(path string) (*Facts, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%w, give a file or directory that exists", err)
	}
	if info.IsDir() {
		root, err := os.OpenRoot(path)
		if err != nil {
			return nil, err
		}
		defer root.Close()
		return ReadFS(path, root.FS())
	}
	if info.Size() > maxInput {
		return nil, fmt.Errorf("%s:1: the input has %d bytes, give one below %d", path, info.Size(), maxInput)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return ReadFrom(path, file)
}

// ReadFrom reads one input from r, see Read.
func ReadFrom(name string, r io.Reader) (*Facts, error) {
	data, err := input.All(r, name, maxInput)
	if err != nil {
		return nil, err
	}
	return Read(name, data)
}
