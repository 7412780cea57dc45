package dump

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// textLine is a line with its number, from 1.
type textLine struct {
	number int
	text   string
}

// splitLines splits a text; carriage returns and trailing blanks go.
func splitLines(data []byte) []textLine {
	var lines []textLine
	for i, l := range strings.Split(string(data), "\n") {
		lines = append(lines, textLine{i + 1, strings.TrimRight(l, " \t\r")})
	}
	return lines
}

// block is a run of lines that one tool printed.
type block struct {
	format Format
	lines  []textLine
}

var (
	parseRowPattern = regexp.MustCompile(`^[0-9]+(,[0-9A-Za-z:.-]*)*$`)
	numactlPattern  = regexp.MustCompile(`\bnode [0-9]+ (cpus|size|free):|\bavailable: [0-9]+ nodes? \(|\bnode distances:|No distance information available`)
	consolePattern  = regexp.MustCompile(`(?m)^ *(Package|Core|PU|L[1-5]d?(Cache)?|NUMANode|Group[0-9]?|Socket|Die) L#[0-9]`)
	cpuinfoPattern  = regexp.MustCompile(`(?m)^processor\s*:\s*[0-9]+|^processor [0-9]+: version`)
)

// readText reads a text that is neither JSON nor XML.
func readText(name string, data []byte) (*Facts, error) {
	switch {
	case bytes.Count(data, []byte("\n")) > maxItems:
		return nil, fmt.Errorf("%s:1: the text has more than %d lines, give the output of one tool", name, maxItems)
	case bytes.IndexByte(data, 0) >= 0 || !utf8.Valid(data):
		return nil, fmt.Errorf("%s:1: this is neither UTF-8 text nor an archive that is known, give a tar archive, .tar.gz or .tar.bz2", name)
	case consolePattern.Match(data):
		return nil, fmt.Errorf("%s:1: this is lstopo's output for humans, which leaves out what is needed, run lstopo --of xml", name)
	case cpuinfoPattern.Match(data):
		return readCPUInfo(name, data)
	}
	blocks := splitBlocks(splitLines(data))
	var all []*Facts
	for _, b := range blocks {
		f, err := b.read(name)
		if err != nil {
			return nil, err
		}
		if f != nil {
			all = append(all, f)
		}
	}
	switch len(all) {
	case 0:
		return nil, fmt.Errorf("%s:1: nothing here is known, give the output of lscpu, lscpu -J, lscpu -e, lscpu -p, lstopo --of xml or numactl -H, /proc/cpuinfo, or an archive of /sys", name)
	case 1:
		return all[0], nil
	}
	return mergeBlocks(name, all)
}

// mergeBlocks joins several outputs in one file. What they contradict each
// other in becomes a note, unless they are of different machines.
func mergeBlocks(name string, all []*Facts) (*Facts, error) {
	f, conflicts := Merge(all...)
	for _, c := range conflicts {
		if c.Fatal { // and f is nil, whatever else is in the list
			return nil, fmt.Errorf("%s:1: the outputs in this file contradict each other: %v; put each machine into a file of its own", name, c)
		}
	}
	for _, c := range conflicts {
		f.note(name, "%v", c)
	}
	return f, nil
}

func (b block) read(name string) (*Facts, error) {
	switch b.format {
	case LscpuExtended, LscpuCaches:
		t, err := textTable(name, b.lines)
		if err != nil {
			return nil, err
		}
		if len(t.rows) == 0 {
			return nil, fmt.Errorf("%s:%d: a header without rows, copy the whole output", name, b.lines[0].number)
		}
		if b.format == LscpuCaches {
			return readCacheTable(name, b.format, t)
		}
		return readCPUTable(name, b.format, t)
	case LscpuParse:
		t, err := parseTable(name, b.lines)
		if err != nil || t == nil {
			return nil, err
		}
		return readCPUTable(name, b.format, t)
	case Numactl:
		return readNumactl(name, b.lines)
	}
	var entries []entry
	for _, l := range b.lines {
		if e, ok := splitEntry(l.number, l.text); ok {
			entries = append(entries, e)
		}
	}
	if !isSummary(entries) {
		return nil, nil // a mail's or terminal's text around the output
	}
	return newSummary(name, LscpuSummary, entries).facts()
}

// splitBlocks finds the outputs in a text. Lines of no other tool are taken for
// the summary of lscpu.
func splitBlocks(lines []textLine) []block {
	var blocks []block
	var current *block
	start := func(f Format) {
		blocks = append(blocks, block{format: f})
		current = &blocks[len(blocks)-1]
	}
	for _, l := range lines {
		in := Format("")
		if current != nil {
			in = current.format
		}
		switch {
		case l.text == "":
			if in == LscpuExtended || in == LscpuCaches || in == LscpuParse {
				current = nil
			}
			continue
		case isHeader(l.text):
			if strings.Contains(l.text, "-SIZE") {
				start(LscpuCaches)
			} else {
				start(LscpuExtended)
			}
		case in == LscpuExtended || in == LscpuCaches:
			// A row.
		case strings.HasPrefix(l.text, "#"):
			// A comment after rows starts another output.
			if in != LscpuParse || !strings.HasPrefix(current.lines[len(current.lines)-1].text, "#") {
				start(LscpuParse)
			}
		case in == LscpuParse && parseRowPattern.MatchString(l.text):
		case numactlPattern.MatchString(l.text):
			if in != Numactl {
				start(Numactl)
			}
		case in == Numactl:
			if e, ok := splitEntry(l.number, l.text); ok && e.key != keyOther {
				start(LscpuSummary)
			}
		case in != LscpuSummary:
			start(LscpuSummary)
		}
		current.lines = append(current.lines, l)
	}
	return blocks
}
