package workload_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim/workload"
)

// sysbench's oltp with MySQL on two IvyBridge-EP sockets, as published with
// sched/core: Address more wake_affine() regressions (f2cdd9cc6c97, v4.14; the
// column NO_WA_WEIGHT). Its changelog does not name the machine; that of the patch
// before it does. The work of a statement is from the first figure, the others
// follow.
func TestOLTPIsPublished(t *testing.T) {
	for _, c := range []struct {
		threads int
		want    float64
		within  float64 // percent
	}{
		{2, 2135.17, 5},
		{10, 9158.59, 15},
		{20, 14570.70, 15},
		{40, 22130.56, 15},
	} {
		t.Run(fmt.Sprint(c.threads), func(t *testing.T) {
			w, err := workload.NewOLTP(workload.DefaultOLTP(c.threads))
			r := simulate(t, "ivb-ep-2s", "v4.18", 50*time.Millisecond, 100*time.Millisecond, w, err)
			if off := 100 * (r.Throughput/c.want - 1); math.Abs(off) > c.within {
				t.Errorf("%.0f %s, published %.0f: %+.1f %%", r.Throughput, r.Unit, c.want, off)
			}
		})
	}
}

// One thread is a chain: a transaction takes longer by what is added to its
// statements, locks and flushes.
func TestOLTPAddsUp(t *testing.T) {
	perTransaction := func(change func(*workload.OLTPParams)) float64 {
		p := workload.DefaultOLTP(1)
		change(&p)
		w, err := workload.NewOLTP(p)
		r := simulate(t, "snb-ep-2s", "v3.10", 20*time.Millisecond, 200*time.Millisecond, w, err)
		return 1e9 / r.Throughput
	}
	base := perTransaction(func(*workload.OLTPParams) {})
	clock := speed(t, "snb-ep-2s")
	for _, c := range []struct {
		name   string
		change func(*workload.OLTPParams)
		want   float64 // ns
	}{
		// Ten selects by key, and BEGIN and COMMIT of a fifth each.
		{"points", func(p *workload.OLTPParams) { p.PointNS += 10e3 }, 104e3 / clock},
		{"ranges", func(p *workload.OLTPParams) { p.RangeNS += 10e3 }, 40e3 / clock},
		{"writes", func(p *workload.OLTPParams) { p.WriteNS += 10e3 }, 40e3 / clock},
		{"client", func(p *workload.OLTPParams) { p.ClientNS += 10e3 }, 200e3 / clock},
		// Twenty statements with two locks each.
		{"locks", func(p *workload.OLTPParams) { p.HoldNS += 1e3 }, 40e3 / clock},
		// The storage knows no clock.
		{"flush", func(p *workload.OLTPParams) { p.FlushNS += 100e3 }, 100e3},
		{"reading", func(p *workload.OLTPParams) { p.Mode = workload.OLTPReadOnly; p.RangeNS += 10e3 },
			40e3/clock - (160e3+flushPath)/clock - 100e3 - 4*statementPath},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := perTransaction(c.change) - base; math.Abs(got-c.want) > 0.1*math.Abs(c.want)+2e3 {
				t.Errorf("%+.0f ns a transaction, want %+.0f", got, c.want)
			}
		})
	}
}

// What else goes with a write: the flush's system call, and a statement's two
// messages with the client's work and idle exits, ns.
const flushPath, statementPath = 10e3, 15e3

// Locks are held by one thread at a time: with long holds, all threads together do
// one hold after another, and no more.
func TestOLTPLocksExclude(t *testing.T) {
	p := workload.DefaultOLTP(16)
	p.Locks, p.Mutexes, p.HoldNS = 1, 1, 200e3
	w, err := workload.NewOLTP(p)
	r := simulate(t, "snb-ep-2s", "v3.10", 100*time.Millisecond, 500*time.Millisecond, w, err)
	limit := 1e9 / (20 * p.HoldNS) * speed(t, "snb-ep-2s")
	if r.Throughput > limit*1.01 || r.Throughput < limit*0.6 {
		t.Errorf("%.1f %s, want near and below %.1f", r.Throughput, r.Unit, limit)
	}
}

// Threads that commit while the log is flushed share the next flush: many threads
// commit far more often than the storage answers.
func TestOLTPCommitsInGroups(t *testing.T) {
	p := workload.DefaultOLTP(32)
	p.FlushNS = 5e6
	w, err := workload.NewOLTP(p)
	r := simulate(t, "snb-ep-2s", "v3.10", 100*time.Millisecond, 500*time.Millisecond, w, err)
	// All threads wait for a flush, on the average one and a half of it, and do
	// their transaction's work within the next.
	if flushes := 1e9 / p.FlushNS; r.Throughput < 10*flushes || r.Throughput > 32*flushes {
		t.Errorf("%.0f %s with %.0f flushes a second, want 10 to 32 a flush", r.Throughput, r.Unit, flushes)
	}
}

func TestNewOLTPErrors(t *testing.T) {
	refuses(t, func(change func(*workload.OLTPParams)) error {
		p := workload.DefaultOLTP(1)
		change(&p)
		_, err := workload.NewOLTP(p)
		return err
	}, []refusal[workload.OLTPParams]{
		{"no threads", "at least 1", func(p *workload.OLTPParams) { p.Threads = 0 }},
		{"no mode", "no mode", func(p *workload.OLTPParams) { p.Mode = "" }},
		{"no mutexes", "locks of", func(p *workload.OLTPParams) { p.Mutexes = 0 }},
		{"negative", "negative", func(p *workload.OLTPParams) { p.SpinNS = -1 }},
	})
}

func ExampleNewOLTP() {
	w, err := workload.NewOLTP(workload.DefaultOLTP(64))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(w.Name(), w.MaxTasks(), "tasks")
	// Output: oltp-complex-64 130 tasks
}
