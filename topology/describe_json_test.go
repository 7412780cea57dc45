package topology

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWriteJSON(t *testing.T) {
	var buf bytes.Buffer
	if err := load(t, "csl-2s-80").WriteJSON(&buf, "v5.10"); err != nil {
		t.Fatal(err)
	}
	goldenFile(t, "csl-2s-80.json", buf.Bytes())
}

// TestWriteJSONMachine decodes the JSON of every machine and compares it with
// the machine.
func TestWriteJSONMachine(t *testing.T) {
	for id, m := range describedMachines(t) {
		t.Run(id, func(t *testing.T) {
			var buf bytes.Buffer
			if err := m.WriteJSON(&buf); err != nil {
				t.Fatal(err)
			}
			var d jsonMachine
			decoder := json.NewDecoder(&buf)
			decoder.DisallowUnknownFields()
			if err := decoder.Decode(&d); err != nil {
				t.Fatal(err)
			}
			if _, err := decoder.Token(); err != io.EOF {
				t.Errorf("after the object: %v", err)
			}
			if d.ID != m.ID || d.Name != m.Name || d.Hash != m.Hash() || d.Format != jsonFormat {
				t.Errorf("head %q %q %q %q", d.Format, d.ID, d.Name, d.Hash)
			}
			if diff := cmp.Diff(m.Distances, d.Distances); diff != "" {
				t.Errorf("distances: %s", diff)
			}
			compareCPUs(t, m, d.CPUs)
			var quantities []NamedQuantity
			for _, q := range d.Quantities {
				quantities = append(quantities, NamedQuantity{q.Name, Quantity{q.Value, q.Unit, q.Kind, q.Uncertainty, q.Source, q.Note}})
			}
			if diff := cmp.Diff(m.Quantities(), quantities); diff != "" {
				t.Errorf("quantities: %s", diff)
			}
			for i, c := range d.Caches {
				if !slices.Equal(c.Instances, formatLists(m.Instances(m.Caches[i]))) || c.SizeKiB != m.Caches[i].SizeKiB {
					t.Errorf("cache %+v", c)
				}
			}
			for i, n := range d.Nodes {
				if n.ID != m.NUMANodes[i].ID || n.CPUs != FormatCPUList(m.nodeCPUs(i)) {
					t.Errorf("node %+v", n)
				}
			}
			if len(d.Domains) != len(KernelVersions()) {
				t.Errorf("domains of %d versions", len(d.Domains))
			}
			for version, hierarchies := range d.Domains {
				compareDomains(t, m, version, hierarchies)
			}
		})
	}
}

// compareCPUs compares the places of the CPUs.
func compareCPUs(t *testing.T, m *Machine, got []jsonCPU) {
	t.Helper()
	want := slices.DeleteFunc(slices.Clone(m.CPUs), func(c CPU) bool { return c.State == Absent })
	if len(got) != len(want) {
		t.Fatalf("%d CPUs, want %d", len(got), len(want))
	}
	for i, c := range want {
		g := got[i]
		if g.CPU != c.ID || g.State != c.State.String() {
			t.Errorf("CPU %+v, want %+v", g, c)
		}
		if c.State == Offline {
			if g.Core != nil || g.Node != nil || g.Thread != nil {
				t.Errorf("CPU %d is offline but placed", c.ID)
			}
			continue
		}
		place := []int{*g.Core, *g.L2, *g.LLC, *g.Node, *g.Socket, *g.Thread}
		if !slices.Equal(place, []int{c.Core, c.L2, c.LLC, m.NUMANodes[c.Node].ID, c.Socket, c.Thread}) {
			t.Errorf("CPU %d is at %v, want %+v", c.ID, place, c)
		}
		if (g.Kind == nil) != (len(m.CoreKinds) == 0) || g.Kind != nil && *g.Kind != c.Kind {
			t.Errorf("CPU %d: kind %v, want %d", c.ID, g.Kind, c.Kind)
		}
	}
}

// compareDomains looks the domains of each CPU up in the JSON.
func compareDomains(t *testing.T, m *Machine, version string, got []jsonHierarchy) {
	t.Helper()
	all, err := m.AllDomains(version)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, h := range got {
		for _, cpu := range cpuList(t, h.CPUs) {
			seen++
			if len(h.Levels) != len(all[cpu]) {
				t.Fatalf("%s: CPU %d has %d levels, want %d", version, cpu, len(h.Levels), len(all[cpu]))
			}
			for i, want := range all[cpu] {
				l := h.Levels[i]
				if l.Name != want.Name || l.ImbalancePct != want.ImbalancePct || l.BusyFactor != want.BusyFactor ||
					l.MaxIntervalMS != want.MaxInterval || !slices.Equal(l.Flags, append([]string{}, want.Flags.Names(version)...)) {
					t.Fatalf("%s: CPU %d: %+v, want %+v", version, cpu, l, want)
				}
				var found []jsonSpan
				for _, s := range l.Spans {
					if slices.Contains(cpuList(t, s.CPUs), cpu) {
						found = append(found, s)
					}
				}
				if len(found) != 1 || found[0].Span != FormatCPUList(want.Span) {
					t.Fatalf("%s: CPU %d has spans %+v, want %v", version, cpu, found, want.Span)
				}
				groups := formatLists(want.Groups)
				slices.Sort(groups)
				slices.Sort(found[0].Groups)
				if !slices.Equal(groups, found[0].Groups) {
					t.Fatalf("%s: CPU %d has groups %v, want %v", version, cpu, found[0].Groups, groups)
				}
			}
		}
	}
	if seen != len(m.OnlineCPUs()) {
		t.Errorf("%s: %d CPUs in hierarchies", version, seen)
	}
}
