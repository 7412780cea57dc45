package scenario

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// Boot is the outcome of a scenario on a real kernel.
type Boot struct {
	Kernel, Machine, Scenario string
	Number                    int
	Outcome
}

// ReadRecordings reads recorded-MACHINE.csv of a directory, in the file's order.
func ReadRecordings(dir, machine string) ([]Boot, error) {
	path := filepath.Join(dir, "recorded-"+machine+".csv")
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("scenario: %w", err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	head, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("scenario: %s: %w", path, err)
	}
	column := map[string]int{}
	for i, name := range head {
		column[name] = i
	}
	for _, name := range columns {
		if _, ok := column[name]; !ok {
			return nil, fmt.Errorf("scenario: %s: no column %s", path, name)
		}
	}
	rows, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("scenario: %s: %w", path, err)
	}
	var boots []Boot
	for i, row := range rows {
		var bad error
		text := func(name string) string { return row[column[name]] }
		num := func(name string) int64 {
			if text(name) == "" {
				return 0
			}
			v, err := strconv.ParseInt(text(name), 10, 64)
			if err != nil {
				bad = fmt.Errorf("scenario: %s: data row %d: %s is %q, want a number", path, i+1, name, text(name))
			}
			return v
		}
		us := func(name string) time.Duration { return time.Duration(num(name)) * time.Microsecond }
		key := Boot{Kernel: text("kernel"), Machine: machine, Scenario: text("scenario"), Number: int(num("boot"))}
		last := len(boots) - 1
		if last < 0 || boots[last].Kernel != key.Kernel || boots[last].Scenario != key.Scenario || boots[last].Number != key.Number {
			boots = append(boots, key)
			last++
		}
		b := &boots[last]
		if text("task") == "*" {
			b.Migrations, b.Wall = num("migrations"), us("wall_us")
			b.Placement = Placement{num("wakeups"), num("previous"), num("sibling"), num("socket"), num("other")}
		} else {
			b.Tasks = append(b.Tasks, TaskOutcome{
				Name: text("task"), Iterations: num("iterations"), CPU: us("cpu_us"), Wall: us("wall_us"),
				// One is for the sleep until the start.
				Voluntary: max(num("voluntary")-1, 0), Involuntary: num("involuntary"),
				Load: num("load"), Runnable: num("runnable"), Util: num("util"),
			})
			b.Attempts += num("attempts")
			b.Pulls += num("affine")
		}
		if bad != nil {
			return nil, bad
		}
	}
	return boots, nil
}

// columns of a file of recordings.
var columns = []string{
	"kernel", "boot", "scenario", "task", "iterations", "cpu_us", "wall_us", "voluntary", "involuntary",
	"migrations", "util", "load", "runnable", "affine", "attempts",
	"wakeups", "previous", "sibling", "socket", "other",
}
