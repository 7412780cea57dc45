package schedsim

import "github.com/schedlab/schedlab/topology"

// This file builds the machine under the kernel: where each CPU sits, what is
// near it, and how fast it is.

// offline is the place of a CPU that is not online. It has no core, no runqueue
// that anybody looks at, and no events.
const offline = int32(-1)

func (s *Sched) buildHardware() {
	m := s.m
	s.cores = make([]core, m.Cores())
	for i := range m.CPUs {
		t := &m.CPUs[i]
		s.cpus[i] = cpu{
			curr: none, wakee: none, pushCPU: none, stopTask: none,
			core: int32(t.Core), l2: int32(t.L2), socket: int32(t.Socket),
			peltClock: s.now, peltAt: s.now, freqScale: 1024,
			avgIdle:            2 * s.k.SchedMigrationCost,
			maxIdleBalanceCost: s.k.SchedMigrationCost,
			nextBalance:        s.jiffies + 1,
			idleEntered:        s.now,
			idleState:          int8(len(m.IdleStates) - 1),
		}
		s.rq[i] = rqLines{core: int32(t.Core)}
		if t.State != topology.Online {
			c := &s.cpus[i]
			c.core, c.l2, c.socket, c.llc = offline, offline, offline, offline
			continue
		}
		s.rq[i].idle = true
		for j := range s.cpus[i].gov.intervals {
			s.cpus[i].gov.intervals[j] = maxInteresting
		}
		s.cpus[i].gov.ewma = maxInteresting * 1000
		s.online = append(s.online, int32(i))
		c := &s.cores[t.Core]
		c.cpus = append(c.cpus, int32(i))
		c.socket = int32(t.Socket)
	}
	s.nrIdle = len(s.online)
	if len(s.online) < len(s.cpus) {
		s.onlineMask = newCPUMask(len(s.cpus))
		for _, ci := range s.online {
			s.onlineMask.set(int(ci))
		}
	}
	for i := range s.cores {
		s.smtPresent = s.smtPresent || len(s.cores[i].cpus) > 1
	}
	s.buildLines()
	for i := range m.IdleStates {
		state := &m.IdleStates[i]
		s.idleExit = append(s.idleExit, int64(state.MeanExit.Value*s.cost.IdleExitScale))
		s.idlePolls = append(s.idlePolls, idlePolls(m, state.Name))
		s.idleC0 = append(s.idleC0, pollingLoop(state.Name))
	}

	// Speeds, relative to the clock with all cores of a socket active.
	perSocket := m.CoresPerSocket()
	s.reference = int64(m.Frequency.At(perSocket))
	for k := 0; k <= perSocket; k++ {
		s.mhzAt = append(s.mhzAt, int64(m.Frequency.At(max(k, 1))))
	}
	s.freqScale = s.scaleMHz()
	s.active = make([]int, m.Sockets())
	s.mhz = make([]int64, m.Sockets())
	for i := range s.mhz {
		s.mhz[i] = s.mhzAt[0]
	}
	for i := range s.cores {
		s.cores[i].speed = s.speedOf(s.mhzAt[0])
	}
	for _, ci := range s.online {
		s.cpus[ci].speed = s.speedOf(s.mhzAt[0])
	}
	s.smtShare = append(s.smtShare, 1<<16)
	for i, y := range m.SMTThroughput {
		v := y.Value
		if i == 1 && s.loc.SMTThroughput > 0 {
			v = s.loc.SMTThroughput
		}
		s.smtShare = append(s.smtShare, int64(v/float64(i+1)*(1<<16)))
	}
}

// speedOf is the speed of a core at a clock, relative to the reference, <<16.
func (s *Sched) speedOf(mhz int64) int64 { return mhz << 16 / s.reference }

// idlePolls reports whether a CPU in an idle state sees need_resched without an
// interrupt (TIF_POLLING_NRFLAG): where the state is a loop that reads it, and
// where MWAIT monitors its line. intel_idle enters all states by MWAIT;
// acpi_idle on AMD enters C1 by it, and deeper ones by reading an I/O port.
func idlePolls(m *topology.Machine, state string) bool {
	switch {
	case pollingLoop(state):
		return true
	case m.Arch != archX86:
		return false
	case m.Vendor == "amd":
		return state == "C1"
	}
	return true
}

// pollingLoop reports whether an idle state is a loop of instructions.
func pollingLoop(state string) bool { return state == "POLL" || state == "snooze" }

// archX86 is the architecture of x86 machine descriptions.
const archX86 = "x86_64"

// buildOrders precomputes the orders in which searches visit an LLC.
func (s *Sched) buildOrders() {
	n := len(s.cpus)
	s.smt = make([][]int, n)
	s.llcFrom = make([][]int, n)
	s.coresFrom = make([][]int, n)
	for _, i := range s.online {
		for _, c := range s.cores[s.cpus[i].core].cpus {
			s.smt[i] = append(s.smt[i], int(c))
		}
		seen := make([]bool, len(s.cores))
		for k := 0; k < n; k++ {
			c := (int(i) + k) % n
			if s.cpus[c].llc != s.cpus[i].llc {
				continue
			}
			s.llcFrom[i] = append(s.llcFrom[i], c)
			if core := s.cpus[c].core; !seen[core] {
				seen[core] = true
				s.coresFrom[i] = append(s.coresFrom[i], c)
			}
		}
	}
}
