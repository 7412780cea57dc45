package schedsim

// timers is a binary heap of sleeping tasks by wake-up time, first in first
// out among equals.
type timers struct {
	heap []timer
	seq  uint32
}

type timer struct {
	at   int64
	seq  uint32
	task int32
}

func (a timer) before(b timer) bool {
	return a.at < b.at || a.at == b.at && int32(a.seq-b.seq) < 0 // seq may wrap
}

func (h *timers) push(at int64, task int32) {
	h.seq++
	t := timer{at, h.seq, task}
	h.heap = append(h.heap, t)
	i := len(h.heap) - 1
	for i > 0 {
		p := (i - 1) / 2
		if !t.before(h.heap[p]) {
			break
		}
		h.heap[i] = h.heap[p]
		i = p
	}
	h.heap[i] = t
}

// pop takes the first timer out. The place that is free then goes down to a leaf, always to
// the earlier child, and the last timer comes up to where it belongs from there, which is
// mostly near: so there is little that a processor could guess wrong.
func (h *timers) pop() timer {
	heap := h.heap
	first := heap[0]
	n := len(heap) - 1
	t := heap[n]
	h.heap = heap[:n]
	i, c := 0, 1
	for ; c+1 < n; c = 2*i + 1 {
		l, r := heap[c].at, heap[c+1].at
		if r < l {
			c++
		}
		if r == l && heap[c+1].before(heap[c]) {
			c++
		}
		heap[i], i = heap[c], c
	}
	if c < n {
		heap[i], i = heap[c], c
	}
	for i > 0 {
		p := (i - 1) / 2
		if !t.before(heap[p]) {
			break
		}
		heap[i] = heap[p]
		i = p
	}
	heap[i] = t
	return first
}
