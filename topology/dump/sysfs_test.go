package dump

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const treeOf2 = `-- sys/devices/system/cpu/present --
0-1
-- sys/devices/system/cpu/online --
0-1
`

// TestTrees reads small trees that testdata lacks. Most have two CPUs.
func TestTrees(t *testing.T) {
	const cpu = "sys/devices/system/cpu/"
	file := func(name, text string) string { return "-- " + name + " --\n" + text + "\n" }
	tests := []struct{ name, text, want, note string }{
		{"NUL bytes", strings.ReplaceAll(treeOf2, "0-1\n", "0-1\n\\0\n") + file("sys/devices/system/node/node0/cpulist", "0-1\n\\0") +
			file("sys/devices/system/node/node0/distance", "10\n\\0"), "CPUs 0-1; node 0 0-1; distances [10]", ""},
		{"masks only", treeOf2 + file(cpu+"cpu0/topology/thread_siblings", "00000000,00000003") + file(cpu+"cpu1/topology/thread_siblings", "3") +
			file("sys/devices/system/node/node0/cpumap", "3"), "CPUs 0-1; cores 1x2; node 0 0-1", ""},
		{"no present file", file(cpu+"cpu0/topology/core_id", "0") + file(cpu+"cpu5/online", "0") + file(cpu+"cpu12/online", "1"), "CPUs 0,12; offline 5", ""},
		{"die, cluster, package", treeOf2 + file(cpu+"cpu0/topology/die_id", "0") + file(cpu+"cpu0/topology/die_cpus_list", "0-1") +
			file(cpu+"cpu1/topology/die_id", "0") + file(cpu+"cpu1/topology/die_cpus_list", "0-1") +
			file(cpu+"cpu0/topology/cluster_id", "65535") + file(cpu+"cpu0/topology/cluster_cpus_list", "0") +
			file(cpu+"cpu1/topology/cluster_id", "7") + file(cpu+"cpu1/topology/cluster_cpus_list", "1") +
			file(cpu+"cpu0/topology/package_cpus_list", "0-1") + file(cpu+"cpu1/topology/package_cpus_list", "0-1"),
			"CPUs 0-1; clusters 1x1; dies 1x2; sockets 1x2", "CPUs 0 are in no cluster"},
		{"unknown sockets", treeOf2 + file(cpu+"cpu0/topology/physical_package_id", "-1") + file(cpu+"cpu1/topology/physical_package_id", "-1") +
			file(cpu+"cpu0/topology/core_siblings_list", "0") + file(cpu+"cpu1/topology/core_siblings_list", "1") +
			file(cpu+"cpu0/topology/thread_siblings_list", "0") + file(cpu+"cpu1/topology/thread_siblings_list", "1"),
			"CPUs 0-1; cores 2x1", "does not know which socket"},
		{"repeated socket numbers", treeOf2 + file(cpu+"cpu0/topology/physical_package_id", "3") + file(cpu+"cpu1/topology/physical_package_id", "3") +
			file(cpu+"cpu0/topology/core_siblings_list", "0") + file(cpu+"cpu1/topology/core_siblings_list", "1"),
			"CPUs 0-1; sockets 2x1", "several sockets have the number 3"},
		{"list and mask differ", treeOf2 + file(cpu+"cpu0/topology/core_siblings", "3") + file(cpu+"cpu0/topology/core_siblings_list", "0") +
			file(cpu+"cpu1/topology/core_siblings", "3"), "CPUs 0-1; sockets 1x2", "differs from the mask"},
		{"Intel hybrid", treeOf2 + file("sys/devices/cpu_core/cpus", "0") + file("sys/devices/cpu_atom/cpus", "1"),
			`CPUs 0-1; type "cpu_atom" 1; type "cpu_core" 0`, ""},
		{"capacities", treeOf2 + file(cpu+"cpu0/cpu_capacity", "446") + file(cpu+"cpu1/cpu_capacity", "1024"), `CPUs 0-1; type "" 0; type "" 1`, ""},
		{"links", treeOf2 + "-- " + cpu + "cpu0/cache -> ../cpu1/cache --\n" + file(cpu+"cpu1/cache/index0/level", "2") +
			file(cpu+"cpu1/cache/index0/type", "Unified") + file(cpu+"cpu1/cache/index0/size", "512K") + file(cpu+"cpu1/cache/index0/shared_cpu_list", "0-1"),
			"CPUs 0-1; L2 1x512K for 1x2", ""},
		{"cpuinfo that is not known", treeOf2 + file("proc/cpuinfo", "cpu\t: something else"), "CPUs 0-1", "sysfs alone is used"},
		{"cpuinfo alone", file("proc/cpuinfo", "processor\t: 0"), "CPUs 0", ""},
		{"nodes with holes", treeOf2 + file("sys/devices/system/node/online", "0,8") + file("sys/devices/system/node/node0/cpulist", "0-1") +
			file("sys/devices/system/node/node0/distance", "10 40") + file("sys/devices/system/node/node8/cpulist", "") +
			file("sys/devices/system/node/node8/distance", "40 10") + file("sys/devices/system/node/node8/meminfo", "Node 8 MemTotal:  2048000 kB\nNode 8 MemFree: 1 kB") +
			file("sys/devices/system/node/node9/cpulist", ""), "CPUs 0-1; node 0 0-1; node 8 none 2000 MiB; distances [10 40]", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f, err := readTreeText(test.text)
			if err != nil {
				t.Fatal(err)
			}
			if f.String() != test.want {
				t.Errorf("got  %s\nwant %s", f, test.want)
			}
			if notes := strings.Join(f.Notes, "\n"); !strings.Contains(notes, test.note) || (notes == "") != (test.note == "") {
				t.Errorf("notes %q, want %q", notes, test.note)
			}
		})
	}
}

