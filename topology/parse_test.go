package topology

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseCSL(t *testing.T) {
	m := load(t, "csl-2s-80")
	if len(m.CPUs) != 80 || m.Cores() != 40 || m.LLCs() != 2 || m.Nodes() != 2 || m.Sockets() != 2 {
		t.Errorf("%d CPUs, %d cores, %d caches, %d nodes, %d sockets", len(m.CPUs), m.Cores(), m.LLCs(), m.Nodes(), m.Sockets())
	}
	want := Quantity{Value: 141, Unit: "ns", Kind: Derived, Uncertainty: 10, Source: "c2c6242"}
	if got := m.Transfer.Remote[21]; got != want {
		t.Errorf("remote transfer %+v, want %+v", got, want)
	}
	if s := m.IdleStates[3]; s.Name != "C6" || s.ExitLatency != 133000 || s.TargetResidency != 600000 || s.MeanExit.Value != 35000 {
		t.Errorf("last idle state %+v", s)
	}
	if c := m.Caches[3]; c.SizeKiB != 28160 || c.Level != 3 || c.Latency.Value != 21 {
		t.Errorf("last cache %+v", c)
	}
	if m.DistancesInfo.Value != 21 || m.Frequency.TurboInfo.Value != 2800 {
		t.Errorf("tables stand for %v and %v", m.DistancesInfo.Value, m.Frequency.TurboInfo.Value)
	}
	if len(m.SMTThroughput) != 2 || m.SMTThroughput[1].Value != 1.25 {
		t.Errorf("SMT throughput %+v", m.SMTThroughput)
	}
	if m.Costs.RefillL2.Value != 60000 || m.Costs.ContextSwitch.Kind != Assumed {
		t.Errorf("costs %+v", m.Costs)
	}
	if m.Numbering.Scheme != ThreadsLast || m.Numbering.Kind != Assumed {
		t.Errorf("numbering %+v", m.Numbering)
	}
}

