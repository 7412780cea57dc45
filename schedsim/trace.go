package schedsim

// EventKind is what a trace event says.
type EventKind uint8

const (
	// TraceSwitch: CPU switches to Task (none is idle).
	TraceSwitch EventKind = iota
	// TraceWakeup: Task is woken on CPU.
	TraceWakeup
	// TraceMigrate: load balancing moves Task to CPU.
	TraceMigrate
	// TraceFork: Task is created on CPU.
	TraceFork
)

// TraceEvent is one scheduling decision.
type TraceEvent struct {
	Time int64 // ns
	Task TaskID
	CPU  int32
	Kind EventKind
}

// traceRing keeps the last events, and a digest of all of them.
type traceRing struct {
	events []TraceEvent
	at     int // where the next one goes
	n      int64
	hash   uint64
}

// record is called for every decision; the digest is what determinism tests
// compare.
func (r *traceRing) record(now int64, kind EventKind, task TaskID, cpu int32) {
	// FNV-1a over whole words: cheap, and any change of order, time, task or
	// place changes it.
	const prime = 1099511628211
	h := (r.hash ^ uint64(now)) * prime
	h = (h ^ (uint64(uint32(task))<<24 | uint64(uint32(cpu))<<4 | uint64(kind))) * prime
	r.hash = h
	r.n++
	if len(r.events) > 0 {
		r.events[r.at] = TraceEvent{now, task, cpu, kind}
		if r.at++; r.at == len(r.events) {
			r.at = 0
		}
	}
}

// traceEvents is how many events a run keeps: those that are asked for, and at least those
// that a Violation shows.
func (cfg *Config) traceEvents() int {
	if cfg.Check {
		return max(cfg.TraceEvents, violationEvents)
	}
	return cfg.TraceEvents
}

// kept returns the events that were asked for.
func (s *Sched) kept(cfg *Config) []TraceEvent {
	all := s.trace.all()
	return all[max(0, len(all)-cfg.TraceEvents):]
}

// all returns the kept events, oldest first.
func (r *traceRing) all() []TraceEvent {
	size := int64(len(r.events))
	if size == 0 || r.n <= size {
		r.n = min(r.n, size)
		return append([]TraceEvent(nil), r.events[:r.n]...)
	}
	at := r.n % size
	return append(append([]TraceEvent(nil), r.events[at:]...), r.events[:at]...)
}
