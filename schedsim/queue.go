package schedsim

import "math"

// queue holds at most one pending event a slot and finds the earliest.
//
// A scheduler simulation has a natural bound on pending events: each CPU ends
// one activity and receives one interrupt next, and a handful of machine-wide
// timers tick. So the queue is a fixed array of packed keys, time<<slotBits |
// slot, under two levels of minima of fan-out 16. Moving an event costs a few
// compares and never allocates; ties in time go to the lowest slot, so the
// order is the same on every machine.
type queue struct {
	keys []uint64 // by slot
	mid  []uint64 // minimum of each 16 keys
	top  []uint64 // minimum of each 16 of mid
}

const (
	slotBits = 12 // 4096 slots: 1,024 CPUs and the timers; 52 days in ns
	fanBits  = 4
	never    = math.MaxUint64
	lastTime = never>>slotBits - 1
)

func newQueue(slots int) queue {
	n := (slots + 255) &^ 255
	q := queue{
		keys: make([]uint64, n),
		mid:  make([]uint64, n>>fanBits),
		top:  make([]uint64, n>>(2*fanBits)),
	}
	for _, level := range [][]uint64{q.keys, q.mid, q.top} {
		for i := range level {
			level[i] = never
		}
	}
	return q
}

// set schedules slot's event at time t, replacing the pending one. What is due
// after any run, also by an overflow of its time, is so at the end of all times.
func (q *queue) set(slot int32, t int64) {
	q.put(slot, min(uint64(t), lastTime)<<slotBits|uint64(slot))
}

// clear cancels slot's event.
func (q *queue) clear(slot int32) { q.put(slot, never) }

// at returns when slot's event is due, or -1 if none is pending.
func (q *queue) at(slot int32) int64 {
	k := q.keys[slot]
	if k == never {
		return -1
	}
	return int64(k >> slotBits)
}

func (q *queue) put(slot int32, k uint64) {
	old := q.keys[slot]
	q.keys[slot] = k
	b := slot >> fanBits
	was := q.mid[b]
	switch {
	case k <= was:
		q.mid[b] = k
	case old == was:
		q.mid[b] = least((*[16]uint64)(q.keys[b<<fanBits:]))
	default:
		return
	}
	k = q.mid[b]
	t := b >> fanBits
	if k <= q.top[t] {
		q.top[t] = k
	} else if was == q.top[t] {
		q.top[t] = least((*[16]uint64)(q.mid[t<<fanBits:]))
	}
}

// next returns the earliest event.
func (q *queue) next() (slot int32, t int64) {
	k := q.top[0]
	for _, v := range q.top[1:] {
		k = min(k, v)
	}
	return int32(k & (1<<slotBits - 1)), int64(k >> slotBits)
}

func least(b *[16]uint64) uint64 {
	m0, m1, m2, m3 := b[0], b[1], b[2], b[3]
	for i := 4; i < 16; i += 4 {
		m0 = min(m0, b[i])
		m1 = min(m1, b[i+1])
		m2 = min(m2, b[i+2])
		m3 = min(m3, b[i+3])
	}
	return min(m0, m1, m2, m3)
}
