package scenario

import (
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

// The host of the recordings: a virtual machine of two CPUs with Linux 6.18, whose base slice
// was the default. Four threads that spin on it, at nice -10 in an autogroup of -10, run for
// 3.9 ms at a time in the median, and wait for 4.1; a quarter wait for 8 ms: slices end at
// ticks, of which there are 250 a second (CONFIG_HZ).
const (
	hostCPUs  = 2
	hostTick  = 4 * time.Millisecond
	hostSlice = 1400 * time.Microsecond
)

func hostOfGuests() *schedsim.Host {
	return &schedsim.Host{
		CPUs: hostCPUs, Tick: int64(hostTick), Slice: int64(hostSlice),
		StealEvery: int64(stealInterval), StealTime: int64(stealTime),
	}
}
