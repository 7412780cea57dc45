package workload

import "github.com/schedlab/schedlab/topology"

// lastLevelMiB is the size of an instance of the machine's third level of cache, or
// of its second where it has none. (POWER8 has a fourth, beside the memory, which
// does not count here.)
func lastLevelMiB(m *topology.Machine) float64 {
	level, kib := 0, 0
	for _, c := range m.Caches {
		if c.Level > level && c.Level <= 3 && c.SizeKiB > 0 {
			level, kib = c.Level, c.SizeKiB
		}
	}
	return float64(max(kib, 1)) / 1024
}
