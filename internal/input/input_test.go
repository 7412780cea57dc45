package input

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/goccy/go-yaml/parser"
)

func TestFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	text := bytes.Repeat([]byte("0123456789"), 1000)
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, most := range []int64{10_000, 10_001, 1 << 40} {
		if got, err := File(name, most); err != nil || !bytes.Equal(got, text) {
			t.Errorf("most %d: %d bytes, %v", most, len(got), err)
		}
	}
	for most, want := range map[int64]string{9_999: "has 10000 bytes, more than the 9 KiB", 0: "more than the 0 KiB"} {
		if got, err := File(name, most); err == nil || got != nil || !strings.Contains(err.Error(), name+": it ") || !strings.Contains(err.Error(), want) {
			t.Errorf("most %d: %d bytes, %v", most, len(got), err)
		}
	}
	if _, err := File(dir, 1000); err == nil || !strings.Contains(err.Error(), "name a file") {
		t.Errorf("a directory: %v", err)
	}
	if _, err := File(filepath.Join(dir, "none"), 1000); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	// What has no size is read up to the bound.
	if _, err := File("/dev/zero", 1<<20); err == nil || !strings.Contains(err.Error(), "it goes on, more than the 1024 KiB") {
		t.Errorf("/dev/zero: %v", err)
	}
}

func TestAll(t *testing.T) {
	text := strings.Repeat("x", 100_000)
	for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text)), iotest.DataErrReader(strings.NewReader(text))} {
		if got, err := All(r, "in", 100_000); err != nil || string(got) != text {
			t.Errorf("%d bytes, %v", len(got), err)
		}
	}
	if _, err := All(strings.NewReader(text), "in", 99_999); err == nil || !strings.HasPrefix(err.Error(), "in: it goes on") {
		t.Errorf("one too many: %v", err)
	}
	if _, err := All(iotest.ErrReader(io.ErrClosedPipe), "in", 10); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("a broken pipe: %v", err)
	}
}

func TestCheckJSON(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"flat", `{"a": [1, 2, 3]}`, ""},
		{"brackets in text", `["[[[[[", "\"[[[[[", "\\"]`, ""},
		{"deep", "\n" + strings.Repeat("[", 5), "2: the JSON is nested more than 4 deep"},
		{"deep objects", strings.Repeat(`{"a":`, 5), "1: the JSON is nested more than 4 deep"},
		{"many", "[0\n,0\n" + strings.Repeat(",0", 30), "3: the JSON has more than 20 values"},
		{"unbalanced", "]]]]]]", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := ""
			if err := CheckJSON([]byte(tc.text), 4, 20); err != nil {
				got = err.Error()
			}
			if got != tc.want {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
}

func FuzzCheckJSON(f *testing.F) {
	f.Add([]byte(`{"a": [1, "\"]"]}`))
	f.Fuzz(func(t *testing.T, data []byte) { _ = CheckJSON(data, 8, 64) })
}

func TestCheckYAML(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		line       int
	}{
		{"flat", "a: [1, 2]\nb: {c: [d]}\n", 0},
		{"ruler", "# " + strings.Repeat("-", 80) + "\n", 0},
		{"one after the other", strings.Repeat("a: [[[]]]\n", 1000), 0},
		{"deep", "a:\n" + strings.Repeat("[", 17), 2},
		{"lists", "a:\n\n" + strings.Repeat("- ", 101), 3},
		{"lines", strings.Repeat("a\n", 20_001), 20_002},
		{"commas", "\n[" + strings.Repeat("1,", 20_001), 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if line, wrong := CheckYAML([]byte(tc.text)); line != tc.line || (wrong == "") != (line == 0) {
				t.Errorf("line %d, %q", line, wrong)
			}
		})
	}
}

func TestCheckYAMLNodes(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		line       int
	}{
		{"plain", "a: [x, \"y\\n\", 1]\nb: |\n  text\n  more\n", 0},
		{"anchor", "a: 1\nb: &x 2\n", 2},
		{"alias", "a: &x 1\nb: *x\n", 1},
		{"tag", "a: !!str 1\n", 1},
		{"escape", "a: 1\nb: [\"\\e[31m\"]\n", 2},
		{"key", "\"a\\0\": 1\n", 1},
		{"direction", "a: 1\n\nb: \"\\u202e\"\n", 3},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f, err := parser.ParseBytes([]byte(tc.text), 0)
			if err != nil {
				t.Fatal(err)
			}
			if line, wrong := CheckYAMLNodes(f.Docs[0].Body); line != tc.line || (wrong == "") != (line == 0) {
				t.Errorf("line %d, %q", line, wrong)
			}
		})
	}
	if line, _ := CheckYAMLNodes(nil); line != 0 {
		t.Error("nothing has something wrong")
	}
}