// TestParseErrors makes one mistake at a time in a good file. The error has to
// be on the line that at first occurs on in the text with the mistake.
func TestParseErrors(t *testing.T) {
	const contextSwitch = "context_switch:  {value: 1200, unit: ns, kind: assumed, uncertainty: 40, source: judgement}"
	tests := []struct {
		name, old, new string
		at             string
		want           string
	}{
		{"unknown key", "vendor: intel", "vendor: intel\ncolour: blue", "colour:", `unknown field "colour", remove it or correct its spelling`},
		{"unknown inner key", contextSwitch, "context_switch: {value: 1, val: 1}", "context_switch:", `unknown field "val", remove it or correct its spelling`},
		{"key twice", "vendor: intel", "vendor: intel\nvendor: amd", "vendor: amd", `mapping key "vendor" already defined at [16:1], keep one of the two`},
		{"wrong type", "value: 1200,", "value: fast,", "value: fast", `"fast" is a text, write a number`},
		{"not whole", "year: 2019", "year: 2019.5", "year:", `"2019.5" is a number, write a whole number`},
		{"list for text", "vendor: intel", "vendor: [intel]", "vendor:", `"[" is a list, write a text`},
		{"syntax", "vendor: intel", "vendor: [intel", "arch:", `',' or ']' must be specified, correct the YAML`},
		{"alias", "vendor: intel", "vendor: &v intel", "vendor: &v", "anchors, aliases, merge keys and tags are not allowed, write the value itself"},
		{"schema", "schedlab-machine/1", "schedlab-machine/2", "schema:", `schema: is "schedlab-machine/2", write "schedlab-machine/1"`},
		{"id", "id: csl-2s-80", "id: CSL", "id: CSL", `id: "CSL" is no id, use lower-case letters and digits joined by '-'`},
		{"no name", "name: 2x CascadeLake", "name: # 2x CascadeLake", "name: #", "name: is missing, write it"},
		{"key left out", "vendor: intel\n", "", "schema:", "vendor: is missing, write it"},
		{"year", "year: 2019", "year: 19", "year: 19", "year: is 19, give the year in which the CPU was launched"},
		{"empty source", "definition: true by definition", `definition: ""`, `definition: ""`, "sources.definition: is missing, write it"},

		{"no quantity", "  " + contextSwitch + "\n", "", "costs:", "costs.context_switch: is missing, give value, unit, kind, uncertainty and source"},
		{"no value", "value: 1200, ", "", "context_switch:", "costs.context_switch.value: is missing, give the number in ns"},
		{"negative", "value: 1200,", "value: -1,", "context_switch:", "costs.context_switch.value: -1 is out of range, give a number from 0 to 1e+15"},
		{"not a number", "value: 1200,", "value: .nan,", "context_switch:", "costs.context_switch.value: NaN is out of range, give a number from 0 to 1e+15"},
		{"unit", "value: 1200, unit: ns", "value: 1.2, unit: us", "context_switch:", `costs.context_switch.unit: is "us", convert the value and write ns`},
		{"kind", contextSwitch, strings.Replace(contextSwitch, "assumed", "guessed", 1), "guessed", `costs.context_switch.kind: unknown kind "guessed", use measured, vendor, derived or assumed`},
		{"no uncertainty", contextSwitch, strings.Replace(contextSwitch, "uncertainty: 40, ", "", 1), "context_switch:", "costs.context_switch.uncertainty: is missing, give the half-width of the plausible range in percent"},
		{"uncertainty", contextSwitch, strings.Replace(contextSwitch, "40", "140", 1), "140", "costs.context_switch.uncertainty: 140 is out of range, give a percentage from 0 to 100"},
		{"source", contextSwitch, strings.Replace(contextSwitch, "judgement", "hearsay", 1), "hearsay", `costs.context_switch.source: "hearsay" is not in sources, add it there or correct it`},

		{"no sockets", "sockets:          {value: 2", "sockets:          {value: 0", "sockets:", "counts.sockets.value: 0 is no count, give a whole number from 1 to 8192"},
		{"half a core", "cores_per_socket: {value: 20", "cores_per_socket: {value: 19.5", "cores_per_socket:", "counts.cores_per_socket.value: 19.5 is no count, give a whole number from 1 to 8192"},
		{"too many CPUs", "cores_per_socket: {value: 20", "cores_per_socket: {value: 8000", "counts:", "counts: more than the 8192 CPUs that x86 Linux can have, lower the counts"},
		{"uneven caches", "cores_per_llc:    {value: 20", "cores_per_llc:    {value: 3", "counts:", "counts: 20 cores a socket do not divide into caches of 3 cores, correct one of the two"},
		{"uneven nodes", "nodes:            {value: 2", "nodes:            {value: 3", "counts:", "counts: 3 nodes do not divide 2 sockets of 20 cores evenly, correct one of them"},
		{"small nodes", "nodes:            {value: 2", "nodes:            {value: 4", "counts:", "counts: 10 cores a node do not divide into caches of 20 cores, correct one of the two (nodes smaller than a cache are not supported)"},
		{"scheme", "scheme: threads_last", "scheme: random", "scheme: random", `numbering.scheme: unknown numbering "random", use one of [threads_last adjacent odd_even]`},
		{"siblings", `siblings_of_cpu0: "0,40"`, `siblings_of_cpu0: "0-1"`, "siblings_of_cpu0:", `numbering.siblings_of_cpu0: "0-1" is not what counts and scheme give, correct one of them or write "0,40"`},
		{"CPU on two nodes", `"20-39,60-79"`, `"19-39,60-79"`, `"19-39`, `numbering.nodes.1: "19-39,60-79" is not what counts and scheme give, correct one of them or write "20-39,60-79"`},
		{"CPU list", `"20-39,60-79"`, `"20-39,all"`, `"20-39,all"`, `numbering.nodes.1: CPU list "20-39,all": "all" is no CPU number, give one below 8192`},
		{"node left out", "    - \"20-39,60-79\"\n", "", "  nodes:\n", "numbering.nodes: 1 CPU lists for 2 nodes, give one a node"},

		{"rows", "    - [21, 10]\n", "", "matrix:", "distances.matrix: 1 rows for 2 nodes, write a square matrix"},
		{"columns", "- [21, 10]", "- [21, 10, 21]", "[21, 10, 21]", "distances.matrix.1: 3 entries for 2 nodes, write a square matrix"},
		{"diagonal", "- [21, 10]", "- [21, 11]", "[21, 11]", "distances.matrix.1: node 1 is 11 from itself, write 10"},
		{"asymmetric", "- [21, 10]", "- [20, 10]", "[20, 10]", "distances.matrix.1: distance 20 to node 0, but 21 back, make the matrix symmetric"},
		{"unreachable", "- [10, 21]", "- [10, 255]", "[10, 255]", "distances.matrix.0: distance 255 to node 1 is out of range, give 11 to 254"},

		{"cache level", "level: 3", "level: 1", "level: 1\n    type: unified\n    shared_by: socket", "caches.3.level: 1 follows 2, sort the caches by level"},
		{"cache type", "type: instruction", "type: trace", "type: trace", `caches.1.type: unknown type "trace", use data, instruction or unified`},
		{"cache scope", "shared_by: socket", "shared_by: board", "shared_by: board", `caches.3.shared_by: unknown scope "board", use core, l2, llc, node or socket, or listed with cpus`},
		{"cache size", "size:    {value: 1024,", "size:    {value: 0.5,", "value: 0.5", "caches.2.size.value: 0.5 is not positive and whole, correct it"},

		{"frequencies", "min:  {value: 800", "min:  {value: 2200", "frequency:", "frequency: min 2200, base 2100, max 3900 do not ascend from above 0, correct them"},
		{"turbo scope", "scope: socket", "scope: core", "scope: core", `frequency.turbo.scope: unknown scope "core", write socket`},
		{"bins not ascending", "{active_cores: 8,", "{active_cores: 4,", "{active_cores: 4, value: 3600}", "frequency.turbo.bins.2.active_cores: 4 follows 4, sort the bins by cores"},
		{"too many cores", "{active_cores: 20,", "{active_cores: 21,", "{active_cores: 21", "frequency.turbo.bins.5.active_cores: 21 is out of range, give 1 to 20, the cores of a socket"},
		{"clock rises", "value: 3400}", "value: 3700}", "{active_cores: 12", "frequency.turbo.bins.3.value: 3700 MHz with more cores than 3600 MHz, correct one: more cores never run faster"},
		{"above maximum", "value: 3900}", "value: 4000}", "{active_cores: 2,", "frequency.turbo.bins.0.value: 4000 MHz is out of range, give 1 to frequency.max, 3900"},
		{"last bin left out", "      - {active_cores: 20, value: 2800}\n", "", "bins:", "frequency.turbo.bins: end at 16 cores, add the bin of all 20"},

		{"exit latency", "value: 10000, unit", "value: 1000, unit", "value: 1000, unit", "idle_states.2.exit_latency: 1000 ns after 2000 ns, sort the states by depth"},
		{"residency", "target_residency: {value: 20000,", "target_residency: {value: 200,", "value: 200,", "idle_states.2.target_residency: 200 ns after 2000 ns, sort the states by depth"},
		{"idle name", "name: C1E", "name: ''", "name: ''", "idle_states.2.name: is missing, write it"},
		{"remote distance", "    21: {value: 141", "    20: {value: 141", "    20:", "transfer.remote.20: no two nodes are at distance 20, remove it"},
		{"no siblings", "  smt_sibling: {value: 7.4, unit: ns, kind: derived, uncertainty: 6, source: c2c6242}\n", "", "transfer:", "transfer.smt_sibling: is missing, give it for two threads of a core"},
		{"throughput", "value: 1.25,", "value: 0.9,", "value: 0.9", "smt_throughput.1.value: 0.9 after 1, which would slow the core down, correct one of the two"},
		{"unit throughput", "value: 1, unit: ratio", "value: 2, unit: ratio", "value: 2, unit: ratio", "smt_throughput.0.value: one busy thread is the unit, write 1"},
	}
	text := cslText(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			bad := edit(t, text, test.old, test.new)
			i := strings.Index(bad, test.at)
			if i < 0 {
				t.Fatalf("%q is not in the text", test.at)
			}
			line := 1 + strings.Count(bad[:i], "\n")
			m, err := Parse("bad.yaml", []byte(bad))
			if m != nil || err == nil {
				t.Fatalf("machine %v, error %v", m != nil, err)
			}
			want := fmt.Sprintf("bad.yaml:%d: %s", line, test.want)
			for _, got := range strings.Split(err.Error(), "\n") {
				if got == want {
					return
				}
			}
			t.Errorf("error\n%v\nwant\n%s", err, want)
		})
	}
}

