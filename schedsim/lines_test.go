package schedsim

import (
	"testing"
	"unsafe"
)

// TestLines: what is in arrays takes whole cache lines of 64 bytes, and what is used
// together begins with one, as the comments at the types say.
func TestLines(t *testing.T) {
	var (
		c cpu
		q cfsRQ
		e entity
		p Task
	)
	for _, tc := range []struct {
		what string
		at   uintptr
	}{
		{"size of cpu", unsafe.Sizeof(c)},
		{"cpu.wakee", unsafe.Offsetof(c.wakee)},
		{"cpu.peltClock", unsafe.Offsetof(c.peltClock)},
		{"cpu.maxIdleBalanceCost", unsafe.Offsetof(c.maxIdleBalanceCost)},
		{"size of cfsRQ", unsafe.Sizeof(q)},
		{"cfsRQ.group", unsafe.Offsetof(q.group)},
		{"cfsRQ.avg", unsafe.Offsetof(q.avg)},
		{"size of entity", unsafe.Sizeof(e)},
		{"entity.avg", unsafe.Offsetof(e.avg)},
		{"size of Task", unsafe.Sizeof(p)},
	} {
		if tc.at%64 != 0 {
			t.Errorf("%s: %d is no multiple of 64", tc.what, tc.at)
		}
	}
}
