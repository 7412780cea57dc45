// Package measured reads what benchmarks print on real machines: hyperfine's JSON
// and CSV, tables of mmtests and the 0-day robot, schbench, sysbench, hackbench,
// perf bench sched, tbench and dbench, perf stat.
//
// All of them become series: a figure with its unit, the parameters that the
// output tells, and the value of each run, or mean and spread where the runs are
// not told. What a file does not say stays unknown; nothing is guessed from its
// name.
package measured

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/gonum/stat"
)

// A Series is one measured figure.
type Series struct {
	Program string // "hyperfine", "tbench", "perf stat"
	Name    string // "time", "throughput", "context-switches"
	Unit    string // "s", "MB/sec", "us"; empty for counts
	Better  string // "higher", "lower", or empty where that depends
	// Params are what the output tells of the run: clients, groups, command.
	Params map[string]string
	// Values are the runs; none where only their mean is told.
	Values []float64
	Mean   float64
	// Stddev is the sample standard deviation, NaN where it is not known, as it
	// is of one run.
	Stddev float64
	N      int // runs, 0 where it is not told
	File   string
	Line   int // from 1, 0 where it is the file as a whole
}

// Key names the parameters: "clients=64 threads=2".
func (s Series) Key() string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(s.Params)) {
		parts = append(parts, k+"="+s.Params[k])
	}
	return strings.Join(parts, " ")
}

// ofRuns is a series of single runs.
func ofRuns(s Series, values ...float64) Series {
	s.Values, s.N = values, len(values)
	s.Mean, s.Stddev = stat.Mean(values, nil), math.NaN()
	if len(values) > 1 {
		s.Stddev = stat.StdDev(values, nil)
	}
	return s
}

// ofMean is a series of which only the mean is told.
func ofMean(s Series, mean, stddev float64, n int) Series {
	s.Mean, s.Stddev, s.N = mean, stddev, n
	return s
}

// Merge joins series of the same figure and parameters into one, as several
// outputs of one command are its runs. Series without runs stay apart.
func Merge(all []Series) []Series {
	var out []Series
	at := make(map[string]int)
	for _, s := range all {
		id := fmt.Sprintf("%s\x00%s\x00%s\x00%s", s.Program, s.Name, s.Unit, s.Key())
		i, ok := at[id]
		if !ok || len(s.Values) == 0 || len(out[i].Values) == 0 {
			at[id] = len(out)
			out = append(out, s)
			continue
		}
		first := out[i]
		out[i] = ofRuns(first, append(slices.Clone(first.Values), s.Values...)...)
	}
	return out
}

// parsers are the formats; the first that knows a text reads it.
var parsers = []struct {
	name  string
	knows func(text string) bool
	read  func(text, file string) ([]Series, error)
}{
	{"hyperfine JSON", knowsHyperfine, readHyperfine},
	{"hyperfine CSV", knowsHyperfineCSV, readHyperfineCSV},
	{"schbench", knowsSchbench, readSchbench},
	{"sysbench", knowsSysbench, readSysbench},
	{"tbench or dbench", knowsTbench, readTbench},
	{"perf stat", knowsPerfStat, readPerfStat},
	{"hackbench or perf bench sched", knowsHackbench, readHackbench},
	{"a table", knowsTable, readTable},
}

// Formats names what Parse reads, for messages.
func Formats() []string {
	var names []string
	for _, p := range parsers {
		names = append(names, p.name)
	}
	return names
}

// Known reports whether a text is a result that Parse reads.
func Known(data []byte) bool {
	text := toText(data)
	return slices.ContainsFunc(parsers, func(p struct {
		name  string
		knows func(text string) bool
		read  func(text, file string) ([]Series, error)
	}) bool {
		return p.knows(text)
	})
}

// Parse reads one file. Errors have filename and line.
func Parse(data []byte, file string) ([]Series, error) {
	text := toText(data)
	for _, p := range parsers {
		if !p.knows(text) {
			continue
		}
		all, err := p.read(text, file)
		if err != nil {
			return nil, err
		}
		if len(all) == 0 {
			return nil, fmt.Errorf("measured: %s:1: looks like %s, but has no figure; was the run cut off?", file, p.name)
		}
		for i := range all {
			all[i].File = file
		}
		return all, nil
	}
	return nil, fmt.Errorf("measured: %s:1: not known as a result; want one of %s", file, strings.Join(Formats(), ", "))
}

// toText is UTF-8 without carriage returns.
func toText(data []byte) string {
	s := strings.ReplaceAll(string(data), "\r\n", "\n")
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		b.WriteRune(rune(s[i])) // ISO-8859-1
	}
	return b.String()
}
