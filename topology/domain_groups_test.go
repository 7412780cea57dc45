package topology

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestGroupsSlowly compares the groups of random machines, at every level
// before any is removed, with those of the plain form of the algorithm: each
// CPU links the rings of its domains in turn, and nothing is remembered.
func TestGroupsSlowly(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		m := randomMachine(t, random)
		for _, version := range []string{"v4.18", "v5.10", "v6.12"} {
			r, err := rulesFor(version)
			if err != nil {
				t.Fatal(err)
			}
			b, err := newDomainBuilder(m, r, random.IntN(2) == 0)
			if err != nil {
				t.Fatal(err)
			}
			want := slowGroups(b)
			for _, cpu := range b.online {
				for i := range want[cpu] {
					got := b.groups(i, cpu)
					if diff := cmp.Diff(want[cpu][i], got); diff != "" {
						t.Fatalf("%s, %d CPUs, distances %v: groups of CPU %d at level %d, %s (-slow +built):\n%s",
							version, len(m.CPUs), m.Distances, cpu, i, b.table[i].name, diff)
					}
				}
			}
		}
	}
}

// randomMachine has random distances, and CPUs in random order.
func randomMachine(t *testing.T, random *rand.Rand) *Machine {
	t.Helper()
	nodes := 1 + random.IntN(6)
	distances := make([][]int, nodes)
	for i := range distances {
		distances[i] = make([]int, nodes)
		for j := range i {
			distances[i][j] = 20 + 10*random.IntN(3)
			distances[j][i] = distances[i][j]
		}
		distances[i][i] = 10
	}
	m := machineOfShape(t, shape{sockets: nodes, nodes: nodes, coresPerSocket: 4, coresPerLLC: 2, threadsPerCore: 1 + random.IntN(2)}, Adjacent, distances)
	order := random.Perm(len(m.CPUs))
	cpus := slices.Clone(m.CPUs)
	for id := range cpus {
		cpus[id] = m.CPUs[order[id]]
		cpus[id].ID = id
	}
	m.CPUs = cpus
	return m
}

// slowGroups returns the groups by CPU and level, as far up as the CPU has
// domains.
func slowGroups(b *domainBuilder) map[int][][][]int {
	depth := map[int]int{}
	for _, cpu := range b.online {
		for i := range b.table {
			depth[cpu]++
			if len(b.table[i].span(cpu)) == len(b.online) {
				break
			}
		}
	}
	child := func(i, cpu int) []int {
		if i == 0 {
			return nil
		}
		return b.table[i-1].span(cpu)
	}
	// next[i] links, for each level below the NUMA levels, groups by their
	// first CPU.
	next := make([]map[int]int, len(b.table))
	head := make([]map[int]int, len(b.table))
	all := map[int][][][]int{}
	for _, cpu := range b.online {
		for i := range depth[cpu] {
			span := b.table[i].span(cpu)
			covered := map[int]bool{}
			var ring [][]int
			at := slices.Index(span, cpu)
			for k := range span {
				sibling := span[(at+k)%len(span)]
				if covered[sibling] || i >= depth[sibling] {
					continue
				}
				level := i
				if b.table[i].distance > 0 && b.r.descend && !containsAll(span, child(level, sibling)) {
					for level > 0 && !containsAll(span, child(level, sibling)) {
						level--
					}
					for level > 0 && slices.Equal(child(level, sibling), b.table[level].span(sibling)) {
						level--
					}
				}
				group := child(level, sibling)
				if level == 0 && b.table[i].distance > 0 {
					group = b.table[0].span(sibling)
				} else if level == 0 {
					group = []int{sibling}
				}
				for _, c := range group {
					covered[c] = true
				}
				ring = append(ring, group)
			}
			if b.table[i].distance > 0 {
				all[cpu] = append(all[cpu], ring)
				continue
			}
			all[cpu] = append(all[cpu], nil)
			if next[i] == nil {
				next[i], head[i] = map[int]int{}, map[int]int{}
			}
			head[i][cpu] = ring[0][0]
			for k, group := range ring {
				next[i][group[0]] = ring[(k+1)%len(ring)][0]
			}
		}
	}
	// The rings are read when all CPUs have linked them.
	for _, cpu := range b.online {
		for i := range all[cpu] {
			if b.table[i].distance > 0 {
				continue
			}
			for first := head[i][cpu]; ; {
				group := child(i, first)
				if i == 0 {
					group = []int{first}
				}
				all[cpu][i] = append(all[cpu][i], group)
				if first = next[i][first]; first == head[i][cpu] {
					break
				}
			}
		}
	}
	return all
}

func containsAll(all, some []int) bool {
	for _, c := range some {
		if !slices.Contains(all, c) {
			return false
		}
	}
	return true
}
