package overlay

import "strings"

// units have a family each and the factor into its first.
var units = map[string]struct {
	family string
	factor float64
}{
	"s": {"time", 1}, "sec": {"time", 1}, "secs": {"time", 1}, "second": {"time", 1}, "seconds": {"time", 1},
	"ms": {"time", 1e-3}, "msec": {"time", 1e-3}, "us": {"time", 1e-6}, "usec": {"time", 1e-6}, "ns": {"time", 1e-9}, "nsec": {"time", 1e-9},
	// What a MB is, is the program's, in the study as in the file.
	"mb/sec": {"bytes a second", 1}, "mb/s": {"bytes a second", 1}, "gb/s": {"bytes a second", 1e3}, "gb/sec": {"bytes a second", 1e3},
	"1/s": {"rate", 1}, "/s": {"rate", 1}, "ops/s": {"rate", 1}, "ops/sec": {"rate", 1}, "events/s": {"rate", 1},
	"requests/s": {"rate", 1}, "requests": {"rate", 1}, "transactions/s": {"rate", 1}, "trans/s": {"rate", 1}, "tps": {"rate", 1},
	"count": {"count", 1}, "1": {"count", 1},
	"%": {"share", 1},
}

// convert is the factor from one unit into another. A unit that is not told is taken
// for the other.
func convert(from, to string) (factor float64, ok bool) {
	from, to = strings.ToLower(strings.TrimSpace(from)), strings.ToLower(strings.TrimSpace(to))
	if from == to || from == "" || to == "" {
		return 1, true
	}
	a, known := units[from]
	b, also := units[to]
	if !known || !also || a.family != b.family {
		return 0, false
	}
	return a.factor / b.factor, true
}
