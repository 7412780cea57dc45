package topology

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// listedText is a machine whose CPUs are listed.
func listedText(t testing.TB) string {
	t.Helper()
	data, err := os.ReadFile("testdata/listed.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestLayout(t *testing.T) {
	m, err := Parse("listed.yaml", []byte(listedText(t)))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range m.CPUs {
		got = append(got, fmt.Sprintf("%d %s core %d/%d l2 %d llc %d node %d kind %d", c.ID, c.State, c.Core, c.Thread, c.L2, c.LLC, c.Node, c.Kind))
	}
	want := []string{
		"0 online core 0/0 l2 0 llc 0 node 0 kind 0",
		"1 online core 0/1 l2 0 llc 0 node 0 kind 0",
		"2 online core 1/0 l2 1 llc 0 node 0 kind 0",
		"3 online core 1/1 l2 1 llc 0 node 0 kind 0",
		"4 online core 2/0 l2 2 llc 0 node 0 kind 1",
		"5 online core 3/0 l2 2 llc 0 node 0 kind 1",
		"6 online core 4/0 l2 2 llc 0 node 0 kind 1",
		"7 online core 5/0 l2 2 llc 0 node 0 kind 1",
		"8 offline core -1/-1 l2 -1 llc -1 node -1 kind -1",
		"9 absent core -1/-1 l2 -1 llc -1 node -1 kind -1",
		"10 online core 6/0 l2 3 llc 1 node 1 kind 2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
	if m.Cores() != 7 || m.L2s() != 4 || m.LLCs() != 2 || m.Nodes() != 3 || m.Sockets() != 1 ||
		m.CoresPerSocket() != 7 || m.ThreadsPerCore() != 2 || len(m.OnlineCPUs()) != 9 {
		t.Errorf("%d cores, %d L2s, %d LLCs, %d nodes, %d sockets, %d cores a socket, %d threads a core, CPUs %v", m.Cores(),
			m.L2s(), m.LLCs(), m.Nodes(), m.Sockets(), m.CoresPerSocket(), m.ThreadsPerCore(), m.OnlineCPUs())
	}
	if n := m.NUMANodes[2]; n.ID != 5 || *n.MemoryMiB != 64000 {
		t.Errorf("last node %+v", n)
	}
	if got := fmt.Sprint(m.Instances(m.Caches[2])); got != "[[4 5 6 7] [10]]" {
		t.Errorf("instances of the second L2: %s", got)
	}
	if got := fmt.Sprint(m.Instances(m.Caches[0])); got != "[[0 1] [2 3] [4] [5] [6] [7] [10]]" {
		t.Errorf("instances of L1d: %s", got)
	}
	if diff := cmp.Diff(m, writeRead(t, m)); diff != "" {
		t.Errorf("written and read back (-machine +read back):\n%s", diff)
	}
}

// TestLayoutErrors makes one mistake at a time in a good layout.
func TestLayoutErrors(t *testing.T) {
	tests := []struct {
		name, old, new, at, want string
	}{
		{"no cores", `  cores: ["0-1", "2-3", "4", "5", "6", "7", "10"]` + "\n  l2s: [\"0-1\", \"2-3\", \"4-7\", \"10\"]\n", "", "layout:", "layout.cores: is missing, list the CPUs of each core"},
		{"CPU twice", `"6", "7", "10"]`, `"6-7", "7", "10"]`, "  cores:", "layout.cores.5: CPU 7 is also in core 4, list it once"},
		{"on and off", `offline: "8"`, `offline: "7-8"`, "  offline:", "layout.offline: CPU 7 is also in core 5, list it once"},
		{"no CPU number", `offline: "8"`, `offline: "9000"`, "  offline:", `layout.offline: CPU list "9000": "9000" is no CPU number, give one below 8192`},
		{"empty core", `"4", "5"`, `"4", "", "5"`, "  cores:", "layout.cores.3: is empty, list its CPUs or remove it"},
		{"beyond the CPUs", `llcs: ["0-7", "10"]`, `llcs: ["0-7", "10-12"]`, "  llcs:", "layout.llcs.1: CPU 11 is in no core, add it there or remove it here"},
		{"offline in a cache", `llcs: ["0-7", "10"]`, `llcs: ["0-8", "10"]`, "  llcs:", "layout.llcs.0: CPU 8 is in no core, add it there or remove it here"},
		{"left out", `llcs: ["0-7", "10"]`, `llcs: ["0-6"]`, "  llcs:", "layout.llcs: CPUs 7,10 are in no list, add them"},
		{"in two", `llcs: ["0-7", "10"]`, `llcs: ["0-7", "7,10"]`, "  llcs:", "layout.llcs.1: CPU 7 is also in list 0, list it once"},
		{"core cut by a node", `{id: 0, cpus: "0-7", memory_mib: 32000}`, `{id: 0, cpus: "0-2", memory_mib: 32000}` + "\n    - {id: 1, cpus: \"3-7\"}", "  nodes:", "layout.nodes: CPUs 2 and 3 share a core but no node, correct one of the lists"},
		{"cache cut by a socket", `sockets: ["0-7,10"]`, `sockets: ["0-3", "4-7,10"]`, "  sockets:", "layout.sockets: CPUs 0 and 4 share a last-level cache but no socket, correct one of the lists"},
		{"node twice", "{id: 2,", "{id: 0,", `    - {id: 0, cpus: "10"`, "layout.nodes.1.id: node 0 follows node 0, sort the nodes by number and name each once"},
		{"node number", "{id: 5,", "{id: 1024,", "    - {id: 1024", "layout.nodes.2.id: 1024 is no node number, give one below 1024"},
		{"CPU on two nodes", `cpus: "10", memory_mib: 0`, `cpus: "7,10", memory_mib: 0`, "    - {id: 2", "layout.nodes.1.cpus: CPU 7 is also on node 0, list it once"},
		{"memory", "memory_mib: 64000", "memory_mib: -1", "    - {id: 5", "layout.nodes.2.memory_mib: -1 is no size, give the MiB of the node's memory, 0 for none"},
		{"kind left out", `{name: E, cpus: "4-7", capacity: 600}`, `{name: E, cpus: "4-6", capacity: 600}`, "  core_kinds:", "layout.core_kinds: CPUs 7 are in no list, add them"},
		{"capacity", "capacity: 600", "capacity: 1025", "    - {name: E", "layout.core_kinds.1.capacity: 1025 is no capacity, give 1 to 1024, the value of the fastest core, or leave it out"},
		{"both forms", "layout:\n", "counts: {}\nlayout:\n", "layout:", "layout: is given beside counts and numbering, keep either it or them"},
		{"distances", "    - [30, 30, 10]\n", "", "  matrix:", "distances.matrix: 2 rows for 3 nodes, write a square matrix"},
		{"cache of no CPU", `cpus: ["4-7", "10"]`, `cpus: ["4-7", "11"]`, `    cpus: ["4-7", "11"]`, "caches.2.cpus.1: CPU 11 is in no core, add it there or remove it here"},
		{"cache lists", "shared_by: core\n", "shared_by: core\n    cpus: [\"0\"]\n", "    cpus: [\"0\"]", "caches.0.cpus: lists CPUs of a cache that each core has, remove it or write shared_by: listed"},
		{"transfer left out", "  same_socket: {value: 90, unit: ns, kind: assumed, uncertainty: 20, source: test}\n", "", "transfer:", "transfer.same_socket: is missing, give it for two last-level caches of a socket"},
		{"bandwidth left out", "  remote_bandwidth: {value: 20, unit: GB/s, kind: assumed, uncertainty: 20, source: test}\n", "", "memory:", "memory.remote_bandwidth: is missing, give it for a machine of several nodes"},
		{"driver", "driver: intel_pstate", "driver: pstate", "    driver:", "frequency.control.driver: unknown driver \"pstate\", use one of [intel_pstate acpi-cpufreq powernv-cpufreq pseries cppc_cpufreq]"},
		{"HWP", "driver: intel_pstate", "driver: acpi-cpufreq", "    hwp:", "frequency.control.hwp: is true with acpi-cpufreq, correct one of them: only intel_pstate has HWP"},
		{"clock", "clock: core", "clock: die", "    clock:", `frequency.control.clock: unknown clock "die", write core or socket, whichever has a clock of its own`},
	}
	text := listedText(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			bad := edit(t, text, test.old, test.new)
			i := strings.Index(bad, test.at)
			if i < 0 {
				t.Fatalf("%q is not in the text", test.at)
			}
			m, err := Parse("bad.yaml", []byte(bad))
			if m != nil || err == nil {
				t.Fatalf("machine %v, error %v", m != nil, err)
			}
			want := fmt.Sprintf("bad.yaml:%d: %s", 1+strings.Count(bad[:i], "\n"), test.want)
			if !strings.Contains(err.Error(), want) {
				t.Errorf("error\n%v\nwant\n%s", err, want)
			}
		})
	}
}
