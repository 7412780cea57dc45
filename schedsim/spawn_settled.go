package schedsim

// SpawnSettled is Spawn for a task that is as old as the machine and did next to
// nothing so far, as daemons and kworkers: it has no load. A new task begins with the
// load of its weight, and leaves that on its CPU for a tenth of a second when it
// sleeps.
func (s *Sched) SpawnSettled(name string, role int32, cpu int, at int64) *Task {
	t := s.Spawn(name, role, cpu, at)
	e := &s.ents[t.se]
	e.avg.load, e.avg.runnable = 0, 0
	t.homeCore = s.cpus[t.cpu].core
	return t
}
