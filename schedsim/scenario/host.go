package scenario

import (
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

// The host of the recordings is a virtual machine of two CPUs itself, with Linux 6.18, 250
// ticks a second (CONFIG_HZ, those of both CPUs at the same time) and the default base slice. How
// it shares them was measured on one like it, by threads that spin, or run and sleep by turns
// (testdata/oracle/host.c), at nice -10 in an autogroup of -10 as the guests were, beside a load of
// two at nice 0: four that spin run for 3.9 ms at a time in the median, and wait for 4.1, a
// quarter of them for 8; woken ones are in package schedsim's TestHostMeasured. That who wakes and
// is owed time runs at once is one of them: with EEVDF's whole rule, which asks for an earlier
// deadline too, the third quarter of the wakeups of two-heavy-of-four would wait for 1.9 ms, where
// 0.9 was measured. What else the host ran is in sitting.go.
const (
	hostCPUs  = 2
	hostTick  = 4 * time.Millisecond
	hostSlice = 1400 * time.Microsecond
)

// host is what the guest runs on.
func (g *Guest) host() *schedsim.Host {
	c, during := g.costs, g.sitting()
	return &schedsim.Host{
		CPUs: hostCPUs, Tick: int64(hostTick), Slice: int64(hostSlice),
		TimerRunning: c.timerRunning, TimerHalted: c.timerHalted,
		TimerWaits: during.waits, TimerCost: int64(c.timer),
		StealEvery: int64(c.stealEvery), StealTime: int64(c.stealTime),
		NewidleCosts: g.newidle,
		SpareEvery:   int64(during.spareEvery), SpareTime: int64(during.spareTime),
	}
}
