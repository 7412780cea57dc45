package schedsim

import "math/bits"

// What the cores have seen of each other's runqueues, and which CPUs are idle.
//
// A search of the kernel looks at one runqueue after another. What it finds
// depends on who is idle; what each look costs depends on whether the owner wrote
// since the core looked last. Both are kept as sets of the CPUs of a last-level
// cache, a bit for each in ascending order, so that a search is a few operations
// on words here, whatever number of looks the simulated kernel pays for.
//
// Keeping for each core the set of runqueues that were written since would cost
// a write of an owner as many steps as there are cores. Instead, time is divided
// into epochs, each cache having its own. Within an epoch only the set of CPUs
// that wrote grows; it ends when a core looks. A core that looks takes the union
// of the epochs that it missed.

// lookEpochs is how many epochs a cache remembers the sets of. A core that missed
// more asks every runqueue when it was written last.
const (
	lookEpochs = 256
	lookBlock  = 8 // epochs that there is a union of
)

// llcLooks is the runqueues of a last-level cache. Sets have words words.
type llcLooks struct {
	cpus    []int32 // by position in the sets
	words   int
	idle    []uint64 // idle_cpu(): the idle task runs, nothing is queued or on its way
	written []uint64 // in this epoch
	dirty   bool     // written has some
	probed  []uint64 // another core read the lines since the last change
	epoch   uint64   // the number of this epoch, from 1
	ring    []uint64 // by epoch, modulo lookEpochs: who wrote in it
	blocks  []uint64 // unions of lookBlock epochs
}

// coreLooks is what a core knows of a cache.
type coreLooks struct {
	epoch uint64 // it has seen all before
	// ns is the stall of a look at lines that were written, of each CPU but those
	// of the core itself; -1 if it is not the same for all.
	ns    int64
	stale []uint64 // CPUs that wrote since it looked
	own   []uint64 // its own CPUs
}

// buildLooks builds the sets once the caches are known.
func (s *Sched) buildLooks() {
	s.looks = make([]llcLooks, len(s.llcs))
	words := 0
	for i := range s.looks {
		l := &s.looks[i]
		for _, ci := range s.online {
			if s.cpus[ci].llc == int32(i) {
				s.rq[ci].pos = int32(len(l.cpus))
				l.cpus = append(l.cpus, ci)
			}
		}
		n := (len(l.cpus) + 63) / 64
		all := make([]uint64, (3+lookEpochs+lookEpochs/lookBlock)*n)
		cut := func(n int) (part []uint64) { part, all = all[:n:n], all[n:]; return part }
		l.words, l.epoch = n, 1
		l.idle, l.written, l.probed = cut(n), cut(n), cut(n)
		l.ring, l.blocks = cut(lookEpochs*n), cut(lookEpochs/lookBlock*n)
		words += n
	}
	for _, ci := range s.online {
		if r := &s.rq[ci]; r.idle {
			s.looks[r.llc].idle[r.pos>>6] |= 1 << (r.pos & 63)
		}
	}
	s.coreLooks = make([]coreLooks, len(s.cores)*len(s.looks))
	all := make([]uint64, 2*words*len(s.cores))
	for core := range s.cores {
		if len(s.cores[core].cpus) == 0 {
			continue
		}
		this := s.cores[core].cpus[0]
		for i := range s.looks {
			l := &s.looks[i]
			k := &s.coreLooks[core*len(s.looks)+i]
			k.epoch, k.ns = 1, s.lookNS(l, this)
			k.stale, k.own, all = all[:l.words:l.words], all[l.words:2*l.words:2*l.words], all[2*l.words:]
		}
		for _, ci := range s.cores[core].cpus {
			r := &s.rq[ci]
			s.coreLooks[core*len(s.looks)+int(r.llc)].own[r.pos>>6] |= 1 << (r.pos & 63)
		}
	}
}

// lookNS is coreLooks.ns of this CPU's core.
func (s *Sched) lookNS(l *llcLooks, this int32) int64 {
	ns := int64(-1)
	for _, ci := range l.cpus {
		if s.cpus[ci].core == s.cpus[this].core {
			continue
		}
		if v := s.probeLines(ci, this); ns < 0 {
			ns = v
		} else if v != ns {
			return -1
		}
	}
	return max(ns, 0)
}

// probeLines is the stall of this CPU for pulling over the lines of another's
// runqueue that a look needs.
func (s *Sched) probeLines(ci, this int32) int64 {
	if s.rq[ci].llc == s.cpus[this].llc && s.line.l2 == s.line.llc {
		return s.probeNS
	}
	return s.transfer(ci, this, s.cost.ProbeLines)
}

// touch publishes a change of a runqueue.
func (s *Sched) touch(ci int32) {
	c, r := &s.cpus[ci], &s.rq[ci]
	l := &s.looks[r.llc]
	w, bit := r.pos>>6, uint64(1)<<(r.pos&63)
	l.written[w] |= bit
	l.dirty = true
	r.written = l.epoch
	if idle := c.curr == none && c.nrRunning == 0 && len(c.wakeList) == 0; idle != r.idle {
		r.idle = idle
		l.idle[w] ^= bit
	}
	if s.checks != nil {
		s.checks.mark(ci)
	}
}

// takeProbed reports whether another core read the lines of a runqueue since they
// changed last, and forgets it.
func (s *Sched) takeProbed(ci int32) bool {
	r := &s.rq[ci]
	w, bit := &s.looks[r.llc].probed[r.pos>>6], uint64(1)<<(r.pos&63)
	was := *w&bit != 0
	*w &^= bit
	return was
}

