package scenario

import (
	"slices"
	"time"
)

// sitting is a time at which recordings were made, with what the host did besides: its CPUs
// were busy with other things in all but the first, and those come in the way of the guest.
// What is given for each is measured from event traces of its boots of 2cpu. These are traces
// of scenarios that are compared as well, so a sitting is no evidence of its own: of boots 4 to
// 6, waits and the runs with a spare CPU are from batch-and-fair alone; of boots 1 to 3 there
// are traces of 2socket-smt only, and what is given is from the summaries of 2cpu. cold was set
// to the CPU time of turns by hand, not by a fit.
type sitting struct {
	// boots of the recordings, first and last, and the scenarios if others of the same
	// number are of another sitting.
	first, last int
	only        []string

	// waits is in how many of its wakeups the thread that serves the guest's timers has to
	// wait for a CPU: in how many turns a sleeper is late by more than 300 us. That does
	// not hang on how long it slept (0.06 of sleeps of 0.2 ms, 0.19 of 9 ms), so it is not
	// that a CPU was taken away meanwhile. Those are late by 2.2 ms in the mean, half of
	// them by 1.1 to 2.9: until the host's next tick. A thread that runs for 20 us and
	// sleeps, measured on such a host beside one to four that spin, waited in 0.005 to 0.43
	// of its wakeups, 24 times of two seconds, in 0.04 in the median.
	waits float64
	// spareEvery and spareTime are how often runs of sleepers are longer by more than
	// 400 us than the median, where the host had a CPU to spare.
	spareEvery, spareTime time.Duration
	// cold is by how much a turn that ends in a sleep is longer for each e-fold of the time
	// since a task went to sleep on that CPU before; see sleep.
	cold time.Duration
}

var sittings = []sitting{
	// Of fifo-and-fair a turn is longer than its CPU time, its sleep and 150 us, which are
	// the ways of the timer and to the task, by 9 us in the mean of six boots: no timer
	// waits. Of pingpong-pinned the time from switch to switch is 190 us, the median of
	// six boots, where a traced one has 162 and a twentieth of a tick: the CPU is taken
	// away though the host has another. cold is from the CPU time of the turns of
	// fifo-and-fair and group-fifo-nivcsw.
	{first: 1, last: 3, spareEvery: stealInterval, spareTime: stealTime, cold: 10 * time.Microsecond},
	{first: 4, last: 6, waits: 0.035, spareEvery: 64 * time.Millisecond, spareTime: 800 * time.Microsecond, cold: 40 * time.Microsecond},
	{first: 7, last: 9, only: []string{"sleeper-quick", "sleepers-quick"},
		waits: 0.035, spareEvery: 28 * time.Millisecond, spareTime: time.Millisecond, cold: 50 * time.Microsecond},
	{first: 7, last: 9, waits: 0.13, spareEvery: 105 * time.Millisecond, spareTime: time.Millisecond, cold: 50 * time.Microsecond},
}

// sittingOf is the sitting in which a boot of a scenario was recorded.
func sittingOf(name string, boot int) *sitting {
	for i := range sittings {
		s := &sittings[i]
		if boot < s.first || boot > s.last {
			continue
		}
		if s.only == nil || slices.Contains(s.only, name) {
			return s
		}
	}
	return &sittings[0]
}
