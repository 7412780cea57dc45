package schedsim

import (
	"reflect"
	"testing"
	"unsafe"
)

// bytes adds up the state of a simulation: its arrays and theirs.
func (s *Sched) bytes() int {
	sum := int(unsafe.Sizeof(*s)) + sliceBytes(s.cpus) + sliceBytes(s.rq) + sliceBytes(s.tasks) +
		sliceBytes(s.channels) + sliceBytes(s.ents) + sliceBytes(s.cfs) + sliceBytes(s.coreLooks) +
		sliceBytes(s.timers.heap) + sliceBytes(s.q.keys) + sliceBytes(s.trace.events)
	for i := range s.cfs {
		sum += sliceBytes(s.cfs[i].queue)
	}
	for i := range s.cpus {
		c := &s.cpus[i]
		sum += sliceBytes(c.domains) + sliceBytes(c.fairTasks) + sliceBytes(c.wakeList)
		sum += sliceBytes(s.smt[i]) + sliceBytes(s.llcFrom[i]) + sliceBytes(s.coresFrom[i])
	}
	return sum
}

func sliceBytes(v any) int {
	s := reflect.ValueOf(v)
	return s.Cap() * int(s.Type().Elem().Size())
}

// TestMemory: a machine of 80 CPUs with 640 tasks, and its threads, fits the second-level cache of
// the cores that simulate it.
func TestMemory(t *testing.T) {
	s := newTestSched(t, testMachine(2, 20, 2), newChaos(320, false), false)
	s.trace.events = nil
	if got := s.bytes(); got > 640<<10 {
		t.Errorf("%d KiB, want at most 640", got>>10)
	} else {
		t.Logf("%d KiB", got>>10)
	}
}
