package dump

import (
	"fmt"
	"strings"
	"testing"
)

func show[T any](p *T) string {
	if p == nil {
		return "?"
	}
	return fmt.Sprint(*p)
}

func (c Counts) show() string {
	return fmt.Sprintf("cpus %s threads %s cores %s sockets %s nodes %s per book %s books %s",
		show(c.CPUs), show(c.ThreadsPerCore), show(c.CoresPerSocket), show(c.Sockets), show(c.Nodes), show(c.SocketsPerBook), show(c.Books))
}

func (c CPU) show() string {
	return fmt.Sprintf("%s %s..%s base %s now %s capacity %s",
		c.State, show(c.MinMHz), show(c.MaxMHz), show(c.BaseMHz), show(c.CurrentMHz), show(c.Capacity))
}

func (t CoreType) show() string {
	return fmt.Sprintf("%q %s efficiency %s capacity %s %s..%s base %s",
		t.Name, t.CPUs, show(t.Efficiency), show(t.Capacity), show(t.MinMHz), show(t.MaxMHz), show(t.BaseMHz))
}

func TestCounts(t *testing.T) {
	for file, want := range map[string]string{
		"lscpu/ultra9-24-sockets.txt": "cpus ? threads 1 cores 1 sockets 24 nodes ? per book ? books ?",
		"lscpu/power9-10-sockets.txt": "cpus 80 threads 8 cores 1 sockets 10 nodes 1 per book ? books ?",
		"lscpu/s390-lpar.txt":         "cpus 20 threads 1 cores 4 sockets ? nodes ? per book 6 books 4",
		"lscpu/x7550-bytes.json":      "cpus 64 threads 2 cores 8 sockets 4 nodes 3 per book ? books ?",
		"lscpu/e-node-dash.json":      "cpus 4 threads ? cores ? sockets ? nodes ? per book ? books ?",
	} {
		if got := read(t, file).Counts.show(); got != want {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
	types := read(t, "lscpu/types-zero-counts.txt").CoreTypes
	for i, want := range []string{
		"cpus ? threads ? cores ? sockets ? nodes ? per book ? books ?",
		"cpus ? threads 1 cores 1 sockets 1 nodes ? per book ? books ?",
	} {
		if got := types[i].Counts.show(); got != want {
			t.Errorf("type %d: %s, want %s", i, got, want)
		}
	}
	if got := types[1].show(); got != `"Cortex-X3"  efficiency ? capacity ? 595.2..3187.2 base ?` {
		t.Error(got)
	}
}

func TestFrequencies(t *testing.T) {
	tests := []struct {
		file string
		cpu  int
		want string
	}{
		{"lscpu/e-fr.txt", 1, "online 800..4100 base ? now 800.057 capacity ?"},
		{"lscpu/e-raptor-lake.txt", 0, "online 400..5100 base ? now 4199.8408 capacity ?"},
		{"lscpu/x7550-e-de.txt", 38, "online 1064..1996 base ? now 1996 capacity ?"},
		{"lscpu/s390-lpar-e.txt", 6, "offline ?..? base ? now ? capacity ?"},
		{"hwloc/raptor-lake-1370p-linux.xml", 0, "online ?..5000 base 1900 now ? capacity ?"},
		{"hwloc/raptor-lake-1370p-linux.xml", 19, "online ?..3900 base 1400 now ? capacity ?"},
		{"sysfs/snapdragon-8-gen-2.txt", 1, "online 307.2..2016 base ? now ? capacity 280"},
		{"sysfs/snapdragon-8-gen-2.txt", 5, "online 499.2..2803.2 base ? now ? capacity 855"},
		{"sysfs/snapdragon-8-gen-2.txt", 7, "online 595.2..3187.2 base ? now ? capacity 1024"},
		{"sysfs/opteron-6328.tar.gz", 15, "online 1400..3200 base ? now ? capacity ?"},
		{"hwloc/opteron-sparse.xml", 47, "online ?..1700 base ? now ? capacity ?"},
		{"numactl/sparse.txt", 3, "unknown ?..? base ? now ? capacity ?"},
	}
	for _, test := range tests {
		if got := read(t, test.file).cpu(test.cpu).show(); got != test.want {
			t.Errorf("%s: CPU %d: %s, want %s", test.file, test.cpu, got, test.want)
		}
	}
	f := read(t, "lscpu/jetson-nano-comma.txt")
	if show(f.MinMHz) != "102" || show(f.MaxMHz) != "1479" {
		t.Errorf("%s..%s MHz", show(f.MinMHz), show(f.MaxMHz))
	}
}

func TestCoreTypes(t *testing.T) {
	for file, want := range map[string]string{
		"hwloc/arrow-lake-225u.xml": `"IntelLowPower" 12-13 efficiency 0 capacity ? ?..? base ?` + "\n" +
			`"IntelAtom" 4-11 efficiency 1 capacity ? ?..? base ?` + "\n" +
			`"IntelCore" 0-3 efficiency 2 capacity ? ?..? base ?`,
		"sysfs/snapdragon-8-gen-2.txt": `"Cortex-A510" 0-2 efficiency ? capacity 280 307.2..2016 base ?` + "\n" +
			`"Cortex-A715" 3-4 efficiency ? capacity 855 499.2..2803.2 base ?` + "\n" +
			`"Cortex-A710" 5-6 efficiency ? capacity 855 499.2..2803.2 base ?` + "\n" +
			`"Cortex-X3" 7 efficiency ? capacity 1024 595.2..3187.2 base ?`,
	} {
		var got []string
		for _, c := range read(t, file).CoreTypes {
			got = append(got, c.show())
		}
		if s := strings.Join(got, "\n"); s != want {
			t.Errorf("%s:\n%s", file, s)
		}
	}
	// Linux knows the frequencies, CPUID the names.
	f, _ := Merge(read(t, "hwloc/raptor-lake-1370p-linux.xml"), read(t, "hwloc/raptor-lake-1370p.xml"))
	if got := f.CoreTypes[0].show(); got != `"IntelAtom" 12-19 efficiency 0 capacity ? ?..3900 base 1400` {
		t.Error(got)
	}
}

func TestPower(t *testing.T) {
	f := read(t, "sysfs/opteron-6328.tar.gz")
	if len(f.Scaling) != 1 || f.Scaling[0].CPUs.String() != "0-15" || f.Scaling[0].Driver != "acpi-cpufreq" || f.Scaling[0].Governor != "ondemand" {
		t.Errorf("scaling %+v", f.Scaling)
	}
	if f.IdleDriver != "acpi_idle" || f.IdleGovernor != "menu" || show(f.Boost) != "true" || show(f.SMT) != "true" || show(f.HWP) != "?" {
		t.Errorf("%q, %q, boost %s, SMT %s, HWP %s", f.IdleDriver, f.IdleGovernor, show(f.Boost), show(f.SMT), show(f.HWP))
	}
	if got := showIdle(f); got != "0-15: POLL 0/0 C1 0/0 C2 100/200" {
		t.Error(got)
	}
	f = read(t, "sysfs/snapdragon-8-gen-2.txt")
	want := "0-2: WFI 1/1 silver-c4 1300/6700\n3-6: WFI 1/1 gold-c4 1900/8136\n7: WFI 1/1 gold-plus-c4 1850/7480"
	if got := showIdle(f); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func showIdle(f *Facts) string {
	var lines []string
	for _, table := range f.Idle {
		line := table.CPUs.String() + ":"
		for _, s := range table.States {
			line += fmt.Sprintf(" %s %s/%s", s.Name, show(s.ExitLatency), show(s.TargetResidency))
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}
