package workload_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/workload"
	"github.com/schedlab/schedlab/topology"
)

// Up to a job a core, files are compiled at the speed of the cores, less the steps
// of a recipe in which no compiler runs.
func TestKbuildIsTheCompilers(t *testing.T) {
	for _, jobs := range []int{1, 2} {
		t.Run(fmt.Sprint(jobs), func(t *testing.T) {
			p := workload.DefaultKbuild(jobs)
			w, err := workload.NewKbuild(p)
			r := simulate(t, "snb-ep-4s", "v3.10", 0, 5*time.Second, w, err)
			// At the clock of one or two busy cores of a socket. The rest of a recipe
			// are three forks, five execs and four exits: 2 to 5 ms of 270.
			limit := float64(jobs) * 1e9 / (p.CompileNS + p.AssembleNS) * speed(t, "snb-ep-4s")
			if got := r.Throughput / limit; got > 0.995 || got < 0.97 {
				t.Errorf("%.3f %s, %.1f %% of %.3f, want 97 to 99.5", r.Throughput, r.Unit, 100*got, limit)
			}
		})
	}
}

// Each file is three processes: the shell that becomes gcc, cc1 and as. make keeps
// its number of jobs going.
func TestKbuildForks(t *testing.T) {
	p := workload.DefaultKbuild(8)
	p.CompileNS, p.AssembleNS = 20e6, 2e6
	w, err := workload.NewKbuild(p)
	r := simulate(t, "snb-ep-4s", "v3.10", time.Second, 5*time.Second, w, err)
	files := r.Throughput * float64(r.MeasuredNS) / 1e9
	// A file has three exits that wake somebody, two waits of gcc, and make's, which
	// does not sleep if another child has ended by then.
	perFile := float64(r.Counters.Wakeups) / files
	if perFile < 2.3 || perFile > 3.1 {
		t.Errorf("%.2f wakeups a file, want 2.3 to 3.1", perFile)
	}
}

// A run that comes to the end of the files has no result: make waits for ever.
func TestKbuildOutOfFiles(t *testing.T) {
	p := workload.DefaultKbuild(8)
	p.MaxFiles = 8
	w, err := workload.NewKbuild(p)
	if err != nil {
		t.Fatal(err)
	}
	m, err := topology.Load("snb-ep-4s")
	if err != nil {
		t.Fatal(err)
	}
	_, err = schedsim.Run(context.Background(), schedsim.Config{
		Machine: m, Kernel: schedsim.V310(len(m.OnlineCPUs())), Workload: w, Seed: 1, Measure: 2 * time.Second,
	})
	var d *schedsim.Deadlock
	if !errors.As(err, &d) || len(d.Waiting) != 1 || d.Waiting[0].Name != "make" {
		t.Errorf("error %v, want a deadlock of make", err)
	}
}

func TestNewKbuildErrors(t *testing.T) {
	refuses(t, func(change func(*workload.KbuildParams)) error {
		p := workload.DefaultKbuild(1)
		change(&p)
		_, err := workload.NewKbuild(p)
		return err
	}, []refusal[workload.KbuildParams]{
		{"no jobs", "at least 1", func(p *workload.KbuildParams) { p.Jobs = 0 }},
		{"no files", "at least 1", func(p *workload.KbuildParams) { p.MaxFiles = 0 }},
		{"no work", "too small", func(p *workload.KbuildParams) { p.CompileNS = 0 }},
	})
}

func ExampleNewKbuild() {
	w, err := workload.NewKbuild(workload.DefaultKbuild(64))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(w.Name(), math.Floor(w.CompileNS/1e6), "ms a file")
	// Output: kbuild-64 250 ms a file
}