func TestParseNoMachine(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", "", "x.yaml:1: the file holds 0 YAML documents with content, write one machine a file"},
		{"comment", "# nothing\n", "x.yaml:1: the file holds 0 YAML documents with content, write one machine a file"},
		{"two", "a: 1\n---\nb: 2\n", "x.yaml:1: the file holds 2 YAML documents with content, write one machine a file"},
		{"text", "hello\n", `x.yaml:1: the file is no list of keys and values, start it with "schema: schedlab-machine/1"`},
		{"large", strings.Repeat("#", maxFileBytes+1), "x.yaml:1: the file has 524289 bytes, keep it below 524288"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Parse("x.yaml", []byte(test.text))
			if err == nil || err.Error() != test.want {
				t.Errorf("error %v, want %s", err, test.want)
			}
		})
	}
}

// TestParseSeveral: all mistakes are reported at once, in the order of lines.
func TestParseSeveral(t *testing.T) {
	text := edit(t, cslText(t), "value: 1200, unit: ns", "value: 1200, unit: us")
	text = edit(t, text, "id: csl-2s-80", "id: no id")
	_, err := Parse("bad.yaml", []byte(text))
	if err == nil {
		t.Fatal("no error")
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], ": id: ") || !strings.Contains(lines[1], ": costs.context_switch.unit: ") {
		t.Errorf("errors %q", lines)
	}
}

func TestParseDeep(t *testing.T) {
	for _, open := range []string{"[", "{a: ", "[]{", "- ", "? ", "!t ", "&a "} {
		text := "a:\n  " + strings.Repeat(open, maxFileBytes/len(open)-10)
		if _, err := Parse("deep.yaml", []byte(text)); err == nil {
			t.Errorf("%q nested deeply: no error", open)
		}
	}
	_, err := Parse("deep.yaml", []byte("a: 1\nb: "+strings.Repeat("[", 17)))
	want := "deep.yaml:2: brackets or lists are nested too deeply, simplify the file"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(cslText(f)))
	for _, s := range []string{"", "a: &a [*a]", "schema: schedlab-machine/1\ncounts: {sockets: {value: 1e300}}", "? [a]\n: b", "- 1\n- 2", "a: !!binary x"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Parse("fuzz.yaml", data)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "fuzz.yaml:") {
				t.Errorf("error without file and line: %v", err)
			}
			return
		}
		// Whatever Parse lets through has to be usable.
		m.Hash()
		if m.Arch == "x86_64" && len(m.CPUs) <= 256 {
			if err := m.WriteText(new(strings.Builder)); err != nil {
				t.Error(err)
			}
		}
	})
}
