package dump

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/schedlab/schedlab/topology"
)

// maxCPUs bounds CPU numbers: no Linux configuration has more (NR_CPUS of
// x86 with MAXSMP).
const maxCPUs = 8192

// maxNodes bounds numbers of NUMA nodes (NODES_SHIFT of 10).
const maxNodes = 1024

// maxListed bounds the CPUs that all parts of an input name together, so that
// a small file cannot take much memory. 8192 CPUs with a hundred levels of
// parts stay below it.
const maxListed = 1 << 20

// CPUSet is a set of CPU numbers, ascending and without repetition.
type CPUSet []int

// String writes the set as sysfs does: "0-19,40-59".
func (s CPUSet) String() string { return topology.FormatCPUList(s) }

// Contains tells whether cpu is in the set.
func (s CPUSet) Contains(cpu int) bool {
	_, ok := slices.BinarySearch(s, cpu)
	return ok
}

// Intersect returns the CPUs that are in both sets, never nil.
func (s CPUSet) Intersect(t CPUSet) CPUSet { return s.filter(t.Contains) }

// Minus returns the CPUs of s that are not in t, never nil.
func (s CPUSet) Minus(t CPUSet) CPUSet {
	return s.filter(func(cpu int) bool { return !t.Contains(cpu) })
}

// Union returns the CPUs that are in either set.
func (s CPUSet) Union(t CPUSet) CPUSet { return newCPUSet(append(slices.Clone(s), t...)) }

func (s CPUSet) filter(keep func(int) bool) CPUSet {
	out := CPUSet{}
	for _, cpu := range s {
		if keep(cpu) {
			out = append(out, cpu)
		}
	}
	return out
}

// within tells whether all CPUs of s are in t.
func (s CPUSet) within(t CPUSet) bool { return len(s.Minus(t)) == 0 }

// newCPUSet sorts CPU numbers and drops repetitions.
func newCPUSet(cpus []int) CPUSet {
	slices.Sort(cpus)
	return CPUSet(slices.Compact(cpus))
}

// ParseCPUList reads "0-19,40-59", also with strides as in "0-62:2". An empty
// list is an empty set. Parts may come in any order, but none may repeat.
func ParseCPUList(list string) (CPUSet, error) {
	cpus := []int{}
	if strings.TrimSpace(list) == "" {
		return CPUSet{}, nil
	}
	for _, part := range strings.Split(list, ",") {
		span, stride, strided := strings.Cut(strings.TrimSpace(part), ":")
		step := 1
		if strided {
			n, err := strconv.Atoi(stride)
			if err != nil || n < 1 || n > maxCPUs {
				return nil, fmt.Errorf("CPU list %q: %q is no stride, give a number such as 0-62:2 has", short(list), stride)
			}
			step = n
		}
		lo, hi, ranged := strings.Cut(span, "-")
		first, err := parseCPU(lo)
		if err != nil {
			return nil, fmt.Errorf("CPU list %q: %w", short(list), err)
		}
		last := first
		if ranged {
			if last, err = parseCPU(hi); err != nil {
				return nil, fmt.Errorf("CPU list %q: %w", short(list), err)
			}
		}
		if last < first {
			return nil, fmt.Errorf("CPU list %q: %q counts down, correct it", short(list), part)
		}
		for cpu := first; cpu <= last; cpu += step {
			cpus = append(cpus, cpu)
		}
		if len(cpus) > 2*maxCPUs {
			return nil, fmt.Errorf("CPU list %q: it repeats CPUs, correct it", short(list))
		}
	}
	set := newCPUSet(slices.Clone(cpus))
	if len(set) != len(cpus) {
		return nil, fmt.Errorf("CPU list %q: it repeats CPUs, correct it", short(list))
	}
	return set, nil
}

func parseCPU(s string) (int, error) {
	cpu, err := strconv.ParseUint(strings.TrimSpace(s), 10, 32)
	if err != nil || cpu >= maxCPUs {
		return 0, fmt.Errorf("%q is no CPU number, give one below %d", short(s), maxCPUs)
	}
	return int(cpu), nil
}

// ParseCPUMask reads a hexadecimal mask: one number of any width, or words of
// 32 bits from the most significant on, separated by commas. A word may be
// empty, which hwloc writes for 0, and may start with 0x.
func ParseCPUMask(mask string) (CPUSet, error) {
	words := strings.Split(strings.TrimSpace(mask), ",")
	cpus := []int{}
	for i, word := range words {
		shift := 32 * (len(words) - 1 - i)
		digits := strings.TrimPrefix(strings.TrimSpace(word), "0x")
		if digits == "" && len(words) > 1 {
			continue
		}
		if digits == "" {
			return nil, fmt.Errorf("CPU mask %q: it is empty, give hexadecimal digits", short(mask))
		}
		if len(words) > 1 && len(strings.TrimLeft(digits, "0")) > 8 {
			return nil, fmt.Errorf("CPU mask %q: the word %q has more than 32 bits, correct it", short(mask), short(word))
		}
		for j := range len(digits) {
			nibble, err := strconv.ParseUint(digits[len(digits)-1-j:len(digits)-j], 16, 8)
			if err != nil {
				return nil, fmt.Errorf("CPU mask %q: %q is no hexadecimal number, correct it", short(mask), short(word))
			}
			for bit := range 4 {
				if nibble&(1<<bit) == 0 {
					continue
				}
				cpu := shift + 4*j + bit
				if cpu >= maxCPUs {
					return nil, fmt.Errorf("CPU mask %q: it has a CPU above %d, correct it", short(mask), maxCPUs-1)
				}
				cpus = append(cpus, cpu)
			}
		}
	}
	return newCPUSet(cpus), nil
}

// short cuts a text for an error message.
func short(s string) string {
	s = strings.ToValidUTF8(strings.TrimSpace(s), "?")
	if r := []rune(s); len(r) > 60 {
		return string(r[:57]) + "..."
	}
	return s
}
