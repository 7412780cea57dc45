// Command fuzzall runs every fuzz target of the module for a while, one after the
// other, and prints how many inputs each has had. It ends with 1 if one fell; the
// input is in testdata/fuzz of its package then.
//
//	go run ./internal/fuzzall -time 2m
//	go run ./internal/fuzzall -time 10m -match 'dump|dialect'
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"time"
)

func main() {
	each := flag.Duration("time", 20*time.Second, "`duration` of each target")
	match := flag.String("match", "", "only targets whose \"package.Name\" matches this `expression`")
	workers := flag.Int("parallel", 0, "processes of a target (default one a CPU)")
	flag.Parse()
	only, err := regexp.Compile(*match)
	if err == nil {
		err = run(*each, only, *workers)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "fuzzall:", err)
		os.Exit(1)
	}
}

// run runs the targets and prints a table.
func run(each time.Duration, only *regexp.Regexp, workers int) error {
	targets, err := find(".")
	if err != nil {
		return err
	}
	fell, total, began := 0, 0, time.Now()
	for _, t := range targets {
		if !only.MatchString(t.String()) {
			continue
		}
		// An input that reaches new code is made smaller for up to a minute, if nothing is said:
		// of long ones, a study or a machine, nothing else is done then.
		args := []string{"test", "-run", "^$", "-fuzz", "^" + t.name + "$", "-fuzztime", each.String(), "-fuzzminimizetime", "10x"}
		if workers > 0 {
			args = append(args, "-parallel", fmt.Sprint(workers))
		}
		out, err := exec.Command("go", append(args, "./"+t.dir)...).CombinedOutput()
		n := inputs(string(out))
		total += n
		result := "ok"
		if err != nil && !outOfTime(string(out)) {
			fell++
			result = "FELL\n" + string(out)
		}
		fmt.Printf("%-50s %12d  %s\n", t, n, result)
	}
	fmt.Printf("%-50s %12d  in %v\n", "all", total, time.Since(began).Round(time.Second))
	if fell > 0 {
		return fmt.Errorf("%d targets fell", fell)
	}
	return nil
}
