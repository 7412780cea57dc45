package schedsim

import "testing"

// Values by an independent implementation of the kernel's integer arithmetic.
func TestCPULoad(t *testing.T) {
	var l cpuLoadIdx
	check := func(when string, want [cpuLoadIdxMax]int64) {
		t.Helper()
		if l.load != want {
			t.Errorf("%s: %v, want %v", when, l.load, want)
		}
	}
	ticks := func(n int, load int64) {
		for range n {
			l.update(load, 1, 0)
		}
	}
	ticks(1, 1024)
	check("1 tick of 1024", [5]int64{1024, 512, 256, 128, 64})
	ticks(1, 1024)
	check("2", [5]int64{1024, 768, 448, 240, 124})
	ticks(2, 1024)
	check("4", [5]int64{1024, 960, 700, 424, 234})
	ticks(4, 1024)
	check("8", [5]int64{1024, 1020, 922, 674, 416})
	ticks(8, 1024)
	check("16", [5]int64{1024, 1024, 1015, 907, 664})
	ticks(4, 1024)
	check("20", [5]int64{1024, 1024, 1022, 957, 748})
	ticks(1, 0)
	check("1 tick of 0", [5]int64{0, 512, 766, 837, 701})
	ticks(9, 0)
	check("10 of 0", [5]int64{0, 1, 56, 250, 390})

	all := [5]int64{1024, 1024, 1024, 1024, 1024}
	l.load = all
	l.update(0, 5, 0)
	check("5 pending of 0", [5]int64{0, 32, 240, 525, 735})
	l.load = all
	l.update(0, 20, 0)
	check("20 pending of 0", [5]int64{0, 0, 2, 70, 276})
	l.load = [5]int64{2048, 2048, 2048, 2048, 2048}
	l.update(1024, 1, 0)
	check("from 2048 to 1024", [5]int64{1024, 1536, 1792, 1920, 1984})

	// v4.18: the load that the tick stopped with goes on through the missed ticks.
	l.load = all
	l.update(1024, 20, 1024)
	check("20 pending with the same load", all)
}

// TestLoadIdx: which average a balance reads, by domain and idleness.
func TestLoadIdx(t *testing.T) {
	smt, mc, cpu, numa := Domain{smt: true, sharePkg: true}, Domain{sharePkg: true}, Domain{}, Domain{serialize: true}
	for _, tc := range []struct {
		name                string
		d                   *Domain
		busy, idle, newidle int
	}{{"smt", &smt, 0, 0, 0}, {"mc", &mc, 2, 0, 0}, {"cpu", &cpu, 2, 1, 0}, {"numa", &numa, 3, 2, 0}} {
		got := [3]int{tc.d.loadIdx(cpuNotIdle), tc.d.loadIdx(cpuIdle), tc.d.loadIdx(cpuNewlyIdle)}
		if want := [3]int{tc.busy, tc.idle, tc.newidle}; got != want {
			t.Errorf("%s: %v, want %v", tc.name, got, want)
		}
	}
}

// TestBiasedLoads: a source looks as light, a target as heavy as either the average or
// the moment has it.
func TestBiasedLoads(t *testing.T) {
	s := stillOf(t, V310(2), 1, 2, 1)
	s.cfs[0].load.set(3 * nice0Load)
	s.cpuLoads[0].load = [5]int64{0, 2048, 4096, 0, 0}
	for _, tc := range []struct {
		typ            int
		source, target int64
	}{{0, 3072, 3072}, {1, 0, 3072}, {2, 2048, 3072}, {3, 3072, 4096}} {
		if a, b := s.sourceLoad(0, tc.typ), s.targetLoad(0, tc.typ); a != tc.source || b != tc.target {
			t.Errorf("type %d: source %d, target %d, want %d, %d", tc.typ, a, b, tc.source, tc.target)
		}
	}
	s.k.LBBias = false
	if a := s.sourceLoad(0, 2); a != 3072 {
		t.Errorf("without LB_BIAS: %d", a)
	}
}

// TestCPULoadTicks: samples come with the tick, and those of a stopped tick are made up
// for when it starts again.
func TestCPULoadTicks(t *testing.T) {
	for _, k := range []Kernel{V310(2), V418(2)} {
		t.Run(k.Version, func(t *testing.T) {
			tasks := []scripted{{ops: []Op{hog()}, cpus: pinned(0)}}
			s := newSchedOf(t, testMachine(1, 2, 1), k, &script{tasks: tasks}, true)
			simulate(t, s, 400_000_000)
			if got := s.cpuLoads[0].load; got[0] < 1020 || got[4] < 900 {
				t.Errorf("CPU 0 has one hog: %v", got)
			}
			if got := s.cpuLoads[1].load; got != [5]int64{} {
				t.Errorf("CPU 1 is idle: %v", got)
			}
			s.cpuLoads[1] = cpuLoadIdx{load: [5]int64{0, 1024, 1024, 1024, 1024}, last: s.jiffies - 5}
			s.cpuLoadNohzStop(1)
			if want := [5]int64{0, 32, 240, 525, 735}; s.cpuLoads[1].load != want {
				t.Errorf("after five ticks that were missed: %v, want %v", s.cpuLoads[1].load, want)
			}
		})
	}
}
