package dump

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// seed adds the files of testdata that match.
func seed(f *testing.F, patterns ...string) {
	for _, pattern := range patterns {
		files, err := filepath.Glob("testdata/" + pattern)
		if err != nil || len(files) == 0 {
			f.Fatal(pattern, err)
		}
		for _, name := range files {
			data, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
}

// readAny reads data and checks what holds for all input: no panic, Facts or an
// error but not both, and Facts that are consistent and merge with themselves.
func readAny(t *testing.T, data []byte) {
	facts, err := Read("in", data)
	if (facts == nil) == (err == nil) {
		t.Fatalf("%v and %v", facts, err)
	}
	if err != nil {
		if !strings.HasPrefix(err.Error(), "in:") {
			t.Errorf("no file in %q", err)
		}
		return
	}
	if err := facts.Check(); err != nil {
		t.Errorf("inconsistent: %v", err)
	}
	twin := *facts
	again, conflicts := Merge(facts, &twin)
	if again == nil || len(conflicts) > 0 {
		t.Fatalf("with itself: %v", conflicts)
	}
	if again.String() != facts.String() {
		t.Errorf("%s merged to %s", facts, again)
	}
}

func FuzzRead(f *testing.F) {
	seed(f, "lscpu/*", "hwloc/cxl-v2.xml", "numactl/*", "sysfs/*.bz2", "sysfs/*.gz")
	f.Fuzz(readAny)
}

func FuzzLscpu(f *testing.F) {
	seed(f, "lscpu/*")
	f.Fuzz(func(t *testing.T, data []byte) {
		if isArchive(data) {
			return
		}
		readAny(t, data)
	})
}

func FuzzHwloc(f *testing.F) {
	seed(f, "hwloc/*.xml")
	f.Fuzz(func(t *testing.T, data []byte) { readAny(t, append([]byte("<"), data[min(1, len(data)):]...)) })
}

func FuzzNumactl(f *testing.F) {
	seed(f, "numactl/*")
	f.Fuzz(func(t *testing.T, data []byte) { readAny(t, append([]byte("available: 1 nodes (0)\n"), data...)) })
}

func FuzzCPUInfo(f *testing.F) {
	seed(f, "sysfs/*.txt")
	f.Fuzz(func(t *testing.T, data []byte) { readAny(t, append([]byte("processor\t: 0\n"), data...)) })
}

// FuzzTree reads a tree of sysfs, of which the fuzzer writes the text.
func FuzzTree(f *testing.F) {
	seed(f, "sysfs/*.txt")
	f.Fuzz(func(t *testing.T, data []byte) {
		facts, err := readTreeText(string(data))
		if (facts == nil) == (err == nil) {
			t.Fatalf("%v and %v", facts, err)
		}
		if err == nil && facts.Check() != nil {
			t.Error(facts.Check())
		}
	})
}
