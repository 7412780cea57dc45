package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// childVariable makes the test binary an execution of the command, which says at
// its end how much memory it took at most.
const childVariable = "MKREPORT_TEST_COMMAND"

func TestMain(m *testing.M) {
	line := os.Getenv(childVariable)
	if line == "" {
		os.Exit(m.Run())
	}
	status := run(context.Background(), strings.Split(line, "\n"), os.Stdout, os.Stderr)
	text, _ := os.ReadFile("/proc/self/status")
	fmt.Fprintf(os.Stderr, "%s\n", regexp.MustCompile(`VmHWM:.*`).Find(text))
	os.Exit(status)
}

// What refusing an input may take in MiB beside the program itself: one that is too
// large or of a structure that no such file has, and one of 16 MiB that could be
// right, and is read.
const (
	maxMemory     = 64
	maxMemoryRead = 128
)

// child executes a command line in a process of its own, and returns its exit
// status, what it printed as an error, and its largest resident memory in MiB.
func child(t *testing.T, stdin io.Reader, args ...string) (status int, stderr string, peak int) {
	t.Helper()
	// The limit keeps a test that fails from hanging; nothing is timed.
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+strings.Join(args, "\n"))
	cmd.Stdin = stdin
	var b bytes.Buffer
	cmd.Stderr = &b
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, io.ErrClosedPipe) && !strings.Contains(err.Error(), "broken pipe") {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`VmHWM:\s*(\d+) kB\n$`).FindStringSubmatch(b.String())
	if m == nil {
		t.Fatalf("%v\n%.2000s", err, b.String())
	}
	kib, _ := strconv.Atoi(m[1])
	return cmd.ProcessState.ExitCode(), strings.TrimSuffix(b.String(), m[0]), kib >> 10
}

// sparse makes a file of that size which begins with text and is empty space then.
func sparse(t *testing.T, name, text string, size int64) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(name, size); err != nil {
		t.Fatal(err)
	}
	return name
}

func textFile(t *testing.T, name, text string) string {
	t.Helper()
	return sparse(t, name, text, int64(len(text)))
}

// repeat is text for ever.
type repeat struct {
	text string
	at   int
}

func (r *repeat) Read(p []byte) (n int, err error) {
	for n < len(p) {
		m := copy(p[n:], r.text[r.at:])
		n += m
		r.at = (r.at + m) % len(r.text)
	}
	return n, nil
}

// laughs is a text of twelve definitions, each of which names the one before ten
// times. The definition is made of its number and its content.
func laughs(definition, name, separator string) string {
	var b strings.Builder
	content := "lol"
	for i := range 12 {
		fmt.Fprintf(&b, definition, i, content)
		content = strings.TrimSuffix(strings.Repeat(fmt.Sprintf(name, i)+separator, 10), separator)
	}
	return b.String()
}

