package bench

import (
	"container/heap"
	"context"
	"math"
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

// The hold model, to compare simulators: jobs that think and are served in turn,
// for exponential times, by CPUs that they wait for in one queue, first come first
// served (a closed M/M/k queue). Here each service goes through a kernel: it is
// woken, placed, enqueued, switched to and from, and ticked. The others have the
// queue alone.
const (
	holdJobs    = 400
	holdCPUs    = 160
	holdService = 500e3 // ns
	holdThink   = 700e3 // ns
)

// Hold is how fast a simulator goes through the hold model.
type Hold struct {
	Name      string  `json:"name"`
	Served    int64   `json:"served"`
	Wall      float64 `json:"wall"`      // s
	Simulated float64 `json:"simulated"` // s
}

// PerSecond returns how many services were simulated in a second.
func (h Hold) PerSecond() float64 { return float64(h.Served) / h.Wall }

// Rate returns how many services there were in a simulated second. It is nearly
// the same for all that simulate the same model.
func (h Hold) Rate() float64 { return float64(h.Served) / h.Simulated }

// holdHere simulates the model on a machine of 160 cores.
func holdHere(ctx context.Context, wall time.Duration) (Hold, error) {
	w := newMixed(holdJobs, holdService, holdThink)
	w.exponential = true
	c := Case{
		Warm: 50 * time.Millisecond,
		config: func() (schedsim.Config, error) {
			m := Big(2 * holdCPUs)
			m.CPUs = m.CPUs[:holdCPUs] // a thread of each core
			return schedsim.Config{Machine: m, Kernel: schedsim.V510(holdCPUs), Workload: w}, nil
		},
	}
	r, err := c.Warmed(ctx)
	if err != nil {
		return Hold{}, err
	}
	before := w.served
	f, err := stretch(ctx, r, wall)
	return Hold{"schedsim, with the kernel", w.served - before, f.WallSeconds, f.SimulatedSeconds}, err
}

// holdEvent is an event as a program of one's own has it.
type holdEvent struct {
	at     float64 // ns
	served bool    // the end of a service, else of a thought
}

type holdHeap []*holdEvent

func (h holdHeap) Len() int           { return len(h) }
func (h holdHeap) Less(i, j int) bool { return h[i].at < h[j].at }
func (h holdHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *holdHeap) Push(x any)        { *h = append(*h, x.(*holdEvent)) }
func (h *holdHeap) Pop() any {
	old := *h
	e := old[len(old)-1]
	*h = old[:len(old)-1]
	return e
}

// holdContainerHeap simulates the model with container/heap.
func holdContainerHeap(wall time.Duration) Hold {
	r := schedsim.StreamFor(1, 0, 0)
	exp := func(mean float64) float64 { return -mean * math.Log(1-r.Float64()) }
	var h holdHeap
	for range holdJobs {
		heap.Push(&h, &holdEvent{at: exp(holdThink)})
	}
	free, waiting, served, now := holdCPUs, 0, int64(0), 0.0
	start := time.Now()
	for n := 0; n&1023 != 0 || time.Since(start) < wall; n++ {
		e := heap.Pop(&h).(*holdEvent)
		now = e.at
		if e.served {
			served++
			free++
			heap.Push(&h, &holdEvent{at: now + exp(holdThink)})
		} else {
			waiting++
		}
		if waiting > 0 && free > 0 {
			waiting, free = waiting-1, free-1
			heap.Push(&h, &holdEvent{at: now + exp(holdService), served: true})
		}
	}
	return Hold{"Go's container/heap", served, time.Since(start).Seconds(), now / 1e9}
}
