package schedsim

// The load of a CPU as balancing and wake_affine read it before v5.1, and
// rq->cpu_load[], averages of samples that ticks take, with which a load is biased
// (LB_BIAS; both until v5.3).

// cpuLoadIdxMax is CPU_LOAD_IDX_MAX.
const cpuLoadIdxMax = 5

// cpuLoadIdx is rq->cpu_load[] and last_load_update_tick.
type cpuLoadIdx struct {
	load [cpuLoadIdxMax]int64
	last int64 // jiffies
}

// For ticks that were missed the old load is decayed by powers of two of ticks, as
// many 128ths as degradeFactor says, and is nothing after degradeZeroTicks.
var (
	degradeZeroTicks = [cpuLoadIdxMax]int64{0, 8, 32, 64, 128}
	degradeFactor    = [cpuLoadIdxMax][8]int64{
		2: {96, 72, 40, 12, 1},
		3: {112, 98, 75, 43, 15, 1},
		4: {120, 112, 98, 76, 45, 16, 2},
	}
)

// decayLoadMissed decays cpu_load[i] for missed ticks (decay_load_missed).
func decayLoadMissed(load, missed int64, i int) int64 {
	switch {
	case missed == 0:
		return load
	case missed >= degradeZeroTicks[i]:
		return 0
	case i == 1:
		return load >> missed
	}
	for j := 0; missed > 0; j, missed = j+1, missed>>1 {
		if missed&1 != 0 {
			load = load * degradeFactor[i][j] >> 7
		}
	}
	return load
}

// update takes a sample that stands for pending ticks, all but the last of which were
// missed: in those there was no load, or since v4.6 that of tickless, which is what
// the CPU stopped its tick with (__update_cpu_load, cpu_load_update).
func (l *cpuLoadIdx) update(now, pending, tickless int64) {
	l.load[0] = now
	for i := 1; i < cpuLoadIdxMax; i++ {
		scale := int64(1) << i
		old := decayLoadMissed(l.load[i], pending-1, i)
		if tickless != 0 {
			old += tickless - decayLoadMissed(tickless, pending-1, i)
		}
		sample := now
		if sample > old {
			sample += scale - 1 // round up, or a rising average would stay below
		}
		l.load[i] = (old*(scale-1) + sample) >> i
	}
}

// weightedCPULoad is weighted_cpuload: the weight of what is queued; with patch 6 of
// the runnable load series, and in v4.18, its runnable load; since v5.2 the load of
// the CPU, blocked tasks included.
func (s *Sched) weightedCPULoad(ci int32) int64 {
	switch {
	case s.pelt == peltV310 && s.k.RunnableLoad.CPULoad && s.k.RunnableLoad.Blocked:
		return s.cfsV310[ci].runnable + s.cfsV310[ci].blocked
	case s.pelt == peltV310 && s.k.RunnableLoad.CPULoad:
		return s.cfsV310[ci].runnable
	case s.pelt == peltV310:
		return s.cfs[ci].load.weight >> fixedShift
	case s.pelt == peltV418:
		return s.cfs[ci].avg.runnable
	}
	return s.cpuLoad(ci)
}

// sourceLoad is source_load, a low guess at the load of a CPU that tasks may leave:
// the lower of its load and, for types other than 0, cpu_load[typ-1].
func (s *Sched) sourceLoad(ci int32, typ int) int64 {
	load := s.weightedCPULoad(ci)
	if typ == 0 || !s.k.LBBias || s.cpuLoads == nil {
		return load
	}
	return min(s.cpuLoads[ci].load[typ-1], load)
}

// targetLoad is target_load, a high guess at the load of a CPU that tasks may go to.
func (s *Sched) targetLoad(ci int32, typ int) int64 {
	load := s.weightedCPULoad(ci)
	if typ == 0 || !s.k.LBBias || s.cpuLoads == nil {
		return load
	}
	return max(s.cpuLoads[ci].load[typ-1], load)
}

// cpuAvgLoadPerTask is cpu_avg_load_per_task.
func (s *Sched) cpuAvgLoadPerTask(ci int32) int64 {
	nr := int64(s.cpus[ci].nrRunning)
	if s.pelt != peltV310 {
		nr = int64(s.cfs[ci].hNr)
	}
	if nr == 0 {
		return 0
	}
	return s.weightedCPULoad(ci) / nr
}

// loadIdx is the index into cpu_load[] plus one, or 0 for none, with which a balance
// of a domain reads loads (get_sd_load_idx with busy_idx, idle_idx and newidle_idx):
// the wider the domain, the longer the average.
func (d *Domain) loadIdx(idle idleType) int {
	switch {
	case d.smt || idle == cpuNewlyIdle:
		return 0
	case d.serialize: // NUMA
		if idle == cpuNotIdle {
			return 3
		}
		return 2
	case idle == cpuNotIdle:
		return 2
	case d.sharePkg:
		return 0
	}
	return 1
}

// buildCPULoads makes the averages of versions that have them.
func (s *Sched) buildCPULoads() {
	if s.since(5, 3) {
		return
	}
	s.cpuLoads = make([]cpuLoadIdx, len(s.cpus))
	for i := range s.cpuLoads {
		s.cpuLoads[i].last = s.jiffies
	}
}

// cpuLoadTick takes the sample of a tick (update_cpu_load_active,
// cpu_load_update_active).
func (s *Sched) cpuLoadTick(ci int32) {
	l := &s.cpuLoads[ci]
	l.last = s.jiffies
	l.update(s.weightedCPULoad(ci), 1, s.tickless(l))
}

// cpuLoadLast reports whether the tick takes the sample after the class's tick, so that
// it sees what that accounted: with patch 5 of the runnable load series.
func (s *Sched) cpuLoadLast() bool { return s.pelt != peltV310 || s.k.RunnableLoad.CPULoadLast }

// tickless is the load of the ticks that a CPU missed.
func (s *Sched) tickless(l *cpuLoadIdx) int64 {
	if s.pelt == peltV310 {
		return 0
	}
	return l.load[0]
}

// cpuLoadNohzStart is cpu_load_update_nohz_start: v4.18 remembers with what load the
// tick stopped.
func (s *Sched) cpuLoadNohzStart(ci int32) {
	if s.pelt != peltV310 {
		s.cpuLoads[ci].load[0] = s.weightedCPULoad(ci)
	}
}

// cpuLoadNohzStop makes up for the ticks that a CPU missed when it starts its tick
// again (update_cpu_load_nohz, cpu_load_update_nohz_stop).
func (s *Sched) cpuLoadNohzStop(ci int32) {
	load := int64(0) // whatever is queued by now came at the end
	if s.pelt != peltV310 {
		load = s.weightedCPULoad(ci)
	}
	s.cpuLoadCatchUp(ci, load)
}

// cpuLoadIdle makes up for the ticks of an idle CPU before somebody balances for it
// (update_idle_cpu_load, cpu_load_update_idle).
func (s *Sched) cpuLoadIdle(ci int32) {
	if s.weightedCPULoad(ci) == 0 {
		s.cpuLoadCatchUp(ci, 0)
	}
}

func (s *Sched) cpuLoadCatchUp(ci int32, load int64) {
	l := &s.cpuLoads[ci]
	if pending := s.jiffies - l.last; pending > 0 {
		l.last = s.jiffies
		l.update(load, pending, s.tickless(l))
	}
}
