package schedsim

import (
	"encoding/csv"
	"os"
	"strconv"
	"testing"

	"github.com/schedlab/schedlab/topology"
)

// stillOn is still on a kernel, without task groups unless the kernel has them on.
func stillOn(t testing.TB, m *topology.Machine, k Kernel) *Sched {
	t.Helper()
	w := &script{tasks: repeat(4, scripted{ops: []Op{hog()}, start: 1e9})}
	s, err := newSched(&Config{Machine: m, Kernel: k, Workload: w, Seed: 1, TraceEvents: 1 << 12})
	if err != nil {
		t.Fatal(err)
	}
	w.Start(s)
	return s
}

// flat is a kernel without autogroup.
func flat(k Kernel) Kernel {
	k.Autogroup = false
	return k
}

// kernels are all versions, for a machine of n CPUs.
func kernels(n int) []Kernel {
	var all []Kernel
	for _, v := range versions {
		all = append(all, v.kernel(n))
	}
	return all
}

// rows reads a file of numbers, without its head.
func rows(t *testing.T, file string) [][]int64 {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	text, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out [][]int64
	for _, row := range text[1:] {
		n := make([]int64, len(row))
		for i := range row {
			if n[i], err = strconv.ParseInt(row[i], 10, 64); err != nil {
				t.Fatal(err)
			}
		}
		out = append(out, n)
	}
	return out
}
