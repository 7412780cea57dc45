package measured

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var (
	sysbenchTime  = regexp.MustCompile(`^\s*total time:\s+([0-9.]+)s`)
	sysbenchCount = regexp.MustCompile(`^\s*total number of events:\s+([0-9]+)`)
	sysbenchLat   = regexp.MustCompile(`^\s*(avg|approx\.\s+95 percentile|95th percentile):\s+([0-9.]+)(ms|s)?\s*$`)
	sysbenchThr   = regexp.MustCompile(`^\s*Number of threads:\s+([0-9]+)`)
)

func knowsSysbench(text string) bool {
	return strings.Contains(text, "total number of events:") && strings.Contains(text, "total time:")
}

// readSysbench reads each run in the text: events a second and latencies.
func readSysbench(text, file string) ([]Series, error) {
	var all []Series
	params := map[string]string(nil)
	seconds := 0.0
	for i, s := range strings.Split(text, "\n") {
		add := func(name, unit, better string, v float64) {
			all = append(all, ofRuns(Series{Program: "sysbench", Name: name, Unit: unit, Better: better, Params: params, Line: i + 1}, v))
		}
		number := func(text string) (float64, error) {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return 0, fmt.Errorf("measured: %s:%d: %v", file, i+1, err)
			}
			return v, nil
		}
		if m := sysbenchThr.FindStringSubmatch(s); m != nil {
			params = map[string]string{"threads": m[1]}
		} else if m := sysbenchTime.FindStringSubmatch(s); m != nil {
			v, err := number(m[1])
			if err != nil {
				return nil, err
			}
			seconds = v
		} else if m := sysbenchCount.FindStringSubmatch(s); m != nil && seconds > 0 {
			v, err := number(m[1])
			if err != nil {
				return nil, err
			}
			add("events", "1/s", "higher", v/seconds)
		} else if m := sysbenchLat.FindStringSubmatch(s); m != nil {
			v, err := number(m[2])
			if err != nil {
				return nil, err
			}
			name := "latency-avg"
			if m[1] != "avg" {
				name = "latency-95"
			}
			if m[3] == "s" {
				v *= 1000
			}
			add(name, "ms", "lower", v)
		}
	}
	return all, nil
}

var (
	tbenchEnd = regexp.MustCompile(`^Throughput ([0-9.]+) MB/sec\s+(?:\(sync open\) |\(sync dirs\) )*([0-9]+) clients?\s+([0-9]+) procs?\s+max_latency=([0-9.]+) ms`)
)

func knowsTbench(text string) bool {
	return strings.Contains(text, "Throughput ") && strings.Contains(text, "MB/sec") && strings.Contains(text, "clients")
}

// readTbench reads the last line of each run of dbench 4, whose network mode
// tbench is. What a "MB" is, is the program's.
func readTbench(text, file string) ([]Series, error) {
	var all []Series
	for i, s := range strings.Split(text, "\n") {
		m := tbenchEnd.FindStringSubmatch(s)
		if m == nil {
			continue
		}
		mb, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			return nil, fmt.Errorf("measured: %s:%d: %v", file, i+1, err)
		}
		all = append(all, ofRuns(Series{Program: "tbench", Name: "throughput", Unit: "MB/sec", Better: "higher", Params: map[string]string{"clients": m[2]}, Line: i + 1}, mb))
	}
	return all, nil
}

var (
	hackbenchRun  = regexp.MustCompile(`^Running in (process|threaded) mode with ([0-9]+) groups? using ([0-9]+) file descriptors`)
	hackbenchTime = regexp.MustCompile(`^Time: ([0-9.]+)\s*$`)
	perfBench     = regexp.MustCompile(`^# Running '?sched/([a-z-]+)'? benchmark`)
	perfGroups    = regexp.MustCompile(`^# ([0-9]+) groups == [0-9]+ (processes|threads) run`)
	perfTotal     = regexp.MustCompile(`^\s*Total time: ([0-9.]+) \[(sec|msec|usec)\]`)
	perfSimple    = regexp.MustCompile(`^([0-9]+\.[0-9]+)\s*$`)
)

func knowsHackbench(text string) bool {
	return strings.Contains(text, "\nTime: ") && strings.Contains(text, "file descriptors each") || strings.Contains(text, "# Running ") && strings.Contains(text, "sched/")
}

// readHackbench reads hackbench and perf bench sched: seconds, one run after the
// other.
func readHackbench(text, file string) ([]Series, error) {
	var all []Series
	s := Series{Name: "time", Unit: "s", Better: "lower"}
	for i, l := range strings.Split(text, "\n") {
		value, scale := "", 1.0
		if m := hackbenchRun.FindStringSubmatch(l); m != nil {
			s.Program, s.Params = "hackbench", map[string]string{"mode": strings.TrimSuffix(m[1], "ed"), "groups": m[2]}
		} else if m := perfBench.FindStringSubmatch(l); m != nil {
			s.Program, s.Params = "perf bench sched "+m[1], map[string]string{}
		} else if m := perfGroups.FindStringSubmatch(l); m != nil && s.Params != nil {
			s.Params = map[string]string{"mode": map[string]string{"processes": "process", "threads": "thread"}[m[2]], "groups": m[1]}
		} else if m := hackbenchTime.FindStringSubmatch(l); m != nil {
			value = m[1]
		} else if m := perfTotal.FindStringSubmatch(l); m != nil {
			value, scale = m[1], map[string]float64{"sec": 1, "msec": 1e-3, "usec": 1e-6}[m[2]]
		} else if m := perfSimple.FindStringSubmatch(l); m != nil && strings.HasPrefix(s.Program, "perf") {
			value = m[1]
		}
		if value == "" || s.Program == "" {
			continue
		}
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return nil, fmt.Errorf("measured: %s:%d: %v", file, i+1, err)
		}
		s.Line = i + 1
		all = append(all, ofRuns(s, v*scale))
	}
	return Merge(all), nil
}
