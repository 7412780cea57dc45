package schedsim

// The fair server: since 6.12 each CPU has a deadline entity for all of its fair
// tasks, 50 ms in each second (fair_server, dl_server). It waits (dl_defer)
// until its deadline could not be met otherwise: if fair tasks had 50 ms of the
// period by themselves, idle time included, the wait starts anew; if real-time
// tasks kept the CPU from them, the server runs them before these.
const (
	fairServerRuntime = 50e6   // ns
	fairServerPeriod  = 1000e6 // ns
	// dlServerMinRes is dl_server_min_res: the wait is not made longer by less.
	dlServerMinRes = 1e6 // ns
)

// buildServers makes the fair servers, which stay throttled until the first fair
// task comes. servers is how many there are.
func (s *Sched) buildServers() {
	if !s.since(6, 12) {
		return
	}
	s.dls = make([]dlEntity, len(s.cpus), len(s.cpus)+16)
	s.classTimers.heap = make([]timer, 0, 2*len(s.cpus)+16)
	for i := range s.dls {
		e := &s.dls[i]
		e.task, e.cpu, e.defer_ = none, int32(i), true
		e.ask.runtime, e.ask.deadline, e.ask.period = fairServerRuntime, fairServerPeriod, fairServerPeriod
	}
	for range s.online {
		s.dlTotal += s.dls[0].density()
	}
	s.servers = len(s.cpus)
	s.serverIdleSince = make([]int64, len(s.cpus))
	for i := range s.serverIdleSince {
		s.serverIdleSince[i] = s.now
	}
}

// serverStartStop starts the server of ci when its first fair task comes and stops
// it when the last one goes, be it that its group was throttled. had is how many
// there were.
func (s *Sched) serverStartStop(ci, had int32) {
	switch has := s.cfs[ci].hNr; {
	case s.servers == 0:
	case had == 0 && has > 0:
		s.serverStart(ci)
	case had > 0 && has == 0:
		s.serverStop(ci)
	}
}

// serverStart is dl_server_start: the first fair task of ci was queued. It makes
// the current task call schedule() whether the server is to run or not.
func (s *Sched) serverStart(ci int32) {
	d := ci
	s.enqueueDL(d, enqWakeup)
	if c := &s.cpus[ci]; c.curr == none || s.tasks[c.curr].class != classDeadline || s.dlBefore(d, s.tasks[c.curr].dl) {
		s.reschedCurr(s.smp, ci)
	}
}

// serverStop is dl_server_stop: the last fair task is gone.
func (s *Sched) serverStop(ci int32) {
	e := &s.dls[ci]
	s.unqueueDL(ci)
	e.timer = 0
	e.armed, e.throttled = false, false
}

// serverUpdate is dl_server_update: a fair task of ci ran, in the server or not.
func (s *Sched) serverUpdate(ci int32, delta int64) { s.chargeDL(ci, ci, delta) }

// serverIdleTime takes the time that ci was idle off the server's runtime
// (dl_server_update_idle_time).
func (s *Sched) serverIdleTime(ci int32) {
	e, c := &s.dls[ci], &s.cpus[ci]
	if c.curr != none || e.runtime < 0 {
		return
	}
	e.runtime -= (s.now - s.serverIdleSince[ci]) * c.freqScale >> 10
	if e.runtime < 0 {
		e.running = false
		e.runtime = 0
	}
	s.serverIdleSince[ci] = s.now
}

// serverTimer is dl_server_timer.
func (s *Sched) serverTimer(d int32) {
	e := &s.dls[d]
	if !e.throttled {
		return
	}
	ci := e.cpu
	s.smp = ci
	s.steal(ci, s.cost.IRQ)
	if s.cfs[ci].hNr == 0 {
		s.dlReplenish(d)
		return
	}
	if e.armed {
		if s.now < e.deadline-e.runtime-dlServerMinRes {
			e.timer = e.deadline - e.runtime
			s.armDLTimer(d)
			return
		}
		e.running = true
	}
	s.enqueueDL(d, enqReplenish)
	if c := &s.cpus[ci]; c.curr == none || s.tasks[c.curr].class != classDeadline || s.dlBefore(d, s.tasks[c.curr].dl) {
		s.reschedCurr(ci, ci)
	}
	s.pushDLTask(ci, ci)
	s.preemptIfNeeded(ci)
}