func TestIntelPstate(t *testing.T) {
	const cpu = "sys/devices/system/cpu/"
	f, err := readTreeText(treeOf2 + "-- " + cpu + "cpu0/cpufreq/scaling_driver --\nintel_pstate\n-- " + cpu + "cpu0/cpufreq/scaling_governor --\npowersave\n" +
		"-- " + cpu + "cpu0/cpufreq/base_frequency --\n2100000\n-- " + cpu + "cpu1/acpi_cppc/nominal_freq --\n2450\n" +
		"-- " + cpu + "cpu0/cpufreq/energy_performance_preference --\nbalance_performance\n-- " + cpu + "intel_pstate/no_turbo --\n1\n-- " + cpu + "smt/active --\n0\n")
	if err != nil {
		t.Fatal(err)
	}
	if show(f.HWP) != "true" || show(f.Boost) != "false" || show(f.SMT) != "false" {
		t.Errorf("HWP %s, boost %s, SMT %s", show(f.HWP), show(f.Boost), show(f.SMT))
	}
	if len(f.Scaling) != 1 || f.Scaling[0].CPUs.String() != "0" || show(f.CPUs[0].BaseMHz) != "2100" || show(f.CPUs[1].BaseMHz) != "2450" {
		t.Errorf("%+v, base %s and %s", f.Scaling, show(f.CPUs[0].BaseMHz), show(f.CPUs[1].BaseMHz))
	}
}

// TestReadPath reads one tree from every kind of path.
func TestReadPath(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("m/sys/devices/system/cpu/present", "0-3\n")
	write("m/sys/devices/system/cpu/online", "0-2\n")
	write("m/sys/devices/system/cpu/cpu0/online", "1\n")
	write("m/proc/cpuinfo", "processor\t: 0\nprocessor\t: 1\nprocessor\t: 2\n")
	if err := os.Symlink("/proc/self/status", filepath.Join(dir, "m/sys/devices/system/cpu/possible")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"", "m", "m/sys", "m/sys/devices", "m/sys/devices/system/cpu"} {
		f, err := ReadPath(filepath.Join(dir, path))
		if err != nil || f.String() != "CPUs 0-2; offline 3" {
			t.Errorf("%q: %v, %v", path, f, err)
		}
	}
	if f, err := ReadPath(filepath.Join(dir, "nothing")); err == nil || f != nil {
		t.Errorf("%v, %v", f, err)
	}
	if f, err := ReadPath(t.TempDir()); err == nil || f != nil || !strings.Contains(err.Error(), "there is no sys/devices/system/cpu") {
		t.Errorf("%v, %v", f, err)
	}
}

// pack makes a tar archive of headers with as many zero bytes as their size.
func pack(t *testing.T, compressed bool, headers ...*tar.Header) []byte {
	t.Helper()
	var buf bytes.Buffer
	gz := gzip.NewWriter(&buf)
	var w *tar.Writer
	if w = tar.NewWriter(&buf); compressed {
		w = tar.NewWriter(gz)
	}
	zeros := make([]byte, 1<<20)
	for _, h := range headers {
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		for left := h.Size; left > 0; left -= int64(len(zeros)) {
			if _, err := w.Write(zeros[:min(left, int64(len(zeros)))]); err != nil {
				t.Fatal(err)
			}
		}
	}
	w.Close()
	if compressed {
		gz.Close()
	}
	return buf.Bytes()
}

func TestBadArchive(t *testing.T) {
	const cpu = "sys/devices/system/cpu/"
	link := func(name, target string) *tar.Header {
		return &tar.Header{Name: name, Linkname: target, Typeflag: tar.TypeSymlink}
	}
	file := func(name string, size int64) *tar.Header { return &tar.Header{Name: name, Size: size, Mode: 0o644} }
	good := pack(t, false, file(cpu+"present", 4), file(cpu+"online", 4))
	var many []*tar.Header
	for i := range 1200 {
		many = append(many, file(fmt.Sprintf(cpu+"cpu0/f%d", i), maxSysFile))
	}
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"bomb", pack(t, true, file("var/log/journal", maxUnpacked)), "in:var/log/journal: it unpacks to more than 256 MiB"},
		{"many files", pack(t, true, many...), "the files of sysfs have more than 32 MiB together"},
		{"large file", pack(t, true, file(cpu+"present", maxSysFile+1)), "in:" + cpu + "present: the file has 65537 bytes"},
		{"cut off", good[:1200], "the archive is cut off"},
		{"other content", pack(t, true, file("etc/passwd", 10)), "there is no sys/devices/system/cpu in it"},
		{"empty", pack(t, true), "the archive is empty"},
		{"no tar", func() []byte {
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			w.Write([]byte(strings.Repeat("CPU(s): 1\n", 100)))
			w.Close()
			return b.Bytes()
		}(), "in: the archive is damaged"},
		{"links in a circle", pack(t, false, link(cpu+"present", "online"), link(cpu+"online", "present")), "there are no CPUs in it"},
		{"link outside", pack(t, false, link(cpu+"present", "../../../../../../etc/passwd"), link(cpu+"online", "/etc/passwd")), "there are no CPUs in it"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f, err := Read("in", test.data)
			if err == nil || f != nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v\ngot  %v\nwant %s", f, err, test.want)
			}
		})
	}
}
