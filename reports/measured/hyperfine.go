package measured

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// hyperfineExport is what --export-json writes; times are seconds.
type hyperfineExport struct {
	Results []struct {
		Command    string            `json:"command"`
		Mean       *float64          `json:"mean"`
		Stddev     *float64          `json:"stddev"` // null after one run
		Times      []float64         `json:"times"`
		Parameter  *string           `json:"parameter"` // of 1.6 to 1.10
		Parameters map[string]string `json:"parameters"`
	} `json:"results"`
}

func knowsHyperfine(text string) bool {
	s := strings.TrimSpace(text)
	return strings.HasPrefix(s, "{") && strings.Contains(s, `"results"`) && strings.Contains(s, `"command"`)
}

func readHyperfine(text, file string) ([]Series, error) {
	var e hyperfineExport
	if err := json.Unmarshal([]byte(text), &e); err != nil {
		line := 1
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			line += strings.Count(text[:min(int(syntax.Offset), len(text))], "\n")
		}
		return nil, fmt.Errorf("measured: %s:%d: %v", file, line, err)
	}
	var all []Series
	for i, r := range e.Results {
		s := Series{Program: "hyperfine", Name: "time", Unit: "s", Better: "lower", Params: map[string]string{"command": r.Command}}
		for k, v := range r.Parameters {
			s.Params[k] = v
		}
		if r.Parameter != nil {
			s.Params["parameter"] = *r.Parameter
		}
		switch {
		case len(r.Times) > 0:
			all = append(all, ofRuns(s, r.Times...))
		case r.Mean != nil:
			sd := math.NaN()
			if r.Stddev != nil {
				sd = *r.Stddev
			}
			all = append(all, ofMean(s, *r.Mean, sd, 0))
		default:
			return nil, fmt.Errorf("measured: %s:1: result %d (%q) has neither times nor a mean", file, i+1, r.Command)
		}
	}
	return all, nil
}

func knowsHyperfineCSV(text string) bool { return strings.HasPrefix(text, "command,mean,stddev") }

func readHyperfineCSV(text, file string) ([]Series, error) {
	r := csv.NewReader(strings.NewReader(text))
	r.FieldsPerRecord = -1 // parameters are those of the first command
	head, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("measured: %s:1: %v", file, err)
	}
	var all []Series
	for {
		row, err := r.Read()
		if err != nil {
			if row == nil && errors.Is(err, io.EOF) {
				return all, nil
			}
			return nil, fmt.Errorf("measured: %s: %v", file, err)
		}
		line, _ := r.FieldPos(0)
		if len(all) == maxRows {
			return nil, fmt.Errorf("measured: %s:%d: more than %d rows, which no run of hyperfine has", file, line, maxRows)
		}
		if len(row) < 3 {
			return nil, fmt.Errorf("measured: %s:%d: %d fields, want command, mean and stddev", file, line, len(row))
		}
		mean, err1 := strconv.ParseFloat(row[1], 64)
		sd, err2 := strconv.ParseFloat(row[2], 64)
		if err := errors.Join(err1, err2); err != nil {
			return nil, fmt.Errorf("measured: %s:%d: %v", file, line, err)
		}
		if sd == 0 {
			sd = math.NaN() // what it writes after one run
		}
		s := Series{Program: "hyperfine", Name: "time", Unit: "s", Better: "lower", Params: map[string]string{"command": row[0]}, Line: line}
		for i := 3; i < len(row) && i < len(head); i++ {
			if name, ok := strings.CutPrefix(head[i], "parameter_"); ok {
				s.Params[name] = row[i]
			}
		}
		all = append(all, ofMean(s, mean, sd, 0))
	}
}
