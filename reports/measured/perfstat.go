package measured

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

var (
	perfCSV  = regexp.MustCompile(`(?m)^(?:\s*([0-9.]+),)?(?:CPU\d+,|S\d+,|\d+,)?(<not supported>|<not counted>|[0-9.]+),([A-Za-z]*),([A-Za-z][\w./:=-]*),`)
	perfText = regexp.MustCompile(`^\s*([0-9][0-9.,]*|<not supported>|<not counted>)\s+(?:(msec)\s+)?([a-zA-Z][\w./:-]*)(?:\s+#.*?)?\s*(?:\( \+-\s*([0-9.,]+)% \))?\s*(?:\(([0-9.,]+)%\))?\s*$`)
	perfRuns = regexp.MustCompile(`Performance counter stats for .*\(([0-9]+) runs\)`)
	perfHead = regexp.MustCompile(`Performance counter stats for`)
	perfSecs = regexp.MustCompile(`^\s*([0-9][0-9.,]*)\s+(?:\+-\s*([0-9.,]+)\s+)?seconds time elapsed`)
)

func knowsPerfStat(text string) bool {
	return perfHead.MatchString(text) || strings.Contains(text, `"counter-value"`) || perfCSV.MatchString(text)
}

func readPerfStat(text, file string) ([]Series, error) {
	switch {
	case perfHead.MatchString(text):
		return readPerfText(text, file)
	case strings.Contains(text, `"counter-value"`):
		return readPerfJSON(text, file)
	}
	return readPerfCSV(text, file)
}

func perfSeries(event, unit string, line int) Series {
	return Series{Program: "perf stat", Name: event, Unit: strings.Replace(unit, "msec", "ms", 1), Line: line}
}

// readPerfText reads the output for people. A comma or point is a decimal sign
// if it is not a separator of thousands; German output has them the other way
// round, which its decimal milliseconds tell.
func readPerfText(text, file string) ([]Series, error) {
	runs, decimal := 0, "."
	if regexp.MustCompile(`(?m)^\s*[0-9.]+,[0-9]+ (msec|\+-|seconds)`).MatchString(text) {
		decimal = ","
	}
	number := func(s string) (float64, error) {
		if decimal == "," {
			s = strings.ReplaceAll(strings.ReplaceAll(s, ".", ""), ",", ".")
		} else {
			s = strings.ReplaceAll(s, ",", "")
		}
		return strconv.ParseFloat(s, 64)
	}
	var all []Series
	inside := false
	for i, l := range strings.Split(text, "\n") {
		if perfHead.MatchString(l) {
			inside = true
			if m := perfRuns.FindStringSubmatch(l); m != nil {
				runs, _ = strconv.Atoi(m[1])
			} else {
				runs = 1
			}
			continue
		}
		if !inside {
			continue
		}
		s, value, spread := Series{}, "", ""
		absolute := false
		if m := perfSecs.FindStringSubmatch(l); m != nil {
			s, value, spread, absolute = perfSeries("elapsed", "s", i+1), m[1], m[2], true
			s.Better = "lower"
			inside = false
		} else if m := perfText.FindStringSubmatch(l); m != nil && !strings.HasPrefix(m[1], "<") {
			s, value, spread = perfSeries(m[3], m[2], i+1), m[1], m[4]
		}
		if value == "" {
			continue
		}
		v, err := number(value)
		if err != nil {
			return nil, fmt.Errorf("measured: %s:%d: %q is not a number", file, i+1, value)
		}
		if runs == 1 {
			all = append(all, ofRuns(s, v))
			continue
		}
		sd := math.NaN()
		if spread != "" {
			// perf prints the standard error of the mean.
			e, err := number(spread)
			if err != nil {
				return nil, fmt.Errorf("measured: %s:%d: %q is not a number", file, i+1, spread)
			}
			if !absolute {
				e *= v / 100
			}
			sd = e * math.Sqrt(float64(runs))
		}
		all = append(all, ofMean(s, v, sd, runs))
	}
	return all, nil
}

func readPerfJSON(text, file string) ([]Series, error) {
	var all []Series
	for i, l := range strings.Split(text, "\n") {
		if strings.TrimSpace(l) == "" {
			continue
		}
		var e struct {
			Value string `json:"counter-value"`
			Unit  string `json:"unit"`
			Event string `json:"event"`
		}
		if err := json.Unmarshal([]byte(l), &e); err != nil {
			return nil, fmt.Errorf("measured: %s:%d: %v", file, i+1, err)
		}
		if e.Event == "" || strings.HasPrefix(e.Value, "<") {
			continue
		}
		v, err := strconv.ParseFloat(e.Value, 64)
		if err != nil {
			return nil, fmt.Errorf("measured: %s:%d: counter-value %q is not a number", file, i+1, e.Value)
		}
		all = append(all, ofRuns(perfSeries(e.Event, e.Unit, i+1), v))
	}
	return all, nil
}

// readPerfCSV reads perf stat -x,: with -I the counts of all intervals are added
// up.
func readPerfCSV(text, file string) ([]Series, error) {
	var all []Series
	at := make(map[string]int)
	for i, l := range strings.Split(text, "\n") {
		m := perfCSV.FindStringSubmatch(l)
		if m == nil || strings.HasPrefix(m[2], "<") {
			continue
		}
		v, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			return nil, fmt.Errorf("measured: %s:%d: %q is not a number", file, i+1, m[2])
		}
		if k, ok := at[m[4]]; ok && m[1] != "" {
			all[k] = ofRuns(all[k], all[k].Mean+v)
			continue
		}
		at[m[4]] = len(all)
		all = append(all, ofRuns(perfSeries(m[4], m[3], i+1), v))
	}
	return all, nil
}
