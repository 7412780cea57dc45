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

func (h *timers) pop() timer {
	first := h.heap[0]
	n := len(h.heap) - 1
	t := h.heap[n]
	h.heap = h.heap[:n]
	i := 0
	for {
		c := 2*i + 1
		if c >= n {
			break
		}
		if c+1 < n && h.heap[c+1].before(h.heap[c]) {
			c++
		}
		if !h.heap[c].before(t) {
			break
		}
		h.heap[i] = h.heap[c]
		i = c
	}
	if n > 0 {
		h.heap[i] = t
	}
	return first
}
