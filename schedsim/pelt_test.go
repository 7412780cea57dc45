package schedsim

import "testing"

// Values from an independent implementation of the kernel's integer
// arithmetic, checked against the kernel's documented tables.
func TestPELTRamp(t *testing.T) {
	const ms = 1_000_000
	want := map[int][4]int64{ // after ms: load, runnable, util, period
		1: {0, 0, 0, 976}, 2: {41, 41, 41, 929}, 4: {81, 81, 81, 834},
		8: {155, 156, 156, 644}, 10: {191, 191, 191, 549}, 16: {288, 288, 288, 265},
		32: {495, 495, 495, 530}, 64: {750, 751, 751, 36}, 100: {894, 894, 894, 376},
		200: {1007, 1008, 1008, 752}, 345: {1023, 1023, 1023, 18}, 400: {1023, 1024, 1024, 481},
	}
	var a schedAvg
	for i := 1; i <= 400; i++ {
		if a.accumulate(int64(i)*ms, 1, 1, true) {
			a.average(1024)
		}
		if w, ok := want[i]; ok {
			if got := [4]int64{a.load, a.runnable, a.util, int64(a.period)}; got != w {
				t.Errorf("after %d ms: load, runnable, util, period = %v, want %v", i, got, w)
			}
		}
	}
	// One update for the whole time must come to the same, up to rounding.
	var b schedAvg
	b.accumulate(400*ms, 1, 1, true)
	b.average(1024)
	if a.util-b.util > 1 || b.period != a.period {
		t.Errorf("in one step: util %d, period %d; in many: %d, %d", b.util, b.period, a.util, a.period)
	}
}

func TestPELTDecay(t *testing.T) {
	const ms = 1_000_000
	for after, want := range map[int64][2]int64{ // load, util after a sleep
		1: {1003, 1003}, 2: {982, 983}, 4: {942, 943}, 8: {868, 868},
		16: {735, 736}, 32: {528, 528}, 50: {364, 364},
	} {
		var a schedAvg
		for i := int64(1); i <= 1000; i++ {
			if a.accumulate(i*ms, 1, 1, true) {
				a.average(1024)
			}
		}
		a.accumulate(a.lastUpdate+after*ms, 0, 0, false)
		a.average(1024)
		if a.load != want[0] || a.util != want[1] {
			t.Errorf("after %d ms asleep: load %d, util %d, want %v", after, a.load, a.util, want)
		}
	}
}

func TestDecayLoad(t *testing.T) {
	// The first inverse is 2^32-1, not 2^32, so a half-life rounds to 511.
	if got := decayLoad(1024, 32); got != 511 {
		t.Errorf("decayLoad(1024, 32) = %d, want 511", got)
	}
	if got := decayLoad(1<<40, 32*63+1); got != 0 {
		t.Errorf("decayLoad far out = %d, want 0", got)
	}
}

// TestAverageExact: averages are the quotients, also where they are products.
func TestAverageExact(t *testing.T) {
	r := Rand(1)
	for range 200_000 {
		a := schedAvg{
			loadSum: int64(r.Uint64() >> (16 + r.IntN(48))), runnableSum: int64(r.Uint64() >> (15 + r.IntN(49))),
			utilSum: int64(r.Uint64() >> (1 + r.IntN(63))), period: uint32(r.IntN(1024)),
		}
		d := a.divider()
		if r.IntN(2) == 0 { // next to a multiple, where a product may be off
			a.loadSum = a.loadSum/d*d - int64(r.IntN(2))
			a.loadSum = max(a.loadSum, 0)
		}
		a.average(1)
		if a.load != a.loadSum/d || a.runnable != a.runnableSum/d || a.util != a.utilSum/d {
			t.Fatalf("%+v: want %d, %d, %d", a, a.loadSum/d, a.runnableSum/d, a.utilSum/d)
		}
	}
}
