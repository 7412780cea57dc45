package diagram

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// minRange is how many numbers are written as a range. Fewer that do not
// follow each other are written one by one.
const minRange = 4

// cpuRanges writes CPU numbers as the items of a list: "7" and "0-19", and, as
// lscpu does, "1-31:2" for every second number of a range.
func cpuRanges(cpus []int) []string {
	cpus = slices.Sorted(slices.Values(cpus))
	var items []string
	for i := 0; i < len(cpus); {
		last := i + 1
		step := 0
		if last < len(cpus) {
			step = cpus[last] - cpus[i]
		}
		for last < len(cpus) && cpus[last]-cpus[last-1] == step {
			last++
		}
		switch first, end := cpus[i], cpus[last-1]; {
		case step == 1:
			items = append(items, fmt.Sprintf("%d-%d", first, end))
		case last-i >= minRange:
			items = append(items, fmt.Sprintf("%d-%d:%d", first, end, step))
		default:
			items = append(items, strconv.Itoa(first))
			last = i + 1
		}
		i = last
	}
	return items
}

// minListChars is the least width of a list of CPUs.
const minListChars = 10

// listLines cuts a list of CPUs at its commas into lines that fit.
func listLines(cpus []int, w float64) []textLine {
	chars := max(int((w-2*padding)/monoWidth), minListChars)
	var lines []textLine
	line := ""
	for _, item := range cpuRanges(cpus) {
		if line != "" && len(line)+1+len(item) > chars {
			lines = append(lines, textLine{line + ",", true})
			line = ""
		}
		if line != "" {
			line += ","
		}
		line += item
	}
	return append(lines, textLine{line, true})
}

// strided tells whether a part that is drawn small has CPUs in steps.
func strided(parts []*part) bool {
	return slices.ContainsFunc(parts, func(p *part) bool {
		if p.like == nil {
			return strided(p.children)
		}
		return strings.Contains(strings.Join(cpuRanges(p.cpus), ","), ":")
	})
}
