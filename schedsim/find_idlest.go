package schedsim

// The slow path of placement, by which new tasks and those that call exec are
// spread: find_idlest_cpu. Which group of a domain is the idlest is told by
// find_idlest_group.go since 5.5, and by find_idlest_v310.go and
// find_idlest_v418.go before.

// placement is why the slow path is taken.
type placement uint8

const (
	placeFork placement = iota // SD_BALANCE_FORK
	placeExec                  // SD_BALANCE_EXEC
)

func (d *Domain) spreads(why placement) bool {
	if why == placeExec {
		return d.exec
	}
	return d.fork
}

// slowPath is the part of a version in the descent.
type slowPath struct {
	// group returns the idlest group of a domain if a task should go there, or
	// nil to stay in the local one.
	group func(s *Sched, d *Domain, t *Task, thisCPU int32, why placement) *group
	// cpu returns the CPU to go to in a group, or none.
	cpu func(s *Sched, g *group, t *Task, thisCPU int32) int32
}

var (
	slowPath310 = slowPath{findIdlestGroup310, leastLoadedCPU310}
	slowPath418 = slowPath{findIdlestGroup418, findIdlestGroupCPU}
	slowPath55  = slowPath{findIdlestGroup, findIdlestGroupCPU}
)

// findIdlestCPU is find_idlest_cpu of 5.9 to 6.12.
func findIdlestCPU(s *Sched, t *Task, thisCPU int, exec bool) int {
	return s.descend(&slowPath55, t, thisCPU, exec)
}

// findIdlestCPU418 is find_idlest_cpu of 4.18.
func findIdlestCPU418(s *Sched, t *Task, thisCPU int, exec bool) int {
	return s.descend(&slowPath418, t, thisCPU, exec)
}

// findIdlestCPU310 is the slow path of select_task_rq_fair of 3.10.
func findIdlestCPU310(s *Sched, t *Task, thisCPU int, exec bool) int {
	return s.descend(&slowPath310, t, thisCPU, exec)
}

// descend walks down from the highest domain that balances forks, or execs, to the
// idlest group and CPU of each.
func (s *Sched) descend(p *slowPath, t *Task, thisCPU int, exec bool) int {
	why := placeFork
	if exec {
		why = placeExec
	}
	cpu := int32(thisCPU)
	level := s.highestSpread(cpu, why)
	if level >= 0 && s.since(3, 11) && !s.meets(&s.cpus[cpu].domains[level], t) {
		return int(t.cpu)
	}
	for level >= 0 {
		d := &s.cpus[cpu].domains[level]
		if !d.spreads(why) {
			level--
			continue
		}
		g := p.group(s, d, t, cpu, why)
		if g == nil {
			level--
			continue
		}
		next := p.cpu(s, g, t, cpu)
		if next == none || next == cpu {
			level--
			continue
		}
		// Go on below the level just decided, as seen from the new CPU.
		cpu = next
		width := len(d.span)
		level = -1
		for l := range s.cpus[cpu].domains {
			lower := &s.cpus[cpu].domains[l]
			if len(lower.span) >= width {
				break
			}
			if lower.spreads(why) {
				level = l
			}
		}
	}
	return int(cpu)
}

// highestSpread returns the level at which the descent begins: the highest domain
// with the flag; since 4.x only up to the first without. Or -1.
func (s *Sched) highestSpread(cpu int32, why placement) int {
	level := -1
	for l := range s.cpus[cpu].domains {
		if s.cpus[cpu].domains[l].spreads(why) {
			level = l
		} else if s.since(3, 11) {
			break
		}
	}
	return level
}

// meets reports whether t may use a CPU of a domain.
func (s *Sched) meets(d *Domain, t *Task) bool {
	if t.allowed == nil {
		return true
	}
	for i, w := range d.mask {
		if w&t.allowed[i] != 0 {
			return true
		}
	}
	return false
}

// findIdlestGroupCPU prefers the idle CPU that is quickest to wake, among those the
// one that went idle last, then the least loaded (find_idlest_group_cpu, since 4.2).
// A CPU that runs nothing but SCHED_IDLE tasks comes first (since 5.4).
func findIdlestGroupCPU(s *Sched, g *group, t *Task, thisCPU int32) int32 {
	if len(g.cpus) == 1 {
		return g.cpus[0]
	}
	shallowest, least := none, thisCPU
	exit, latest := int64(1<<62), int64(0)
	minLoad := int64(1 << 62)
	for _, ci := range g.cpus {
		if !t.Allowed(int(ci)) {
			continue
		}
		c := &s.cpus[ci]
		if s.SchedIdleCPU(int(ci)) {
			return ci
		}
		if s.idle(ci) {
			e := s.m.IdleStates[c.idleState].ExitLatency
			if e < exit || e == exit && c.idleStamp > latest {
				shallowest, exit, latest = ci, e, c.idleStamp
			}
		} else if shallowest == none {
			if load := s.placedLoad(ci); load < minLoad {
				least, minLoad = ci, load
			}
		}
	}
	if shallowest != none {
		return shallowest
	}
	return least
}

// placedLoad is the load by which find_idlest_group_cpu compares busy CPUs: that of
// what is runnable in 4.18, with blocked tasks since 5.5.
func (s *Sched) placedLoad(ci int32) int64 {
	if s.since(5, 5) {
		return s.cpuLoad(ci)
	}
	return s.weightedCPULoad(ci)
}
