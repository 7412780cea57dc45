package dump

import (
	"strings"
	"testing"
)

// TestBadInput gives Read one mistake at a time. The error has to name the line
// and say what is wrong and what to do; there must be no Facts.
func TestBadInput(t *testing.T) {
	const xmlHead = "<topology version=\"2.0\">\n<object type=\"Machine\" cpuset=\"0x3\" complete_cpuset=\"0x3\">\n"
	const xmlPUs = "<object type=\"PU\" os_index=\"0\" cpuset=\"0x1\"/>\n<object type=\"PU\" os_index=\"1\" cpuset=\"0x2\"/>\n"
	const xmlTail = "</object>\n</topology>\n"
	const twoNodes = "<object type=\"NUMANode\" os_index=\"0\" cpuset=\"0x1\"/>\n<object type=\"NUMANode\" os_index=\"1\" cpuset=\"0x2\"/>\n"
	const eHead = "CPU NODE SOCKET CORE L1d:L1i:L2:L3 ONLINE\n"
	const pHead = "# CPU,Core,Socket,Node,,L1d,L1i,L2,L3\n"
	const summaryHead = "Architecture: x86_64\nCPU(s): 4\nOn-line CPU(s) list: 0-3\n"
	tests := []struct {
		name, text string
		want       string
	}{
		{"empty", "", "in:1: the file is empty, give the output of a tool"},
		{"blank", " \n\t\n", "in:1: the file is empty"},
		{"binary", "\x7fELF\x02\x01\x00\x00\xff\xfe", "in:1: this is neither UTF-8 text nor an archive"},
		{"Latin-1", "Nom de mod\xe8le: x\n", "in:1: this is neither UTF-8 text nor an archive"},
		{"prose", "Dear all,\nhere is my patch.\n", "in:1: nothing here is known, give the output of lscpu"},
		{"console", "Machine (16GB total)\n  Package L#0\n    Core L#0 + PU L#0 (P#0)\n", "in:1: this is lstopo's output for humans"},

		// Counts against lists.
		{"too few CPUs", "CPU(s): 8\nOn-line CPU(s) list: 0-3\n", "8 CPUs are counted but 4 are named (online 0-3; offline ), correct one"},
		{"too few nodes", summaryHead + "NUMA node(s): 2\nNUMA node0 CPU(s): 0-3\n", "2 nodes are counted but 1 are listed, correct one"},
		{"count of text", "CPU(s): many\nOn-line CPU(s) list: 0\n", `in:1: CPU(s): "many" is no count, give a whole number`},
		{"two machines, one tool", summaryHead + "Model name: A\n" + summaryHead + "Model name: B\n", "in:6: CPU(s) occurs twice, give one machine a file"},
		{"huge count", summaryHead + "Socket(s): 99999999999999999999\n", `in:4: Socket(s): "99999999999999999999" is no count`},
		{"online and offline", summaryHead + "Off-line CPU(s) list: 3,4\n", "in:4: CPU 3 is online and offline, correct one of the lists"},
		{"list counts down", "On-line CPU(s) list: 3-0\n", `in:1: On-line CPU(s) list: CPU list "3-0": "3-0" counts down`},
		{"list repeats", "On-line CPU(s) list: 0-3,2\n", "it repeats CPUs, correct it"},
		{"huge list", "On-line CPU(s) list: 0-4294967295\n", `"4294967295" is no CPU number, give one below 8192`},
		{"wide mask", "On-line CPU(s) mask: 1" + strings.Repeat("0", 4000) + "\n", "it has a CPU above 8191"},
		{"mask of text", "On-line CPU(s) mask: xyz\n", `"xyz" is no hexadecimal number`},
		{"CPU in two nodes", summaryHead + "NUMA node0 CPU(s): 0-2\nNUMA node1 CPU(s): 2,3\n", "in:5: CPU 2 is in the nodes 0 and 1, correct one"},
		{"node twice", summaryHead + "NUMA node0 CPU(s): 0,1\nNUMA node0 CPU(s): 2,3\n", "in:5: node 0 occurs twice, keep one"},
		{"cache twice", summaryHead + "L2 cache: 256K\nL2 cache: 512K\n", "in:5: the L2 cache occurs twice, keep one"},
		{"cache of no size", summaryHead + "L2 cache: big\n", `in:4: L2 cache: "big" is no size, give one such as 512 KiB`},
		{"cache of 0 instances", summaryHead + "L2 cache: 1 MiB (0 instances)\n", `in:4: "0" is no number of caches`},
		{"huge cache", summaryHead + "L2 cache: 99999999 TiB\n", "too large for a cache"},
		{"fast CPU", summaryHead + "CPU max MHz: 1e99\n", `in:4: CPU max MHz: "1e99" is no frequency in MHz`},

		// Tables.
		{"row cut off", eHead + "0 0 0 0 0:0:0:0 yes\n1 0 0\n", "in:3: the row has 3 cells for 6 columns, copy the whole line"},
		{"header alone", eHead, "in:1: a header without rows, copy the whole output"},
		{"CPU twice", eHead + "0 0 0 0 0:0:0:0 yes\n0 0 0 1 1:1:1:0 yes\n", "in:3: CPU 0 occurs twice, keep one row"},
		{"no CPU number", eHead + "x 0 0 0 0:0:0:0 yes\n", `in:2: "x" is no CPU number`},
		{"cache cell cut off", eHead + "0 0 0 0 0:0 yes\n", "has 2 caches for the 4 of the column"},
		{"core in two nodes", eHead + "0 0 0 0 0:0:0:0 yes\n1 1 0 0 0:0:0:0 yes\n", "in:2: the core with CPUs 0-1 lies in two nodes"},
		{"cache cuts a core", pHead + "0,0,0,0,,0,0,0,0\n1,0,0,0,,0,0,0,1\n2,1,0,0,,1,1,1,1\n", "the L3 cache of CPUs 1-2 cuts the core of CPUs 0-1"},
		{"no header", "0,0,0,0,,0,0,0,0\n1,0,0,0,,0,0,0,0\n", "nothing here is known"},
		{"strange header", "# CPU,Colour\n0,red\n", `in:2: column 2 of the header is "COLOUR", which lscpu does not have`},
		{"cache table", "NAME ONE-SIZE ALL-SIZE\nL1d 32K 1M\nL1d 32K 1M\n", "in:3: the L1d cache occurs twice"},

		// JSON.
		{"JSON cut off", "{\"lscpu\": [\n{\"field\": \"CPU(s):\",\n", "in:3: the JSON ends too early, copy the whole output"},
		{"JSON cut off in text", "{\"lscpu\": [\n{\"field\": \"CPU", "in:2: the JSON ends inside a text"},
		{"JSON of another tool", "{\"blockdevices\": []}", "in:1: the JSON has no list named lscpu, cpus or caches"},
		{"JSON without field", "{\"lscpu\": [\n{\"data\": \"4\"}]}", "in:2: an object has no text named field"},
		{"JSON with a tail", "{\"cpus\": [{\"cpu\": 0}]}\n}", "in:2: text follows the JSON, remove it"},
		{"JSON key twice", "{\"cpus\": [{\"cpu\": 0,\n\"cpu\": 1}]}", `in:2: the key "cpu" occurs twice`},
		{"JSON empty", "{\"cpus\": []}", "in:1: the list is empty"},
		{"JSON nested", "{\"lscpu\": " + strings.Repeat("[", 100000), "nested more than 32 deep"},
		{"JSON children nested", "{\"lscpu\": [" + strings.Repeat(`{"field":"a","children":[`, 100), "nested more than 32 deep"},
		{"JSON broken value", "{\"cpus\": [{\"cpu\": ?}]}", "found '?' where a value belongs"},

		// XML.
		{"XML cut off", xmlHead + xmlPUs, "in:5: the XML ends too early, copy the whole file"},
		{"XML of another tool", "<html>\n</html>", "in:1: the XML is a <html> and no <topology>"},
		{"XML version", `<topology version="4.0"></topology>`, `in:1: version "4.0" of the XML is not known`},
		{"XML empty", "<topology/>", "in:1: the topology has no <object>"},
		{"XML without PU", xmlHead + xmlTail, "in:2: the topology has no PU"},
		{"XML entity", "<!DOCTYPE topology [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>\n<topology>&b;</topology>", "in:2: invalid character entity &b;"},
		{"XML nested", strings.Repeat("<object>", 200), "nested more than 128 deep"},
		{"XML attribute twice", "<topology version=\"2.0\" version=\"2.0\"/>", "the attribute version occurs twice"},
		{"XML second document", "<topology/>\n<topology/>", "in:2: a second document begins here"},
		{"XML encoding", "<?xml version=\"1.0\" encoding=\"EBCDIC\"?>\n<topology/>", "encoding"},
		{"XML PU twice", xmlHead + xmlPUs + "<object type=\"PU\" os_index=\"1\" cpuset=\"0x2\"/>\n" + xmlTail, "in:5: PU 1 occurs twice, keep one"},
		{"XML PU without number", xmlHead + "<object type=\"PU\" cpuset=\"0x1\"/>\n" + xmlTail, "in:3: the PU has no os_index below 8192"},
		{"XML huge PU", xmlHead + "<object type=\"PU\" os_index=\"99999999999\"/>\n" + xmlTail, `in:3: os_index: "99999999999" is no count`},
		{"XML mask beyond the CPUs", xmlHead + "<object type=\"Core\" cpuset=\"0x7\">\n" + xmlPUs + "</object>\n" + xmlTail,
			"in:3: the Core has CPU 2 in its cpuset, for which there is no PU, correct one"},
		{"XML CPU in two cores", xmlHead + "<object type=\"Core\" cpuset=\"0x3\"/>\n<object type=\"Core\" cpuset=\"0x2\"/>\n" + xmlPUs + xmlTail,
			"in:4: CPU 1 is in two cores, 0-1 and 1, correct one"},
		{"XML socket twice", xmlHead + "<object type=\"Package\" os_index=\"3\" cpuset=\"0x1\"/>\n<object type=\"Package\" os_index=\"3\" cpuset=\"0x2\"/>\n" + xmlPUs + xmlTail,
			"in:4: socket 3 occurs twice, give each socket a number of its own"},
		{"XML node twice", xmlHead + xmlPUs + twoNodes + strings.Replace(twoNodes, "0x1", "0x0", 1) + xmlTail, ": node 0 occurs twice, keep one"},
		{"XML cache level", xmlHead + xmlPUs + "<object type=\"Cache\" depth=\"77\" cpuset=\"0x1\"/>\n" + xmlTail, `in:5: the Cache has the level "77"`},
		{"XML cache size", xmlHead + xmlPUs + "<object type=\"L2Cache\" cache_size=\"-5\" cpuset=\"0x1\"/>\n" + xmlTail, `in:5: cache_size "-5" is no number of bytes`},
		{"XML bitmap", xmlHead + xmlPUs + "<object type=\"Core\" cpuset=\"0xg\"/>\n" + xmlTail, `in:5: cpuset: CPU mask "0xg"`},
		{"XML distances too few", xmlHead + xmlPUs + twoNodes + "</object>\n<distances2 type=\"NUMANode\" nbobjs=\"2\" kind=\"5\" indexing=\"os\">\n" +
			"<indexes>0 1</indexes><u64values>10 20 20</u64values></distances2></topology>", "in:8: the distance table has 3 values for 2 nodes, it needs 4"},
		{"XML distances diagonal", xmlHead + xmlPUs + twoNodes + "</object>\n<distances2 type=\"NUMANode\" nbobjs=\"2\" kind=\"5\" indexing=\"os\">\n" +
			"<indexes>0 1</indexes><u64values>11 20 20 10</u64values></distances2></topology>", "in:8: node 0 has the distance 11 to itself, it has to be 10"},
		{"XML latency base", strings.Replace(xmlHead, ` version="2.0"`, "", 1) + "<distances nbobjs=\"2\" relative_depth=\"1\" latency_base=\"0\"/>\n" + xmlPUs + twoNodes + xmlTail,
			`in:3: latency_base "0" is no number above 0`},

		// numactl.
		{"numactl counts", "available: 3 nodes (0-1)\nnode 0 cpus: 0\nnode 1 cpus: 1\n", "in:1: 3 nodes are counted but 2 are listed, correct one"},
		{"numactl without nodes", "available: 0 nodes ()\n", "in:1: numactl found no nodes"},
		{"numactl node twice", "node 0 cpus: 0\nnode 0 cpus: 1\n", "in:2: node 0 is listed twice, keep one"},
		{"numactl CPU twice", "node 0 cpus: 0 1\nnode 1 cpus: 1 2\n", "in:2: CPU 1 is in the nodes 0 and 1, correct one"},
		{"numactl CPU of text", "node 0 cpus: 0 one\n", `in:1: "one" is no CPU number`},
		{"numactl row missing", "node 0 cpus: 0\nnode 1 cpus: 1\nnode distances:\nnode 0 1\n 0: 10 20\n", "in:3: the distance table has no row for node 1"},
		{"numactl row cut off", "node 0 cpus: 0\nnode 1 cpus: 1\nnode distances:\nnode 0 1\n 0: 10 20\n 1: 20\n", "in:3: the distance table has 1 distances for node 1 and 2 columns"},
		{"numactl row twice", "node 0 cpus: 0\nnode distances:\nnode 0\n 0: 10\n 0: 10\n", "in:5: the distance table has two rows for node 0"},
		{"numactl no heading", "node 0 cpus: 0\nnode distances:\n 0: 10\n", "in:2: the distance table has no heading"},
		{"numactl node not in table", "node 0 cpus: 0\nnode 1 cpus: 1\nnode distances:\nnode 0\n 0: 10\n", "in:3: the distance table has no node 1, complete it"},
		{"numactl diagonal", "node 0 cpus: 0\nnode distances:\nnode 0\n 0: 20\n", "in:2: node 0 has the distance 20 to itself, it has to be 10"},
		{"numactl low distance", "node 0 cpus: 0\nnode 1 cpus: 1\nnode distances:\nnode 0 1\n 0: 10 5\n 1: 5 10\n", "the distance 5 from node 0 to node 1 is out of range"},
		{"numactl twice", "available: 1 nodes (0)\nnode 0 cpus: 0\navailable: 1 nodes (0)\n", "in:3: the output of numactl -H begins a second time"},

		// /proc/cpuinfo.
		{"cpuinfo CPU twice", "processor\t: 0\n\nprocessor\t: 0\n", "in:3: CPU 0 occurs twice, keep one"},
		{"cpuinfo huge CPU", "processor\t: 99999\n", `in:1: "99999" is no CPU number`},
		{"cpuinfo core id", "processor\t: 0\nphysical id\t: 0\ncore id\t: -\n", `in:1: core id: "-" is no count`},

		// Archives.
		{"gzip cut off", "\x1f\x8b\x08\x00", "in: the archive is cut off, copy it again"},
		{"bzip2 damaged", "BZh9garbage", "in: the archive is damaged"},

		// Several machines in one file.
		{"two machines", summaryHead + "\nnode 0 cpus: 0 1 2 3 4 5\nnode 0 size: 1 MB\n", "contradict each other: CPUs"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f, err := Read("in", []byte(test.text))
			if err == nil {
				t.Fatalf("no error, but %v", f)
			}
			if f != nil {
				t.Errorf("an error and Facts %v", f)
			}
			if !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "in:") {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
}

func TestBadTree(t *testing.T) {
	const cpu = "sys/devices/system/cpu/"
	const two = "-- " + cpu + "present --\n0-1\n-- " + cpu + "online --\n0-1\n"
	tests := []struct{ name, text, want string }{
		{"no sysfs", "-- etc/passwd --\nroot\n", "tree: there is no sys/devices/system/cpu in it"},
		{"no CPUs", "-- " + cpu + "present --\n\n", "tree:sys/devices/system/cpu: there are no CPUs in it"},
		{"online not present", "-- " + cpu + "present --\n0\n-- " + cpu + "online --\n0-1\n", "tree:" + cpu + "online: the CPUs 1 are online but not present"},
		{"list", "-- " + cpu + "present --\n0-\n", "tree:" + cpu + `present: CPU list "0-": "" is no CPU number`},
		{"mask beyond the CPUs", two + "-- " + cpu + "cpu0/topology/core_siblings --\nff\n", "core_siblings: CPU 2 is not among those that are present"},
		{"not in own set", two + "-- " + cpu + "cpu0/topology/thread_siblings_list --\n1\n", "thread_siblings_list: CPU 0 is not in its own set 1"},
		{"CPU in two cores", two + "-- " + cpu + "cpu0/topology/thread_siblings_list --\n0\n-- " + cpu + "cpu1/topology/thread_siblings_list --\n0-1\n",
			"cpu1/topology/thread_siblings_list: CPU 0 is in two cores, 0 and 0-1"},
		{"core id", two + "-- " + cpu + "cpu0/topology/core_id --\nabc\n", `core_id: "abc" is no number`},
		{"cache type", two + "-- " + cpu + "cpu0/cache/index0/level --\n1\n-- " + cpu + "cpu0/cache/index0/type --\nVictim\n", `type: "Victim" is no type of a cache`},
		{"cache level", two + "-- " + cpu + "cpu0/cache/index0/level --\n0\n", "level: 0 is no level of a cache"},
		{"cache cuts a core", two + "-- " + cpu + "cpu0/topology/thread_siblings_list --\n0-1\n-- " + cpu + "present --\n0-2\n-- " + cpu + "online --\n0-2\n-- " +
			cpu + "cpu1/topology/thread_siblings_list --\n0-1\n-- " + cpu + "cpu2/topology/thread_siblings_list --\n2\n-- " +
			cpu + "cpu1/cache/index0/level --\n2\n-- " + cpu + "cpu1/cache/index0/shared_cpu_list --\n1-2\n", "the L2 cache of CPUs 1-2 cuts the core of CPUs 0-1"},
		{"nodes overlap", two + "-- sys/devices/system/node/node0/cpulist --\n0-1\n-- sys/devices/system/node/node1/cpulist --\n1\n", "node1/cpulist: CPU 1 is in the nodes 0 and 1"},
		{"node beyond the CPUs", two + "-- sys/devices/system/node/node0/cpulist --\n0-9\n", "node0/cpulist: CPU 2 is not among those that are possible"},
		{"distance missing", two + "-- sys/devices/system/node/node0/distance --\n10 20\n-- sys/devices/system/node/node1/cpulist --\n1\n",
			"tree:sys/devices/system/node/node1/distance: it has 0 distances for 2 nodes"},
		{"distance of text", two + "-- sys/devices/system/node/node0/distance --\nnear\n", `distance: "near" is no count`},
		{"memory", two + "-- sys/devices/system/node/node0/meminfo --\nNode 0 MemTotal: lots kB\n", `meminfo: "lots kB" is no size in kB`},
		{"huge file", two + "-- " + cpu + "cpu0/topology/core_id --\n" + strings.Repeat("0", maxSysFile+1), "core_id: the file has more than 65536 bytes"},
		{"huge CPU", "-- " + cpu + "cpu99999/online --\n1\n", "CPU 99999 is out of range"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f, err := readTreeText(test.text)
			if err == nil {
				t.Fatalf("no error, but %v", f)
			}
			if f != nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "tree:") {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
}