// seen returns what the deciding core knows of a cache, up to now.
func (s *Sched) seen(llc int32) (*llcLooks, *coreLooks) {
	l := &s.looks[llc]
	k := &s.coreLooks[int(s.thisCore)*len(s.looks)+int(llc)]
	if l.dirty {
		l.endEpoch()
	}
	if k.epoch != l.epoch {
		s.catchUp(l, k)
	}
	return l, k
}

// endEpoch begins a new epoch.
func (l *llcLooks) endEpoch() {
	at := int(l.epoch % lookEpochs)
	block := l.blocks[at/lookBlock*l.words:][:l.words]
	if at%lookBlock == 0 {
		clear(block)
	}
	ring := l.ring[at*l.words:][:l.words]
	for i, w := range l.written {
		ring[i] = w
		block[i] |= w
		l.written[i] = 0
	}
	l.epoch++
	l.dirty = false
}

// catchUp adds to k who wrote in the epochs that it missed.
func (s *Sched) catchUp(l *llcLooks, k *coreLooks) {
	from := k.epoch
	k.epoch = l.epoch
	if l.epoch-from > lookEpochs-lookBlock {
		for p, ci := range l.cpus {
			if s.rq[ci].written >= from {
				k.stale[p>>6] |= 1 << (p & 63)
			}
		}
		return
	}
	if l.words == 1 {
		k.stale[0] |= l.since(from)
		return
	}
	for e := from; e < l.epoch; {
		at, set := int(e%lookEpochs), l.ring
		if at%lookBlock == 0 && l.epoch-e >= lookBlock {
			at, set = at/lookBlock, l.blocks
			e += lookBlock
		} else {
			e++
		}
		set = set[at*l.words:][:len(k.stale)]
		for i := range k.stale {
			k.stale[i] |= set[i]
		}
	}
}

// since is the union of the epochs from one on, of a cache with one word.
func (l *llcLooks) since(from uint64) uint64 {
	ring, blocks, union := (*[lookEpochs]uint64)(l.ring), (*[lookEpochs / lookBlock]uint64)(l.blocks), uint64(0)
	for ; from < l.epoch && from%lookBlock != 0; from++ {
		union |= ring[from%lookEpochs]
	}
	for ; from+lookBlock <= l.epoch; from += lookBlock {
		union |= blocks[from%lookEpochs/lookBlock]
	}
	for ; from < l.epoch; from++ {
		union |= ring[from%lookEpochs]
	}
	return union
}

// probe charges the deciding CPU for a look at cpu's runqueue.
func (s *Sched) probe(cpu int) {
	s.count.CPUsScanned++
	s.probeWork += s.cost.ProbeBase
	r := &s.rq[cpu]
	if r.core == s.thisCore {
		return
	}
	l, k := s.seen(r.llc)
	s.look(l, k, r.pos>>6, 1<<(r.pos&63))
}

// look charges for looks at CPUs of one word of a set.
func (s *Sched) look(l *llcLooks, k *coreLooks, w int32, set uint64) {
	stale := k.stale[w] & set &^ k.own[w]
	if stale == 0 {
		return
	}
	k.stale[w] &^= stale
	l.probed[w] |= stale
	if k.ns >= 0 {
		s.probeStall += int64(bits.OnesCount64(stale)) * k.ns
		return
	}
	for ; stale != 0; stale &= stale - 1 {
		s.probeStall += s.probeLines(l.cpus[int(w)<<6+bits.TrailingZeros64(stale)], s.this)
	}
}

// anywhere reports whether a task may run on every CPU, and an idle CPU is the only
// kind that it can use at once: what firstIdle finds is then what it looks for.
func (s *Sched) anywhere(t *Task) bool {
	return !s.schedIdle && s.unbound(t)
}

// unbound reports whether a task may run on every CPU that is online.
func (s *Sched) unbound(t *Task) bool {
	return s.allOnline(t.allowed)
}

// firstIdle looks at up to limit CPUs of a cache, from one on in ascending order
// and round, up to the first that is idle. It returns that one, or -1.
func (s *Sched) firstIdle(from, limit int) int {
	r := &s.rq[from]
	l := &s.looks[r.llc]
	n, at, found := len(l.cpus), int(r.pos), -1
	// Up to the last CPU, then from the first.
	end, round := at+limit, 0
	if end > n {
		end, round = n, min(end-n, at)
	}
	if p := nextIn(l.idle, at, end); p < end {
		end, round, found = p+1, 0, int(l.cpus[p])
	} else if p := nextIn(l.idle, 0, round); p < round {
		round, found = p+1, int(l.cpus[p])
	}
	if s.dry {
		return found
	}
	looks := int64(end - at + round)
	s.count.CPUsScanned += looks
	s.probeWork += looks * s.cost.ProbeBase
	_, k := s.seen(r.llc)
	s.lookRange(l, k, at, end)
	s.lookRange(l, k, 0, round)
	return found
}

// lookRange charges for looks at the CPUs of positions from to end-1.
func (s *Sched) lookRange(l *llcLooks, k *coreLooks, from, end int) {
	for from < end {
		w := from >> 6
		last := min(end, (w+1)<<6)
		s.look(l, k, int32(w), bitRange(from&63, last-w<<6))
		from = last
	}
}

// bitRange has the bits from a to b-1, 0 <= a < b <= 64.
func bitRange(a, b int) uint64 { return ^uint64(0) << a & (^uint64(0) >> (64 - b)) }

// nextIn returns the first position of a set from a on, or end if there is none
// before.
func nextIn(set []uint64, a, end int) int {
	for a < end {
		w := a >> 6
		if m := set[w] >> (a & 63); m != 0 {
			return min(a+bits.TrailingZeros64(m), end)
		}
		a = (w + 1) << 6
	}
	return end
}
