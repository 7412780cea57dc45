package topology

import (
	"slices"
	"testing"
)

func TestNumbering(t *testing.T) {
	csl := shape{sockets: 2, nodes: 2, coresPerSocket: 20, coresPerLLC: 20, threadsPerCore: 2, coresPerL2: 1}
	tests := []struct {
		scheme           Numbering
		siblings, socket string // of CPU 0
	}{
		{ThreadsLast, "0,40", "0-19,40-59"},
		{Adjacent, "0-1", "0-39"},
		// As the CPUID dump of a Dell with 2x Gold 6230 has it (hwloc
		// tests/hwloc/x86/Intel-CascadeLake-2xXeon6230.xml).
		{OddEven, "0,40", "0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,32,34,36,38," +
			"40,42,44,46,48,50,52,54,56,58,60,62,64,66,68,70,72,74,76,78"},
	}
	for _, test := range tests {
		t.Run(string(test.scheme), func(t *testing.T) {
			m := machineOfShape(t, csl, test.scheme, nil)
			if m.Cores() != 40 || m.LLCs() != 2 || m.Nodes() != 2 || m.Sockets() != 2 {
				t.Errorf("%d cores, %d caches, %d nodes, %d sockets", m.Cores(), m.LLCs(), m.Nodes(), m.Sockets())
			}
			perCore := make([][]int, m.Cores())
			for id, c := range m.CPUs {
				if c.ID != id || c.LLC != c.Socket || c.Node != c.Socket || c.Core/20 != c.Socket {
					t.Errorf("CPU %d: %+v", id, c)
				}
				perCore[c.Core] = append(perCore[c.Core], c.Thread)
			}
			for core, threads := range perCore {
				if slices.Sort(threads); !slices.Equal(threads, []int{0, 1}) {
					t.Errorf("core %d has threads %v", core, threads)
				}
			}
			if got := FormatCPUList(m.selectCPUs(func(c CPU) bool { return c.Core == m.CPUs[0].Core })); got != test.siblings {
				t.Errorf("siblings of CPU 0: %s, want %s", got, test.siblings)
			}
			if got := FormatCPUList(m.selectCPUs(func(c CPU) bool { return c.Socket == 0 })); got != test.socket {
				t.Errorf("socket 0: %s, want %s", got, test.socket)
			}
		})
	}
}

func TestNumberingCachesAndNodes(t *testing.T) {
	m := machineOfShape(t, shape{sockets: 2, nodes: 4, coresPerSocket: 8, coresPerLLC: 2, threadsPerCore: 1, coresPerL2: 1}, ThreadsLast, nil)
	if m.Nodes() != 4 || m.LLCs() != 8 {
		t.Fatalf("%d nodes, %d caches", m.Nodes(), m.LLCs())
	}
	if c := m.CPUs[13]; c.Socket != 1 || c.Node != 3 || c.LLC != 6 {
		t.Errorf("CPU 13: %+v", c)
	}
}

func TestCPUList(t *testing.T) {
	for _, list := range []string{"0", "0-3", "0,40", "0-19,40-59", "1-2,4,7-9"} {
		cpus, err := ParseCPUList(list)
		if err != nil || FormatCPUList(cpus) != list {
			t.Errorf("%s: %v, %v", list, cpus, err)
		}
	}
	for _, list := range []string{"", "a", "3-1", "1,1", "4,2", "0-", "-3", "8192", "0-99999999999", "1--2", "0 1"} {
		if cpus, err := ParseCPUList(list); err == nil {
			t.Errorf("%q gives %v, want an error", list, cpus)
		}
	}
	if got := FormatCPUList(nil); got != "" {
		t.Errorf("empty list is %q", got)
	}
}

func TestFrequencyAt(t *testing.T) {
	f := load(t, "csl-2s-80").Frequency
	tests := []struct{ cores, want int }{
		{-1, 3900}, {0, 3900}, {1, 3900}, {2, 3900}, {3, 3700}, {4, 3700}, {5, 3600}, {8, 3600},
		{9, 3400}, {12, 3400}, {13, 3100}, {16, 3100}, {17, 2800}, {20, 2800}, {40, 2800},
	}
	for _, test := range tests {
		if got := f.At(test.cores); got != test.want {
			t.Errorf("At(%d) = %d MHz, want %d", test.cores, got, test.want)
		}
	}
	if got := (Frequency{MaxMHz: Quantity{Value: 2833}}).At(3); got != 2833 {
		t.Errorf("without a table %d MHz, want the maximum", got)
	}
}
