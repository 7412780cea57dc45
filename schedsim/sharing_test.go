package schedsim

import (
	"container/heap"
	"fmt"
	"math"
	"testing"
	"time"
)

// Equal tasks that arrive at random on one CPU and need many slices each see
// processor sharing: with load rho the mean time that one takes is its size over
// 1-rho, whatever the distribution of sizes is (M/G/1-PS; Kleinrock, Queueing
// Systems II, 4.4).

// arrivals is a sequence of jobs; times are ns.
type arrivals struct{ at, size, done []int64 }

// poisson draws n jobs of a mean size at a load, of sizes that are exponential or
// all equal.
func poisson(n int, mean, load float64, equal bool) *arrivals {
	r := Rand(20)
	exp := func() float64 { return -math.Log(1 - r.Float64()) }
	a := &arrivals{}
	t := 0.0
	for range n {
		t += mean / load * exp()
		size := mean
		if !equal {
			size *= exp()
		}
		a.at = append(a.at, int64(t))
		a.size = append(a.size, max(int64(size), 1))
	}
	a.done = make([]int64, n)
	return a
}

// meanTime is the mean over the jobs of the time from arrival to end.
func (a *arrivals) meanTime() float64 {
	sum := 0.0
	for i, t := range a.at {
		sum += float64(a.done[i] - t)
	}
	return sum / float64(len(a.at))
}

// share serves all jobs by ideal processor sharing.
func (a *arrivals) share() {
	var active jobHeap
	now, served := 0.0, 0.0 // served: what a job that was always there got
	next := 0
	for next < len(a.at) || len(active) > 0 {
		end := math.Inf(1)
		if len(active) > 0 {
			end = now + (active[0].end-served)*float64(len(active))
		}
		if next < len(a.at) && float64(a.at[next]) <= end {
			t := float64(a.at[next])
			if len(active) > 0 {
				served += (t - now) / float64(len(active))
			}
			now = t
			heap.Push(&active, job{served + float64(a.size[next]), next})
			next++
			continue
		}
		now, served = end, active[0].end
		a.done[heap.Pop(&active).(job).id] = int64(now)
	}
}

type job struct {
	end float64 // in terms of served
	id  int
}

type jobHeap []job

func (h jobHeap) Len() int           { return len(h) }
func (h jobHeap) Less(i, j int) bool { return h[i].end < h[j].end }
func (h jobHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *jobHeap) Push(x any)        { *h = append(*h, x.(job)) }
func (h *jobHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

// jobs is the same sequence as a workload on CPU 0.
type jobs struct{ *arrivals }

func (w jobs) Name() string       { return "jobs" }
func (w jobs) MaxTasks() int      { return len(w.at) }
func (w jobs) Channels() int      { return 0 }
func (w jobs) Locality() Locality { return Locality{} }
func (w jobs) Start(s *Sched) {
	for i, at := range w.at {
		w.done[i] = 0
		s.Spawn("job", 0, 0, at).Arg = int32(i)
	}
}
func (w jobs) Next(s *Sched, t *Task) Op {
	if t.PC++; t.PC == 1 {
		return Op{Kind: OpCompute, Work: w.size[t.Arg]}
	}
	w.done[t.Arg] = s.now - bootTime
	return Op{Kind: OpExit}
}
func (w jobs) Born(*Sched, *Task, *Task, int32)        {}
func (w jobs) Measured(*Sched, bool) (float64, string) { return 0, "" }

// TestProcessorSharing compares the model with ideal sharing of the same jobs, and
// ideal sharing of many with the theory: a few thousand jobs are far from the mean,
// by the same in both.
func TestProcessorSharing(t *testing.T) {
	const mean = 400e6
	for _, equal := range []bool{false, true} {
		for _, load := range []float64{0.5, 0.8} {
			t.Run(fmt.Sprintf("load %g equal %v", load, equal), func(t *testing.T) {
				t.Parallel()
				theory := mean / (1 - load)
				many := poisson(500000, mean, load, equal)
				many.share()
				ideal := many.meanTime() / theory

				a := poisson(2000, mean, load, equal)
				a.share()
				want := a.meanTime()
				s := newTestSched(t, testMachine(1, 1, 1), jobs{a}, true)
				simulate(t, s, time.Duration(a.at[len(a.at)-1])+100*mean)
				for i := range a.done {
					if a.done[i] == 0 {
						t.Fatalf("job %d did not end", i)
					}
				}
				model := a.meanTime() / want
				t.Logf("ideal sharing over theory %.4f, model over ideal sharing %.4f", ideal, model)
				if math.Abs(ideal-1) > 0.03 {
					t.Errorf("ideal sharing of many jobs takes %.4f of the theory's time", ideal)
				}
				if math.Abs(ideal*model-1) > 0.03 {
					t.Errorf("the model takes %.4f of the theory's time", ideal*model)
				}
			})
		}
	}
}
