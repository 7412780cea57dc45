package schedsim

import "slices"

// hardware looks at the cores under the CPUs: who is busy, and how fast each thread is.
func (c *checker) hardware() error {
	s := c.s
	clear(c.busy)
	for _, ci := range s.online {
		p := &s.cpus[ci]
		if p.busy != (p.act > actExit) {
			return onCPU(ci, "busy %v in activity %d", p.busy, p.act)
		}
		if p.busy {
			c.busy[p.core]++
		}
	}
	if s.freq != nil {
		if err := c.clocks(); err != nil {
			return err
		}
	}
	for i := range s.cores {
		k := &s.cores[i]
		if k.busy != c.busy[i] {
			return inMachine("core %d has %d busy threads, counted are %d", i, c.busy[i], k.busy)
		}
		whole := k.speed
		if k.busy > 1 {
			whole = whole * s.smtShare[k.busy] >> 16
		}
		for _, ci := range k.cpus {
			want := whole
			if s.spin != nil && k.busy > 1 {
				want = s.besideSpinners(k, ci, whole)
			}
			if s.mem != nil {
				want = s.mem.slowed(ci, want)
			}
			if got := s.cpus[ci].speed; got != want {
				return onCPU(ci, "runs at %d of 65536, want %d", got, want)
			}
		}
	}
	return nil
}

func (c *checker) clocks() error {
	s := c.s
	f := s.freq
	for i := range f.clocks {
		k := &f.clocks[i]
		if !slices.ContainsFunc(k.cores, func(core int32) bool { return len(s.cores[core].cpus) > 0 }) {
			continue // all of its CPUs are offline
		}
		if k.mhz < f.minMHz || k.mhz > f.maxMHz {
			return inMachine("clock %d is at %d MHz, of %d to %d", i, k.mhz, f.minMHz, f.maxMHz)
		}
		for _, core := range k.cores {
			if got := s.cores[core].speed; got != s.speedOf(k.mhz) {
				return inMachine("core %d has speed %d at %d MHz", core, got, k.mhz)
			}
		}
	}
	polls := slices.Contains(s.idleC0, true)
	for _, ci := range s.online {
		k := &f.cpu[ci]
		if k.since > s.now || k.c0+k.idle > s.now-bootTime && !polls {
			return onCPU(ci, "%d ns in C0 and %d idle in %d", k.c0, k.idle, s.now-bootTime)
		}
	}
	return nil
}
