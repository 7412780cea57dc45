package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/pprof"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/schedlab/schedlab/schedsim/bench"
)

// benchReport is what bench prints as JSON.
type benchReport struct {
	Go           string        `json:"go"`
	CPU          string        `json:"cpu,omitempty"`
	Cases        []benchCase   `json:"cases"`
	Growth       []benchRatio  `json:"growth"`
	MemoryBytes  uint64        `json:"memoryBytes"`  // 1,024 CPUs, 10,000 tasks
	Replications float64       `json:"replications"` // on two threads, of one
	Arithmetic   float64       `json:"arithmetic"`   // the same of a loop without memory
	Peers        []bench.Hold  `json:"peers,omitempty"`
	Missing      []string      `json:"missingPeers,omitempty"`
	each         time.Duration // of wall time for a stretch
}

type benchCase struct {
	Name                string     `json:"name"`
	What                string     `json:"what"`
	EventsPerSecond     float64    `json:"eventsPerSecond"`
	CPUSecondsPerSecond float64    `json:"cpuSecondsPerSecond"`
	EventsPerCPUSecond  float64    `json:"eventsPerCPUSecond"`
	AllocationsPerEvent float64    `json:"allocationsPerEvent"`
	Floor               float64    `json:"floor"`
	Unit                bench.Unit `json:"unit"`
	Reached             bool       `json:"reached"`
}

type benchRatio struct {
	bench.Ratio
	Times   float64 `json:"ratio"`
	Reached bool    `json:"reached"`
}

// benchRuns is how many stretches are measured, of which the median counts.
const benchRuns = 5

func (a *app) benchCommand() *cobra.Command {
	var asJSON, peers bool
	var profile string
	var each time.Duration
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure how fast this machine simulates",
		Long: `Measure how fast schedsim simulates on this machine: loads on one thread, with
every mechanism of the kernel model and the trace; how the cost of an event grows
with the machine, the tasks asleep and the simulated time; memory; and what a
second thread gains. The speed is always three figures: events a second, simulated
CPU seconds a second, and events that a simulated CPU second has. Each is the median
of five stretches, and a second is one of CPU time. "wanted" is the least that a
current server must reach.

--peers runs a hold model here, with Go's container/heap, and with SimPy and SimGrid
where Debian's packages python3-simpy and python3-simgrid are installed.`,
		Args: cobra.NoArgs,
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an object as JSON")
	cmd.Flags().BoolVar(&peers, "peers", false, "compare with other simulators")
	cmd.Flags().DurationVar(&each, "time", time.Second, "wall time of a stretch")
	cmd.Flags().StringVar(&profile, "cpuprofile", "", "write a CPU profile of the loads into this `FILE`")
	cmd.RunE = a.work(func(ctx context.Context, _ []string) error {
		if each < time.Millisecond || each > time.Minute {
			return usageError{fmt.Errorf("--time is %v; give 1ms to 1m", each)}
		}
		r := benchReport{Go: runtime.Version(), CPU: cpuModel(), each: each}
		if err := a.benchAll(ctx, &r, profile, peers); err != nil {
			return err
		}
		if asJSON {
			e := json.NewEncoder(a.stdout)
			e.SetIndent("", "  ")
			return e.Encode(r)
		}
		return r.writeText(a.stdout)
	})
	return cmd
}

// benchAll measures everything into r.
func (a *app) benchAll(ctx context.Context, r *benchReport, profile string, peers bool) error {
	if err := a.benchCases(ctx, r, profile); err != nil {
		return err
	}
	a.note("mkreport: growth, memory, replications")
	growth, err := bench.Growth(ctx, benchRuns, r.each/2)
	if err != nil {
		return err
	}
	for _, g := range growth {
		r.Growth = append(r.Growth, benchRatio{g, g.Value(), g.Value() <= g.Limit})
	}
	if r.MemoryBytes, err = bench.Memory(ctx); err != nil {
		return err
	}
	if runtime.GOMAXPROCS(0) > 1 {
		if r.Replications, err = bench.Replications(ctx, 2, benchRuns, r.each/2); err != nil {
			return err
		}
		r.Arithmetic = bench.Arithmetic(2, benchRuns, r.each/2)
	}
	if peers {
		a.note("mkreport: peers")
		r.Peers, r.Missing, err = bench.Peers(ctx, 2*r.each)
	}
	return err
}

