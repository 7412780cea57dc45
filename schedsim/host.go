package schedsim

import "fmt"

// Host is a machine that runs the simulated one as its guest: fewer CPUs than the guest
// has, on which each virtual CPU is a thread.
//
// It schedules them by EEVDF with equal weights and slices, as Linux 6.18 was seen to do: who
// has had its slice gives way at the next tick to who is owed time and has the earliest
// deadline. Who wakes and is owed time, with what it was owed when it went to sleep, runs at
// once, whatever its deadline: that was measured (TestHostMeasured), and is not read from a
// source. A woken thread goes to a free CPU, if it can the one that it ran on before. A CPU
// without threads takes a waiting one of another, and where one has more than another, a
// waiting one is moved now and then.
//
// A virtual CPU that does not run does nothing: what it was doing ends later by as long as
// it waits, its interrupts come when it is back, and of the ticks that it missed one. The
// guest's time goes on, and its kernel charges its tasks.
type Host struct {
	CPUs int
	// Tick is the time between ticks of the host, and Slice its base slice, ns.
	Tick, Slice int64
	// TimerRunning and TimerHalted are how late the interrupt of a timer comes to a virtual
	// CPU that has tasks, and to one that has none. Each virtual CPU has one timer, which
	// the host's thread for timers serves: what else is due when its interrupt comes is
	// served by the same.
	TimerRunning, TimerHalted Lateness
	// TimerWaits is in how many of its wakeups, as a part, that thread finds something
	// else on its CPU, which stays until the next tick of the host.
	TimerWaits float64
	// TimerCost is what such an interrupt costs a virtual CPU that has tasks, beside what
	// each wakeup costs that comes of it: the next one has to be asked for. ns.
	TimerCost int64
	// StealEvery and StealTime are what else the host runs: it takes a CPU once in so
	// long in the mean, for so long in the mean, both exponential. ns. 0: it runs
	// nothing else. SpareEvery and SpareTime are the same while another CPU of the host
	// has nothing to do, where most of that goes then; SpareEvery is not below StealEvery,
	// or 0 for the same as without.
	StealEvery, StealTime, SpareEvery, SpareTime int64
	// NewidleCosts are what CPUs of the guest may remember at the start, a list each of the
	// dearest newly idle balance of each domain (max_newidle_lb_cost), the lowest first, ns:
	// one that the host has interrupted is forgotten by 1 % a second only. Empty: what a
	// machine without a host remembers.
	NewidleCosts [][]int64
}

// Lateness is a time of Least and an exponential More, in the mean, ns.
type Lateness struct{ Least, More int64 }

// hostBalance is how many ticks of the host pass between two moves of a thread from a CPU
// that has one more than another: the interval of a busy CPU's balance, 32 ms of 4.
const hostBalance = 8

type hostState uint8

const (
	hostAsleep hostState = iota
	hostWaits
	hostRuns
)

type host struct {
	Host
	cpus   []hostCPU
	vcpus  []vcpu
	rand   Rand
	phase  int64 // when it ticked first
	tickAt int64 // when it ticks next, if anybody waits
	missed int64 // ticks of the guest
	slot   int32
}

type hostCPU struct {
	curr  int32   // virtual CPU, or none
	since int64   // up to when curr is charged
	queue []int32 // those that wait
	avg   int64   // V: the mean of the vruntimes, or the last one if there is none
	// stealAt is when something else takes the CPU, 0 for never, and backAt when it gives
	// it back, 0 if it does not have it.
	stealAt, backAt int64
}

type vcpu struct {
	state     hostState
	home      int32 // CPU of the host
	vruntime  int64
	deadline  int64
	lag       int64 // what it was owed when it went to sleep
	interrupt bool  // of another virtual CPU, to be taken when it is back
	tick      bool
	timers    []timer // sleeps that are over, whose interrupt is on its way or waits
	armed     bool    // it is on its way
}

func (h *Host) check() error {
	if h.CPUs < 1 || h.Tick <= 0 || h.Slice <= 0 || min(h.TimerRunning.Least, h.TimerHalted.Least, h.StealEvery) < 0 || h.StealEvery > 0 && h.StealTime <= 0 ||
		h.SpareEvery != 0 && (h.SpareEvery < h.StealEvery || h.SpareTime <= 0) {
		return fmt.Errorf("schedsim: Config.Host is %+v, give at least one CPU, a tick, a slice, no time below 0, and a time to each theft", *h)
	}
	return nil
}

// buildHost puts the machine, all of whose CPUs are idle, on a host.
func (s *Sched) buildHost(h *Host) {
	if h == nil {
		return
	}
	s.host = &host{
		Host: *h, cpus: make([]hostCPU, h.CPUs), vcpus: make([]vcpu, len(s.cpus)),
		rand: StreamFor(s.seed, -4, 0), slot: s.hostSlot,
	}
	s.host.phase = s.now - int64(s.host.rand.Float64()*float64(h.Tick))
	for i := range s.host.cpus {
		s.host.cpus[i] = hostCPU{curr: none, queue: make([]int32, 0, len(s.cpus)), stealAt: s.host.nextTheft(s.now)}
	}
	for i := range s.host.vcpus {
		s.host.vcpus[i].home = int32(i % h.CPUs)
	}
	s.armHost()
}
