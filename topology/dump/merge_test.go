package dump

import (
	"slices"
	"strings"
	"testing"
)

// TestConflicts merges two inputs that differ in one thing.
func TestConflicts(t *testing.T) {
	const four = "CPU(s): 4\nOn-line CPU(s) list: 0-3\n"
	const table = "CPU SOCKET CORE L2 ONLINE MAXMHZ\n0 0 0 0 yes 3000\n1 0 0 0 yes 3000\n2 0 1 1 yes 3000\n3 0 1 1 yes 3000\n"
	const xml = `<topology version="2.0"><object type="Machine" cpuset="0xf" complete_cpuset="0xf"><info name="CPUVendor" value="GenuineIntel"/>` +
		`<object type="Package" os_index="0" cpuset="0xf"><object type="NUMANode" os_index="0" cpuset="0xf" local_memory="1048576000"/>` +
		`<object type="L2Cache" cpuset="0x3" cache_size="1048576" cache_type="0"><object type="Core" cpuset="0x3"><object type="PU" os_index="0"/><object type="PU" os_index="1"/></object></object>` +
		`<object type="L2Cache" cpuset="0xc" cache_size="1048576" cache_type="0"><object type="Core" cpuset="0xc"><object type="PU" os_index="2"/><object type="PU" os_index="3"/></object></object>` +
		`</object></object></topology>`
	const numa = "node 0 cpus: 0 1 2 3\nnode 0 size: 1000 MB\nnode distances:\nnode 0\n 0: 10\n"
	const wholeXML = "CPUs 0-3; cores 2x2; sockets 1x4; L2 2x1024K for 2x2; node 0 0-3 1000 MiB"
	tests := []struct {
		name, a, b string
		want       string // "" if a conflict is fatal
		conflicts  []string
	}{
		{"none", xml, four, wholeXML, nil},
		{"none with nodes", xml, numa, wholeXML + "; distances [10]", nil},
		{"vendor", xml, four + "Vendor ID: AuthenticAMD\n", wholeXML,
			[]string{"vendor: b (lscpu) says AuthenticAMD, a (hwloc XML 2) says GenuineIntel; the first is taken"}},
		{"size", xml, four + "L2 cache: 512K\n", wholeXML,
			[]string{"L2 size: a (hwloc XML 2) says 1024 KiB, b (lscpu) says 512 KiB; the first is taken"}},
		{"rounded size", xml, four + "L2 cache: 1.9 MiB (2 instances)\n", wholeXML, nil},
		{"size filled in", table, four + "L2 cache: 512K\n", "CPUs 0-3; cores 2x2; sockets 1x4; L2 2x512K for 2x2", nil},
		{"total filled in", table, four + "L2 cache: 2 MiB\n", "CPUs 0-3; cores 2x2; sockets 1x4; L2 2x1024K for 2x2", nil},
		{"cores", xml, strings.ReplaceAll(table, "0 1 1 yes", "0 2 1 yes") + "", wholeXML, nil},
		{"cores differ", xml, strings.Replace(table, "1 0 0 0 yes", "1 0 9 0 yes", 1), wholeXML,
			[]string{"cores: a (hwloc XML 2) says 2 (0-1; 2-3), b (lscpu -e) says 3 (0; 1; 2-3); the first is taken"}},
		{"sockets differ", xml, strings.ReplaceAll(table, " 0 1 1 yes", " 1 1 1 yes"), wholeXML,
			[]string{"sockets: a (hwloc XML 2) says 1 (0-3), b (lscpu -e) says 2 (0-1; 2-3); the first is taken"}},
		{"cache sharing", xml, strings.Replace(table, "3 0 1 1 yes", "3 0 1 5 yes", 1), wholeXML,
			[]string{"cores: a (hwloc XML 2) says 2 (0-1; 2-3), b (lscpu -e) says 3 (0-1; 2; 3); the first is taken",
				"L2 sharing: a (hwloc XML 2) says 2 (0-1; 2-3), b (lscpu -e) says 3 (0-1; 2; 3); the first is taken"}},
		{"memory", xml, strings.Replace(numa, "1000", "2000", 1), "CPUs 0-3; cores 2x2; sockets 1x4; L2 2x1024K for 2x2; node 0 0-3 2000 MiB; distances [10]",
			[]string{"memory of node 0: b (numactl -H) says 2000 MiB, a (hwloc XML 2) says 1000 MiB; the first is taken"}},
		{"nodes", numa, four + "NUMA node0 CPU(s): 0,1\nNUMA node1 CPU(s): 2,3\n", "CPUs 0-3; counted 4; node 0 0-3 1000 MiB; distances [10]",
			[]string{"CPUs of node 0: a (numactl -H) says 0-3, b (lscpu) says 0-1; the first is taken",
				"node 1: a (numactl -H) says that there is none, b (lscpu) says that it has the CPUs 2-3; the first is taken"}},
		{"frequency", table, strings.Replace(table, "3 0 1 1 yes 3000", "3 0 1 1 yes 2000", 1), "CPUs 0-3; cores 2x2; sockets 1x4; L2 2x? for 2x2",
			[]string{"highest MHz of CPU 3: a (lscpu -e) says 3000, b (lscpu -e) says 2000; the first is taken"}},
		{"totals", four + "Socket(s): 1\n", four + "Socket(s): 2\n", "CPUs 0-3",
			[]string{"number of sockets: a (lscpu) says 1, b (lscpu) says 2; the first is taken"}},
		{"state", "CPU ONLINE\n0 yes\n1 yes\n", "CPU ONLINE\n0 yes\n1 no\n", "CPUs 0-1",
			[]string{"state of CPU 1: a (lscpu -e) says online, b (lscpu -e) says offline; the first is taken"}},
		{"distances", "node 0 cpus: 0\nnode 1 cpus: 1\nnode distances:\nnode 0 1\n0: 10 20\n1: 20 10\n", "node 0 cpus: 0\nnode 1 cpus: 1\nnode distances:\nnode 0 1\n0: 10 21\n1: 21 10\n",
			"CPUs 0-1; node 0 0; node 1 1; distances [10 20]",
			[]string{"distance from node 0 to 1: a (numactl -H) says 20, b (numactl -H) says 21; the first is taken"}},

		// What one input knows and another does not is no conflict.
		{"CPU-less node added", "CPU NODE ONLINE\n0 0 yes\n1 0 yes\n", "node 0 cpus: 0 1\nnode 3 cpus:\nnode 3 size: 500 MB\n", "CPUs 0-1; node 0 0-1; node 3 none 500 MiB", nil},
		{"offline CPU not listed", "CPU CORE ONLINE\n0 0 yes\n1 - no\n", "node 0 cpus: 0\n", "CPUs 0; offline 1; cores 1x1; node 0 0", nil},
		{"offline CPU in a node", "CPU CORE ONLINE\n0 0 yes\n1 - no\n", "node 0 cpus: 0 1\n", "CPUs 0; offline 1; cores 1x1; node 0 0", nil},
		{"hidden CPUs", strings.Replace(xml, `complete_cpuset="0xf"`, `complete_cpuset="0xff"`, 1), "CPU(s): 8\nOn-line CPU(s) list: 0-7\nNUMA node0 CPU(s): 0-7\n",
			"CPUs 0-7; cores 2x2; sockets 1x4; L2 2x1024K for 2x2; node 0 0-7 1000 MiB", nil},

		{"number of nodes", xml, four + "NUMA node(s): 2\n", wholeXML,
			[]string{"number of nodes: a (hwloc XML 2) says 1, b (lscpu) says 2; the first is taken"}},

		// These cannot be of one machine.
		{"more CPUs", xml, "CPU(s): 8\nOn-line CPU(s) list: 0-7\n", "",
			[]string{"CPUs: a (hwloc XML 2) says 4: 0-3, b (lscpu) says 8: 0-7; nothing is taken, give inputs of one machine, read in one state"}},
		{"other CPUs", "On-line CPU(s) list: 0-3\nOff-line CPU(s) list: 4,5\n", "node 0 cpus: 0 1 2 9\n", "",
			[]string{"CPUs: a (lscpu) says 4: 0-3 and offline 4-5, b (numactl -H) says 4: 0-2,9; nothing is taken, give inputs of one machine, read in one state"}},
		{"another count", xml, `{"cpus": [{"node": 0}, {"node": 0}]}`, "",
			[]string{"CPUs: a (hwloc XML 2) says 4: 0-3, b (lscpu -e -J) says 2; nothing is taken, give inputs of one machine, read in one state"}},
		{"inconsistent together", "CPU CORE ONLINE\n0 0 yes\n1 0 yes\n", "node 0 cpus: 0\nnode 1 cpus: 1\n", "",
			[]string{"consistency: the merged inputs says a:2: the core with CPUs 0-1 lies in two nodes, correct one of them; " +
				"nothing is taken, give inputs of one machine, read in one state"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a, err := Read("a", []byte(test.a))
			if err != nil {
				t.Fatal(err)
			}
			b, err := Read("b", []byte(test.b))
			if err != nil {
				t.Fatal(err)
			}
			f, conflicts := Merge(a, b)
			if got := sayConflicts(conflicts); !slices.Equal(got, test.conflicts) {
				t.Errorf("conflicts\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.conflicts, "\n"))
			}
			switch want := strings.Replace(test.want, "; counted 4", "", 1); {
			case want == "" && f != nil:
				t.Errorf("merged to %s", f)
			case want != "" && f == nil:
				t.Error("nothing merged")
			case want != "" && f.String() != want:
				t.Errorf("got  %s\nwant %s", f, want)
			}
		})
	}
}

// TestMergeLeavesInputs makes sure that the inputs can be used again.
func TestMergeLeavesInputs(t *testing.T) {
	files := []string{"lscpu/x7550.txt", "hwloc/offline-e5-2680v3.xml", "sysfs/offline-e5-2680v3.tar.bz2", "lscpu/s390-lpar-e.txt"}
	for _, name := range files {
		f := read(t, name)
		before := f.String() + strings.Join(f.Notes, "\n")
		for _, other := range files {
			Merge(f, read(t, other))
			Merge(read(t, other), f)
		}
		if after := f.String() + strings.Join(f.Notes, "\n"); after != before {
			t.Errorf("%s: %s\nbecame %s", name, before, after)
		}
	}
	if f, conflicts := Merge(); f != nil || conflicts != nil {
		t.Errorf("nothing merged to %v, %v", f, conflicts)
	}
}

// TestSysfsOverrules has a sysfs without sockets, where lscpu invents them.
func TestSysfsOverrules(t *testing.T) {
	const cpu = "sys/devices/system/cpu/"
	sys, err := readTreeText(treeOf2 + "-- " + cpu + "cpu0/topology/thread_siblings_list --\n0\n-- " + cpu + "cpu1/topology/thread_siblings_list --\n1\n")
	if err != nil {
		t.Fatal(err)
	}
	table, err := Read("b", []byte("CPU SOCKET CORE ONLINE\n0 0 0 yes\n1 1 1 yes\n"))
	if err != nil {
		t.Fatal(err)
	}
	f, conflicts := Merge(table, sys)
	if f == nil || f.String() != "CPUs 0-1; cores 2x1" || conflicts != nil {
		t.Errorf("%v, %v", f, conflicts)
	}
}