// benchCases measures the loads, with a profile of them if there is to be one.
func (a *app) benchCases(ctx context.Context, r *benchReport, profile string) error {
	if profile != "" {
		f, err := os.Create(profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	for _, c := range bench.Cases() {
		a.note("mkreport: %s", c.Name)
		f, err := c.Measure(ctx, benchRuns, r.each)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		r.Cases = append(r.Cases, benchCase{
			c.Name, c.What, f.EventsPerSecond(), f.CPUSecondsPerSecond(), f.EventsPerCPUSecond(),
			f.AllocationsPerEvent(), c.Floor, c.Unit, f.In(c.Unit) >= c.Floor,
		})
	}
	return nil
}

// writeText writes the report for people.
func (r *benchReport) writeText(w io.Writer) error {
	fmt.Fprintf(w, "%s, %s\n\n", r.CPU, r.Go)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "case\tev/s\tCPU-s/s\tev/CPU-s\tallocs/ev\twanted\treached\t")
	for _, c := range r.Cases {
		fmt.Fprintf(t, "%s\t%.2f M\t%s\t%.0f\t%.4f\t%s\t%s\t\n", c.Name, c.EventsPerSecond/1e6, short(c.CPUSecondsPerSecond),
			c.EventsPerCPUSecond, c.AllocationsPerEvent, wanted(c), yesNo(c.Reached))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, c := range r.Cases {
		fmt.Fprintf(w, "%s: %s\n", c.Name, c.What)
	}
	fmt.Fprintln(w)
	for _, g := range r.Growth {
		fmt.Fprintf(w, "%s: %.2f times the cost of an event (%.0f, %.0f ns); at most %.1f: %s\n", g.What, g.Times, g.From, g.To, g.Limit, yesNo(g.Reached))
	}
	fmt.Fprintf(w, "1,024 CPUs and 10,000 tasks: %.1f MiB\n", float64(r.MemoryBytes)/(1<<20))
	if r.Replications > 0 {
		fmt.Fprintf(w, "two replications side by side: %.2f times the events a second of one; two loops of arithmetic: %.2f times\n", r.Replications, r.Arithmetic)
	}
	r.writePeers(w)
	return nil
}

// writePeers writes the comparison with other simulators, if there was one.
func (r *benchReport) writePeers(w io.Writer) {
	if len(r.Peers) == 0 {
		return
	}
	fmt.Fprintf(w, "\nhold model, 400 jobs on 160 CPUs, services a second:\n")
	for _, p := range r.Peers {
		fmt.Fprintf(w, "  %-26s %9.0f  (%.0f in a simulated second)  here: %.2f times as many\n",
			p.Name, p.PerSecond(), p.Rate(), r.Peers[0].PerSecond()/p.PerSecond())
	}
	for _, m := range r.Missing {
		fmt.Fprintf(w, "  not there: %s\n", m)
	}
}

func wanted(c benchCase) string {
	if c.Unit == bench.EventsPerSecond {
		return fmt.Sprintf("%.0f M %s", c.Floor/1e6, c.Unit)
	}
	return fmt.Sprintf("%.0f %s", c.Floor, "CPU-s/s")
}

// short writes a speed with three digits.
func short(v float64) string {
	if v < 100 {
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

func yesNo(v bool) string {
	if v {
		return "yes"
	}
	return "no"
}

// cpuModel is the model name of the CPU that this runs on, if the system says.
func cpuModel() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
