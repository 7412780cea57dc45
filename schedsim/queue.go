package schedsim

import "math"

// queue holds at most one pending event a slot and finds the earliest.
//
// A scheduler simulation has a natural bound on pending events: each CPU ends
// one activity and receives one interrupt next, and a handful of machine-wide
// timers tick. So the queue is a fixed array of packed keys, time<<slotBits |
// slot, under levels of minima of fan-out 8, a cache line each. Moving an event
// costs a few compares and never allocates; ties in time go to the lowest slot, so
// the order is the same on every machine.
type queue struct {
	keys []uint64 // by slot
	mid  []uint64 // minimum of each 8 keys
	high []uint64 // minimum of each 8 of mid
	top  []uint64 // minimum of each 8 of high
}

const (
	slotBits = 12 // 4096 slots: 1,024 CPUs and the timers; 52 days in ns
	fanBits  = 3
	fan      = 1 << fanBits
	never    = math.MaxUint64
	lastTime = never>>slotBits - 1
)

func newQueue(slots int) queue {
	n := (slots + fan*fan*fan - 1) &^ (fan*fan*fan - 1)
	q := queue{
		keys: make([]uint64, n),
		mid:  make([]uint64, n/fan),
		high: make([]uint64, n/(fan*fan)),
		top:  make([]uint64, n/(fan*fan*fan)),
	}
	for _, level := range [][]uint64{q.keys, q.mid, q.high, q.top} {
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
	i := uint32(slot)
	was := q.keys[i]
	q.keys[i] = k
	if was == k {
		return
	}
	// What was is the old minimum of the block, or is not the minimum and does not
	// matter unless the new key is.
	i >>= fanBits
	m := &q.mid[i]
	switch {
	case k <= *m:
	case was == *m:
		k = least((*[fan]uint64)(q.keys[i<<fanBits:]))
	default:
		return
	}
	was, *m = *m, k
	i >>= fanBits
	m = &q.high[i]
	switch {
	case k <= *m:
	case was == *m:
		k = least((*[fan]uint64)(q.mid[i<<fanBits:]))
	default:
		return
	}
	was, *m = *m, k
	i >>= fanBits
	m = &q.top[i]
	switch {
	case k <= *m:
		*m = k
	case was == *m:
		*m = least((*[fan]uint64)(q.high[i<<fanBits:]))
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

func least(b *[fan]uint64) uint64 {
	return min(min(min(b[0], b[1]), min(b[2], b[3])), min(min(b[4], b[5]), min(b[6], b[7])))
}
