package topology

import (
	"fmt"
	"strconv"
	"strings"
)

// FormatCPUList writes CPU numbers, which must ascend, the way sysfs and
// taskset do: "0-19,40-59". An empty list is "".
func FormatCPUList(cpus []int) string {
	var b strings.Builder
	for i := 0; i < len(cpus); {
		last := i
		for last+1 < len(cpus) && cpus[last+1] == cpus[last]+1 {
			last++
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(cpus[i]))
		if last > i {
			fmt.Fprintf(&b, "-%d", cpus[last])
		}
		i = last + 1
	}
	return b.String()
}

// ParseCPUList reads a list such as "0-19,40-59" into ascending CPU numbers.
// Numbers must ascend, must not repeat and must be below 8192.
func ParseCPUList(list string) ([]int, error) {
	var cpus []int
	for _, part := range strings.Split(list, ",") {
		lo, hi, isRange := strings.Cut(part, "-")
		first, err := parseCPU(lo)
		if err != nil {
			return nil, fmt.Errorf("CPU list %q: %w", list, err)
		}
		last := first
		if isRange {
			if last, err = parseCPU(hi); err != nil {
				return nil, fmt.Errorf("CPU list %q: %w", list, err)
			}
		}
		if last < first || len(cpus) > 0 && first <= cpus[len(cpus)-1] {
			return nil, fmt.Errorf("CPU list %q: %q does not ascend, sort the list", list, part)
		}
		for cpu := first; cpu <= last; cpu++ {
			cpus = append(cpus, cpu)
		}
	}
	return cpus, nil
}

func parseCPU(s string) (int, error) {
	cpu, err := strconv.ParseUint(strings.TrimSpace(s), 10, 32)
	if err != nil || cpu >= maxCPUs {
		return 0, fmt.Errorf("%q is no CPU number, give one below %d", s, maxCPUs)
	}
	return int(cpu), nil
}
