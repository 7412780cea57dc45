package topology

import (
	"bytes"
	"slices"
	"testing"
)

// large is a machine of 1,024 listed CPUs: 8 sockets that are nodes, 64 cores
// each, 8 cores a last-level cache and 2 a level-2 cache.
func large(t testing.TB) *Machine {
	t.Helper()
	s := shape{sockets: 8, nodes: 8, coresPerSocket: 64, coresPerLLC: 8, threadsPerCore: 2, coresPerL2: 2}
	cpus, err := s.cpus(ThreadsLast)
	if err != nil {
		t.Fatal(err)
	}
	m := load(t, "csl-2s-80")
	m.ID, m.CPUs, m.Counts = "large", cpus, Counts{}
	m.Numbering = NumberingInfo{Scheme: Listed, Kind: Assumed, Source: "judgement"}
	m.NUMANodes, m.Distances = make([]Node, s.nodes), nil
	for i := range m.NUMANodes {
		m.NUMANodes[i].ID = i
		m.Distances = append(m.Distances, slices.Repeat([]int{21}, s.nodes))
		m.Distances[i][i] = localDistance
	}
	m.Frequency.Turbo = []TurboBin{{ActiveCores: s.coresPerSocket, MHz: 2800}}
	m.Transfer.SameL2, m.Transfer.SameSocket = m.Transfer.SameLLC, m.Transfer.SameLLC
	return m
}

func TestWriteYAMLLarge(t *testing.T) {
	m := large(t)
	if back := writeRead(t, m); len(back.CPUs) != 1024 || back.Hash() != m.Hash() {
		t.Errorf("%d CPUs, hash %s, want that of the machine, %s", len(back.CPUs), back.Hash(), m.Hash())
	}
}

// BenchmarkParse loads the largest machine that is usual, with all its CPUs
// listed, and the catalogue's smallest.
func BenchmarkParse(b *testing.B) {
	for _, m := range []*Machine{large(b), load(b, "csl-2s-80")} {
		var buf bytes.Buffer
		if err := m.WriteYAML(&buf); err != nil {
			b.Fatal(err)
		}
		b.Run(m.ID, func(b *testing.B) {
			b.SetBytes(int64(buf.Len()))
			for b.Loop() {
				if _, err := Parse("bench.yaml", buf.Bytes()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
