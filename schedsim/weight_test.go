package schedsim

import "testing"

func TestCalcDeltaFair(t *testing.T) {
	s := &Sched{version: 5010}
	// 1 ms of run time in vruntime, by nice level.
	for nice, want := range map[int]int64{-5: 328099, 0: 1000000, 5: 3056716, 19: 68266666} {
		var l loadWeight
		l.setPolicy(&SchedAttr{Nice: nice})
		if got := s.calcDeltaFair(1e6, &l); got != want {
			t.Errorf("nice %d: %d, want %d", nice, got, want)
		}
	}
}

func TestSlices(t *testing.T) {
	// sched_slice of n equal tasks on a machine with 8 or more CPUs, since
	// 3.12: truncation loses a few ns.
	k := V510(80)
	for n, want := range map[int64]int64{
		1: 23999994, 2: 11999994, 3: 7999998, 4: 5999994, 8: 2999994, 10: 2999997, 16: 2999988, 40: 2999982,
	} {
		period := k.SchedLatency
		if n > int64(k.SchedNrLatency) {
			period = n * k.SchedMinGranularity
		}
		l := loadWeight{weight: n * nice0Load}
		if got := calcDelta(period, nice0Load, &l); got != want {
			t.Errorf("%d tasks: %d, want %d", n, got, want)
		}
	}
}

func TestTunables(t *testing.T) {
	for cpus, want := range map[int]int64{1: 6e6, 2: 12e6, 4: 18e6, 8: 24e6, 80: 24e6} {
		if got := V510(cpus).SchedLatency; got != want {
			t.Errorf("%d CPUs: latency %d, want %d", cpus, got, want)
		}
	}
}
