package schedsim

import "testing"

// TestQueue holds the queue against a plain scan, through random changes.
func TestQueue(t *testing.T) {
	for _, slots := range []int{3, 163, 2051, 4096} {
		q := newQueue(slots)
		at := make([]int64, slots)
		for i := range at {
			at[i] = -1
		}
		r := Rand(slots)
		for step := range 20000 {
			slot := r.IntN(slots)
			if r.IntN(4) == 0 {
				q.clear(int32(slot))
				at[slot] = -1
			} else {
				at[slot] = int64(r.IntN(1000))
				q.set(int32(slot), at[slot])
			}
			want := -1
			for i, v := range at {
				if v >= 0 && (want < 0 || v < at[want]) {
					want = i
				}
			}
			if want < 0 {
				continue
			}
			if got, when := q.next(); int(got) != want || when != at[want] {
				t.Fatalf("%d slots, step %d: next = slot %d at %d, want %d at %d", slots, step, got, when, want, at[want])
			}
		}
	}
}

func TestTimersAreFIFO(t *testing.T) {
	var h timers
	for i := range int32(100) {
		h.push(int64(i%3), i)
	}
	last := timer{at: -1}
	for len(h.heap) > 0 {
		v := h.pop()
		if v.before(last) {
			t.Fatalf("popped %v after %v", v, last)
		}
		last = v
	}
}
