package measured

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var (
	schbenchHead = regexp.MustCompile(`^\s*(Wakeup Latencies|Request Latencies|RPS|Latency) percentiles \((usec|requests)\)`)
	schbenchLine = regexp.MustCompile(`^\s*\*?\s*([0-9.]+)th: ([0-9]+)`)
	schbenchRate = regexp.MustCompile(`^(average rps|avg worker transfer): ([0-9.]+)`)
)

func knowsSchbench(text string) bool {
	return strings.Contains(text, "ercentiles (usec)") && strings.Contains(text, "th: ") || strings.Contains(text, `"wakeup_latency_pct99.0"`)
}

// readSchbench reads the last block of each kind: those before are of the same
// run, and shorter.
func readSchbench(text, file string) ([]Series, error) {
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		return readSchbenchJSON(text, file)
	}
	blocks := make(map[string][]Series)
	var order []string
	kind, unit := "", ""
	for i, s := range strings.Split(text, "\n") {
		if m := schbenchHead.FindStringSubmatch(s); m != nil {
			kind, unit = schbenchKind(m[1]), map[string]string{"usec": "us", "requests": "requests/s"}[m[2]]
			if blocks[kind] == nil {
				order = append(order, kind)
			}
			blocks[kind] = []Series{}
			continue
		}
		if m := schbenchRate.FindStringSubmatch(s); m != nil {
			v, err := strconv.ParseFloat(m[2], 64)
			if err != nil {
				return nil, fmt.Errorf("measured: %s:%d: %v", file, i+1, err)
			}
			name := map[string]string{"average rps": "rps", "avg worker transfer": "transfers"}[m[1]]
			if blocks[name] == nil {
				order = append(order, name)
			}
			blocks[name] = []Series{ofRuns(Series{Program: "schbench", Name: name, Unit: "1/s", Better: "higher", Line: i + 1}, v)}
			continue
		}
		if m := schbenchLine.FindStringSubmatch(s); m != nil && kind != "" {
			v, err := strconv.ParseFloat(m[2], 64)
			if err != nil {
				return nil, fmt.Errorf("measured: %s:%d: %v", file, i+1, err)
			}
			blocks[kind] = append(blocks[kind], schbenchSeries(kind, unit, m[1], v, i+1))
		}
	}
	var all []Series
	for _, k := range order {
		all = append(all, blocks[k]...)
	}
	return all, nil
}

func schbenchKind(head string) string {
	return map[string]string{"Wakeup Latencies": "wakeup-latency", "Request Latencies": "request-latency", "RPS": "rps-percentile", "Latency": "latency"}[head]
}

func schbenchSeries(kind, unit, percentile string, v float64, line int) Series {
	better := "lower"
	if kind == "rps-percentile" {
		better = "higher"
	}
	if p, err := strconv.ParseFloat(percentile, 64); err == nil {
		percentile = strconv.FormatFloat(p, 'f', -1, 64)
	}
	return ofRuns(Series{Program: "schbench", Name: kind, Unit: unit, Better: better, Params: map[string]string{"percentile": percentile}, Line: line}, v)
}

func readSchbenchJSON(text, file string) ([]Series, error) {
	var e struct {
		Int map[string]float64 `json:"int"`
	}
	if err := json.Unmarshal([]byte(text), &e); err != nil {
		return nil, fmt.Errorf("measured: %s:1: %v", file, err)
	}
	var all []Series
	for _, k := range []struct{ prefix, kind, unit string }{
		{"wakeup_latency_pct", "wakeup-latency", "us"}, {"request_latency_pct", "request-latency", "us"}, {"rps_pct", "rps-percentile", "requests/s"},
	} {
		for _, p := range []string{"20.0", "50.0", "90.0", "99.0", "99.9"} {
			if v, ok := e.Int[k.prefix+p]; ok {
				all = append(all, schbenchSeries(k.kind, k.unit, p, v, 1))
			}
		}
	}
	return all, nil
}