// bomb is a compressed archive of zeros, or of so many files that matter.
func bomb(t *testing.T, files int, size int64) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	zeros := make([]byte, 1<<20)
	for i := range files {
		name := fmt.Sprintf("sys/devices/system/cpu/cpu%d/topology/x", i)
		if files == 1 {
			name = "big"
		}
		if err := w.WriteHeader(&tar.Header{Name: name, Size: size, Mode: 0o600}); err != nil {
			t.Fatal(err)
		}
		for left := size; left > 0; left -= int64(len(zeros)) {
			if _, err := w.Write(zeros[:min(left, int64(len(zeros)))]); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	return textFile(t, "bomb.tar.gz", b.String())
}

// TestLimits hands in what is made to use up all memory: it is refused, with the
// file's name, and in little memory.
func TestLimits(t *testing.T) {
	_, _, base := child(t, nil, "list", "kernels")
	const gigabyte = 1 << 30
	hwloc := `<?xml version="1.0"?><topology version="2.0"><object type="Machine">`
	deep := strings.Repeat("[", 4<<20)
	yamlLaughs := laughs("a%[1]d: &a%[1]d [%[2]s]\n", "*a%d", ", ")
	xmlLaughs := `<?xml version="1.0"?><!DOCTYPE lolz [` + laughs("<!ENTITY a%d \"%s\">\n", "&a%d;", "") + `]><topology><object type="&a11;"/></topology>`
	csv := "command,mean,stddev,median,user,system,min,max\n"
	study := func(name string) []string {
		return []string{"run", name, "--store", filepath.Join(t.TempDir(), "store")}
	}
	for _, tc := range []struct {
		name  string
		args  []string
		stdin io.Reader
		want  string // in the error
		read  bool   // it is read before it is refused
	}{
		{"hwloc of 2 GB", []string{"import", sparse(t, "h.xml", hwloc, 2*gigabyte)}, nil, "h.xml:1: the input has 2147483648 bytes", false},
		{"hwloc without end", []string{"import", "-"}, &repeat{text: hwloc}, "standard input: it goes on", false},
		{"hwloc of many elements", []string{"import", textFile(t, "h.xml", hwloc+strings.Repeat("<a/>", 4<<20-100))}, nil, "h.xml:1: the XML has more than", false},
		{"hwloc of many attributes", []string{"import", textFile(t, "h.xml", hwloc+"<a "+strings.Repeat("b='' ", 3<<20)+"/>")}, nil, "h.xml:1: an element has more than", false},
		{"deep hwloc", []string{"import", textFile(t, "h.xml", strings.Repeat("<object>", 100_000))}, nil, "h.xml:1: elements are nested", false},
		{"billion laughs, XML", []string{"import", textFile(t, "h.xml", xmlLaughs)}, nil, "h.xml:1", false},
		{"billion laughs, study", study(textFile(t, "s.yaml", yamlLaughs+"title: *a11\n")), nil, "s.yaml:1: anchors, aliases", false},
		{"billion laughs, machine", []string{"machine", textFile(t, "m.yaml", yamlLaughs+"name: *a11\n")}, nil, "m.yaml:1: anchors, aliases", false},
		{"deep study", study(textFile(t, "s.yaml", "title: "+deep[:200<<10])), nil, "s.yaml:1: brackets", false},
		{"deep machine", []string{"machine", textFile(t, "m.yaml", "name: "+deep[:500<<10])}, nil, "m.yaml:1: brackets", false},
		{"study of many keys", study(textFile(t, "s.yaml", strings.Repeat("a: 1\n", 50<<10))), nil, "s.yaml:10001: there are more", false},
		{"study of 2 GB", study(sparse(t, "s.yaml", "title: x\n", 2*gigabyte)), nil, "s.yaml: it has 2147483648 bytes", false},
		{"machine of 2 GB", []string{"machine", sparse(t, "m.yaml", "name: x\n", 2*gigabyte)}, nil, "m.yaml is no machine file", false},
		{"CSV of 1e9 rows", []string{"import", sparse(t, "r.csv", csv, 8*gigabyte)}, nil, "r.csv:1: the input has 8589934592 bytes", false},
		{"CSV of many rows", []string{"import", textFile(t, "r.csv", csv+strings.Repeat("a,1,1\n", 1<<20))}, nil, "r.csv:16386: more than 16384 rows", false},
		{"deep JSON of hyperfine", []string{"import", textFile(t, "r.json", `{"command": 1, "results": `+deep)}, nil, "r.json:1: ", false},
		{"deep JSON of lscpu", []string{"import", textFile(t, "l.json", `{"lscpu": `+deep)}, nil, "l.json:1: the JSON is nested", false},
		{"lscpu of many values", []string{"import", textFile(t, "l.json", `{"lscpu": [`+strings.Repeat("{},", 5<<20))}, nil, "l.json:1: the JSON has more than", true},
		{"hwloc of many texts", []string{"import", textFile(t, "h.xml", hwloc+strings.Repeat("<a/>"+strings.Repeat("x", 200), 60<<10))}, nil, "h.xml:1: ", true},
		{"cpuinfo of many lines", []string{"import", textFile(t, "cpuinfo", strings.Repeat("processor\t: 1\n", 1<<20))}, nil, "cpuinfo:", true},
		{"deep notebook", []string{"notebook", textFile(t, "n.ipynb", `{"cells": `+deep)}, nil, "n.ipynb:1: the JSON is nested", false},
		{"notebook of many values", []string{"notebook", textFile(t, "n.ipynb", `{"cells": [`+strings.Repeat("0,", 4<<20))}, nil, "n.ipynb:1: the JSON has more than", false},
		{"notebook of 2 GB", []string{"notebook", sparse(t, "n.ipynb", "{", 2*gigabyte)}, nil, "n.ipynb: it has 2147483648 bytes", false},
		{"mbox of 2 GB", []string{"check", sparse(t, "m.mbox", "From a 1:00\n", 2*gigabyte)}, nil, "m.mbox: it has 2147483648 bytes", false},
		{"mbox without end", []string{"check", "-"}, &repeat{text: "From a 1:00\nSubject: a\n\na\n"}, "standard input: it goes on", false},
		{"archive that unpacks to too much", []string{"import", bomb(t, 1, 300<<20)}, nil, "it unpacks to more than", false},
		{"archive of large files", []string{"import", bomb(t, 2000, 64<<10)}, nil, "bomb.tar.gz: the files of sysfs have more than", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			status, stderr, peak := child(t, tc.stdin, tc.args...)
			if status != exitFailed || !strings.Contains(stderr, tc.want) || len(stderr) > 4000 {
				t.Errorf("exit status %d, want %q in\n%.1000s", status, tc.want, stderr)
			}
			most := maxMemory
			if tc.read {
				most = maxMemoryRead
			}
			if peak > base+most {
				t.Errorf("it took %d MiB, of which the program is %d", peak, base)
			}
			t.Logf("%d MiB beside the program's %d", peak-base, base)
		})
	}
}
