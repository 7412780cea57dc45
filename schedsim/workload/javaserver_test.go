package workload_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim/workload"
)

// One connection is a chain of the client's work, the request's and the sleep.
func TestJavaServerAddsUp(t *testing.T) {
	perRequest := func(change func(*workload.JavaServerParams)) float64 {
		p := workload.DefaultJavaServer(1)
		change(&p)
		w, err := workload.NewJavaServer(p)
		r := simulate(t, "snb-ep-4s", "v3.10", 0, 5*time.Second, w, err)
		return 1e9 / r.Throughput
	}
	base := perRequest(func(*workload.JavaServerParams) {})
	clock := speed(t, "snb-ep-4s")
	for _, c := range []struct {
		name   string
		change func(*workload.JavaServerParams)
		want   float64 // ns
	}{
		{"request", func(p *workload.JavaServerParams) { p.RequestNS += 100e3 }, 100e3 / clock},
		{"driver", func(p *workload.JavaServerParams) { p.DriverNS += 100e3 }, 100e3 / clock},
		{"think", func(p *workload.JavaServerParams) { p.ThinkNS += 100e3 }, 100e3},
		{"hold", func(p *workload.JavaServerParams) { p.HoldNS += 50e3 }, 50e3 / clock},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := perRequest(c.change) - base; math.Abs(got/c.want-1) > 0.05 {
				t.Errorf("%+.0f ns a request, want %+.0f", got, c.want)
			}
		})
	}
}

// With one monitor that every request holds for long, the server does one request
// at a time.
func TestJavaServerMonitorExcludes(t *testing.T) {
	p := workload.DefaultJavaServer(16)
	p.Locks, p.Monitors, p.HoldNS, p.ThinkNS = 1, 1, 500e3, 0
	w, err := workload.NewJavaServer(p)
	r := simulate(t, "snb-ep-4s", "v3.10", 100*time.Millisecond, 500*time.Millisecond, w, err)
	limit := 1e9 / p.HoldNS * speed(t, "snb-ep-4s")
	if r.Throughput > limit*1.01 || r.Throughput < limit*0.8 {
		t.Errorf("%.0f %s, want near and below %.0f", r.Throughput, r.Unit, limit)
	}
}

func TestNewJavaServerErrors(t *testing.T) {
	refuses(t, func(change func(*workload.JavaServerParams)) error {
		p := workload.DefaultJavaServer(1)
		change(&p)
		_, err := workload.NewJavaServer(p)
		return err
	}, []refusal[workload.JavaServerParams]{
		{"no connections", "at least 1", func(p *workload.JavaServerParams) { p.Connections = 0 }},
		{"no monitors", "monitors", func(p *workload.JavaServerParams) { p.Monitors = 0 }},
		{"negative", "negative", func(p *workload.JavaServerParams) { p.ThinkNS = -1 }},
	})
}

func ExampleNewJavaServer() {
	w, err := workload.NewJavaServer(workload.DefaultJavaServer(320))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(w.Name(), w.MaxTasks(), "tasks")
	// Output: javaserver-320 642 tasks
}
