package complete

import (
	"fmt"
	"strings"
	"testing"

	"github.com/schedlab/schedlab/topology"
	"github.com/schedlab/schedlab/topology/dump"
)

// read merges texts that tools print.
func read(t *testing.T, texts ...string) *dump.Facts {
	t.Helper()
	var all []*dump.Facts
	for i, text := range texts {
		f, err := dump.Read(fmt.Sprintf("input%d", i), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	merged, conflicts := dump.Merge(all...)
	for _, c := range conflicts {
		t.Logf("conflict: %s", c)
	}
	if merged == nil {
		t.Fatal("the inputs do not merge")
	}
	return merged
}

// lscpu is a summary of lscpu with these lines.
func lscpu(lines ...string) string {
	return "Architecture: x86_64\nVendor ID: GenuineIntel\n" + strings.Join(lines, "\n") + "\n"
}

// shape says in one line how a machine is laid out.
func shape(m *topology.Machine) string {
	var offline []int
	for _, c := range m.CPUs {
		if c.State != topology.Online {
			offline = append(offline, c.ID)
		}
	}
	first := m.OnlineCPUs()[0]
	sharing := func(part string) string {
		for _, set := range m.Instances(topology.Cache{SharedBy: part}) {
			if set[0] == first {
				return topology.FormatCPUList(set)
			}
		}
		return "none"
	}
	s := fmt.Sprintf("%d sockets %d nodes %d LLCs %d L2s %d cores %d CPUs: core %s, l2 %s, llc %s, node %s, socket %s",
		m.Sockets(), m.Nodes(), m.LLCs(), m.L2s(), m.Cores(), len(m.OnlineCPUs()),
		sharing("core"), sharing("l2"), sharing("llc"), sharing("node"), sharing("socket"))
	if offline != nil {
		s += ", off " + topology.FormatCPUList(offline)
	}
	return s
}

func TestPlaces(t *testing.T) {
	smt := []string{"CPU(s): 16", "On-line CPU(s) list: 0-15", "Thread(s) per core: 2"}
	with := func(lines ...string) string { return lscpu(append(smt[:len(smt):len(smt)], lines...)...) }
	tests := []struct {
		name    string
		inputs  []string
		want    string
		assumed string // part of the note on what was assumed; empty if nothing
	}{
		{
			"threads last by nodes",
			[]string{with("Socket(s): 2", "NUMA node(s): 2", "NUMA node0 CPU(s): 0-3,8-11", "NUMA node1 CPU(s): 4-7,12-15",
				"L2 cache: 8 MiB (8 instances)", "L3 cache: 32 MiB (2 instances)")},
			"2 sockets 2 nodes 2 LLCs 8 L2s 8 cores 16 CPUs: core 0,8, l2 0,8, llc 0-3,8-11, node 0-3,8-11, socket 0-3,8-11",
			"the threads of a core numbered last",
		},
		{
			"adjacent by nodes",
			[]string{with("Socket(s): 2", "NUMA node(s): 2", "NUMA node0 CPU(s): 0-7", "NUMA node1 CPU(s): 8-15",
				"L2 cache: 8 MiB (8 instances)", "L3 cache: 32 MiB (2 instances)")},
			"2 sockets 2 nodes 2 LLCs 8 L2s 8 cores 16 CPUs: core 0-1, l2 0-1, llc 0-7, node 0-7, socket 0-7",
			"the threads of a core numbered one after the other",
		},
		{
			"odd and even",
			[]string{with("Socket(s): 2", "NUMA node(s): 2", "NUMA node0 CPU(s): 0,2,4,6,8,10,12,14", "NUMA node1 CPU(s): 1,3,5,7,9,11,13,15",
				"L2 cache: 8 MiB (8 instances)", "L3 cache: 32 MiB (2 instances)")},
			"2 sockets 2 nodes 2 LLCs 8 L2s 8 cores 16 CPUs: core 0,8, l2 0,8, llc 0,2,4,6,8,10,12,14, node 0,2,4,6,8,10,12,14, socket 0,2,4,6,8,10,12,14",
			"the threads of a core numbered last",
		},
		{
			"several caches a node",
			[]string{with("Socket(s): 1", "NUMA node(s): 1", "NUMA node0 CPU(s): 0-15", "L2 cache: 4 MiB (8 instances)", "L3 cache: 64 MiB (4 instances)")},
			"1 sockets 1 nodes 4 LLCs 8 L2s 8 cores 16 CPUs: core 0,8, l2 0,8, llc 0-1,8-9, node 0-15, socket 0-15",
			"each level-3 cache shared by 2 consecutive cores",
		},
		{
			"cache sizes of an old lscpu",
			[]string{with("Socket(s): 2", "NUMA node(s): 2", "NUMA node0 CPU(s): 0-3,8-11", "NUMA node1 CPU(s): 4-7,12-15", "L2 cache: 256K", "L3 cache: 8192K")},
			"2 sockets 2 nodes 2 LLCs 8 L2s 8 cores 16 CPUs: core 0,8, l2 0,8, llc 0-3,8-11, node 0-3,8-11, socket 0-3,8-11",
			"a last-level cache a socket",
		},
		{
			"two sockets on one node",
			[]string{with("Socket(s): 4", "NUMA node(s): 3", "NUMA node0 CPU(s): 0-3,8-11", "NUMA node2 CPU(s): 4-5,12-13", "NUMA node3 CPU(s): 6-7,14-15",
				"L2 cache: 4 MiB (8 instances)", "L3 cache: 64 MiB (4 instances)")},
			"4 sockets 3 nodes 4 LLCs 8 L2s 8 cores 16 CPUs: core 0,8, l2 0,8, llc 0-1,8-9, node 0-3,8-11, socket 0-1,8-9",
			"a socket a last-level cache",
		},
		{
			"offline CPUs",
			[]string{"# CPU,Core,Socket,Node,,L1d,L1i,L2,L3\n0,0,0,0,,0,0,0,0\n2,1,0,0,,1,1,1,0\n", lscpu("CPU(s): 4", "On-line CPU(s) list: 0,2", "Off-line CPU(s) list: 1,3")},
			"1 sockets 1 nodes 1 LLCs 2 L2s 2 cores 2 CPUs: core 0, l2 0, llc 0,2, node 0,2, socket 0,2, off 1,3",
			"",
		},
		{
			"node without CPUs",
			[]string{with("Socket(s): 1", "L2 cache: 4 MiB (8 instances)", "L3 cache: 16 MiB (1 instance)"),
				"available: 2 nodes (0,2)\nnode 0 cpus: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\nnode 0 size: 1000 MB\nnode 2 cpus:\nnode 2 size: 500 MB\n" +
					"node distances:\nnode   0   2\n  0:  10  17\n  2:  17  10\n"},
			"1 sockets 2 nodes 1 LLCs 8 L2s 8 cores 16 CPUs: core 0,8, l2 0,8, llc 0-15, node 0-15, socket 0-15",
			"the threads of a core numbered last",
		},
		{
			"a socket for every core",
			[]string{lscpu("CPU(s): 8", "On-line CPU(s) list: 0-7", "Thread(s) per core: 1", "Core(s) per socket: 1", "Socket(s): 8",
				"L2 cache: 8 MiB (8 instances)", "L3 cache: 36 MiB (1 instance)")},
			"1 sockets 1 nodes 1 LLCs 8 L2s 8 cores 8 CPUs: core 0, l2 0, llc 0-7, node 0-7, socket 0-7",
			"a socket a NUMA node",
		},
		{
			"clusters of an Altra",
			[]string{"Architecture: aarch64\nCPU(s): 4\nOn-line CPU(s) list: 0-3\nThread(s) per core: 1\nVendor ID: ARM\nSocket(s): 1\nL2 cache: 4 MiB (4 instances)\n",
				"CPU NODE SOCKET CLUSTER CORE L1d:L1i:L2 ONLINE\n0 0 0 0 0 0:0:0 yes\n1 0 0 0 1 1:1:1 yes\n2 0 0 1 2 2:2:2 yes\n3 0 0 1 3 3:3:3 yes\n"},
			"1 sockets 1 nodes 2 LLCs 2 L2s 4 cores 4 CPUs: core 0, l2 0-1, llc 0-1, node 0-3, socket 0-3",
			"",
		},
		{
			"counts alone",
			[]string{lscpu("CPU(s): 4", "Thread(s) per core: 1", "Socket(s): 1", "L3 cache: 8 MiB (1 instance)")},
			"1 sockets 1 nodes 1 LLCs 4 L2s 4 cores 4 CPUs: core 0, l2 0, llc 0-3, node 0-3, socket 0-3",
			"numbered from 0",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m, err := Machine(read(t, test.inputs...), Options{ID: "test"})
			if err != nil {
				t.Fatal(err)
			}
			if got := shape(m); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			kind := topology.Measured
			if test.assumed != "" {
				kind = topology.Assumed
			}
			if m.Numbering.Kind != kind || !strings.Contains(m.Numbering.Note, test.assumed) || (m.Numbering.Note == "") != (test.assumed == "") {
				t.Errorf("layout is %s, %q; want %s, %q", m.Numbering.Kind, m.Numbering.Note, kind, test.assumed)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	tests := []struct{ name, input, want string }{
		{"no architecture", "# CPU,Core,Socket,Node,,L1d,L1i,L2,L3\n0,0,0,0,,0,0,0,0\n", "no input tells the architecture, give the output of lscpu as well, or say it (--arch)"},
		{"no CPUs", lscpu("Model name: Xeon", "L3 cache: 8 MiB (1 instance)"), "no input names or counts CPUs that are online"},
		{"nodes without CPUs", lscpu("CPU(s): 8", "On-line CPU(s) list: 0-7", "Thread(s) per core: 1", "NUMA node(s): 2"), "which CPUs are on which NUMA node, give the output of numactl -H"},
		{"odd threads", lscpu("CPU(s): 3", "On-line CPU(s) list: 0-2", "Thread(s) per core: 2"), "3 CPUs online do not divide into cores of 2 threads"},
		{"no numbering", lscpu("CPU(s): 4", "On-line CPU(s) list: 0-3", "Thread(s) per core: 2", "NUMA node0 CPU(s): 0,3", "NUMA node1 CPU(s): 1-2"), "no usual numbering of 2 threads a core fits the NUMA nodes"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m, err := Machine(read(t, test.input), Options{ID: "test"})
			checkError(t, err, test.want)
			if m != nil {
				t.Error("there is a machine all the same")
			}
		})
	}
}

// checkError fails the test if an error is not the one that is wanted; want is
// a part of it, empty for none.
func checkError(t *testing.T, err error, want string) {
	t.Helper()
	switch {
	case err == nil && want != "":
		t.Errorf("no error, want %q", want)
	case err != nil && (want == "" || !strings.Contains(err.Error(), want)):
		t.Errorf("error %v, want %q", err, want)
	}
}

// epyc is a server of two EPYC 7763.
const epyc = `Architecture: x86_64
CPU(s): 256
On-line CPU(s) list: 0-255
Vendor ID: AuthenticAMD
Model name: AMD EPYC 7763 64-Core Processor
CPU family: 25
Thread(s) per core: 2
Core(s) per socket: 64
Socket(s): 2
CPU max MHz: 3529.0520
CPU min MHz: 1500.0000
L1d cache: 4 MiB (128 instances)
L1i cache: 4 MiB (128 instances)
L2 cache: 64 MiB (128 instances)
L3 cache: 512 MiB (16 instances)
NUMA node(s): 2
NUMA node0 CPU(s): 0-63,128-191
NUMA node1 CPU(s): 64-127,192-255
`

// TestCarried: what dumps do not tell is from the nearest machine, says so, and
// is as uncertain as the machines of that vendor differ.
func TestCarried(t *testing.T) {
	m, err := Machine(read(t, epyc), Options{ID: "mine"})
	if err != nil {
		t.Fatal(err)
	}
	zen3, err := topology.Load("zen3-2s-256")
	if err != nil {
		t.Fatal(err)
	}
	if m.Name != "2x AMD EPYC 7763 64-Core Processor" || m.Vendor != "amd" || m.Year != 2020 || m.LLCs() != 16 {
		t.Errorf("%s, %s, %d, %d LLCs", m.Name, m.Vendor, m.Year, m.LLCs())
	}
	for _, q := range m.Quantities() {
		switch {
		case q.Source == definition:
		case q.Source == dumpKey && (q.Kind != topology.Measured || q.Uncertainty != 0):
			t.Errorf("%s is read from a dump and %s, +-%v %%", q.Name, q.Kind, q.Uncertainty)
		case q.Source != dumpKey && q.Kind != topology.Assumed && q.Name != "distances":
			t.Errorf("%s is carried over from %s and %s", q.Name, q.Source, q.Kind)
		}
		if m.Sources[q.Source] == "" {
			t.Errorf("%s has no source", q.Name)
		}
	}
	c := m.Costs.ContextSwitch
	if c.Source != "zen3-2s-256" || c.Value != zen3.Costs.ContextSwitch.Value || c.Uncertainty < zen3.Costs.ContextSwitch.Uncertainty {
		t.Errorf("context switch %+v, on zen3-2s-256 %+v", c, zen3.Costs.ContextSwitch)
	}
	// The three EPYCs of the catalogue are the range of the transfer between
	// caches of a socket.
	low, high := 1e9, 0.0
	for _, id := range []string{"zen2-2s-256", "zen3-2s-256", "zen4-2s-384"} {
		n, err := topology.Load(id)
		if err != nil {
			t.Fatal(err)
		}
		low, high = min(low, n.Transfer.SameSocket.Value), max(high, n.Transfer.SameSocket.Value)
	}
	q := m.Transfer.SameSocket
	if half := q.Value * q.Uncertainty / 100; q.Value-half > low || q.Value+half < high {
		t.Errorf("transfer %+v does not cover %v to %v ns of the other EPYCs", q, low, high)
	}
	if m.Frequency.MaxMHz.Value != 3529.052 || m.Frequency.MaxMHz.Kind != topology.Measured || m.Frequency.Turbo[0].MHz > 3529 {
		t.Errorf("frequency %+v", m.Frequency)
	}
}

func TestNeighbours(t *testing.T) {
	tests := []struct{ name, input, want string }{
		{"same model", epyc, "zen3-2s-256"},
		{"POWER", "Architecture: ppc64le\nCPU(s): 160\nOn-line CPU(s) list: 0-159\nThread(s) per core: 8\nCore(s) per socket: 10\nSocket(s): 2\n" +
			"Model name: POWER8E (raw), altivec supported\nNUMA node(s): 2\nNUMA node0 CPU(s): 0-79\nNUMA node8 CPU(s): 80-159\nL2 cache: 512K\nL3 cache: 8192K\n", "p8-2s4n"},
		{"one socket of Sapphire Rapids", lscpu("CPU(s): 64", "On-line CPU(s) list: 0-63", "Thread(s) per core: 2", "Socket(s): 1", "L2 cache: 64 MiB (32 instances)",
			"L3 cache: 60 MiB (1 instance)"), "spr-2s-224"},
		{"Arm", "Architecture: aarch64\nCPU(s): 80\nOn-line CPU(s) list: 0-79\nThread(s) per core: 1\nVendor ID: ARM\nModel name: Neoverse-N1\nL2 cache: 80 MiB (80 instances)\n", "altra-2s-160"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m, err := Machine(read(t, test.input), Options{ID: "test"})
			if err != nil {
				t.Fatal(err)
			}
			if got := m.Costs.ContextSwitch.Source; got != test.want {
				t.Errorf("nearest is %s, want %s", got, test.want)
			}
		})
	}
}

// TestCatalogNearest: each machine of the catalogue is its own nearest.
func TestCatalogNearest(t *testing.T) {
	for _, id := range topology.Catalog() {
		m, err := topology.Load(id)
		if err != nil {
			t.Fatal(err)
		}
		near, err := neighbours(m, "", featuresOf(m))
		if err != nil {
			t.Fatal(err)
		}
		if near[0].ID != id {
			t.Errorf("nearest to %s is %s", id, near[0].ID)
		}
	}
}

func TestID(t *testing.T) {
	for text, want := range map[string]string{
		"My Server_2.yaml": "my-server-2-yaml", "AMD EPYC 7763 64-Core": "amd-epyc-7763-64-core", "": "imported", "---": "imported",
	} {
		if got := ID(text); got != want {
			t.Errorf("ID(%q) = %q, want %q", text, got, want)
		}
	}
}
