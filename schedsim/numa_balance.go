package schedsim

// What load balancing asks NUMA balancing.

// tooHot decides for can_migrate_task whether a task had better stay: by the
// nodes of its memory if that says something, else by task_hot.
func (s *Sched) tooHot(env *lbEnv, t *Task) bool {
	if s.mem != nil {
		if d := s.migrateDegradesLocality(env, t); d >= 0 {
			return d > 0
		}
	}
	return s.taskHot(env, t)
}

// migrateDegradesLocality is migrate_degrades_locality: 1 if the move is bad for
// the task, 0 if it is good, -1 if it makes no difference. The rework compares
// shares of faults, and a CPU that is about to idle is no excuse any more.
func (s *Sched) migrateDegradesLocality(env *lbEnv, t *Task) int {
	m := s.mem
	nt := &m.tasks[t.ID]
	if !s.k.NUMABalancing || !nt.hasFaults || !env.d.numa {
		return -1
	}
	src, dst := m.nodeOf[t.cpu], m.nodeOf[env.dst]
	switch {
	case src == dst:
		return -1
	case src == nt.preferred:
		if s.cpus[t.cpu].nrRunning > m.cpu[t.cpu].nrPreferred {
			return 1
		}
		return -1
	case dst == nt.preferred:
		return 0
	case env.idle == cpuIdle || env.idle != cpuNotIdle && !s.k.NUMARework:
		return -1
	}
	srcF, dstF := int64(0), int64(0)
	switch dist := m.dist(int(src), int(dst)); {
	case s.k.NUMARework && nt.group != none:
		srcF, dstF = s.groupWeight(t, int(src), dist), s.groupWeight(t, int(dst), dist)
	case s.k.NUMARework:
		srcF, dstF = s.taskWeight(t, int(src), dist), s.taskWeight(t, int(dst), dist)
	case nt.group != none:
		srcF, dstF = m.groupFaultsMem(nt.group, int(src)), m.groupFaultsMem(nt.group, int(dst))
	default:
		srcF, dstF = m.taskFaults(t.ID, int(src)), m.taskFaults(t.ID, int(dst))
	}
	if dstF < srcF {
		return 1
	}
	return 0
}

// fbqType is enum fbq_type: what the tasks of a queue are to NUMA balancing, the
// best to pull first.
type fbqType uint8

const (
	fbqRegular fbqType = iota // some have no preferred node
	fbqRemote                 // some are not on theirs
	fbqAll
)

// fbqOfGroup is fbq_classify_group of the group that a pass pulls from: no queue
// of a higher type is taken from.
func (s *Sched) fbqOfGroup(env *lbEnv, g *group) fbqType {
	if s.mem == nil || !s.k.NUMABalancing || !env.d.numa {
		return fbqAll
	}
	nr, numa, preferred := int32(0), int32(0), int32(0)
	for _, ci := range g.cpus {
		nr += s.cfs[ci].hNr
		numa += s.mem.cpu[ci].nrNUMA
		preferred += s.mem.cpu[ci].nrPreferred
	}
	return fbqClassify(nr, numa, preferred)
}

// fbqOfRQ is fbq_classify_rq.
func (s *Sched) fbqOfRQ(ci int32) fbqType {
	c := &s.mem.cpu[ci]
	return fbqClassify(s.cpus[ci].nrRunning, c.nrNUMA, c.nrPreferred)
}

func fbqClassify(nr, numa, preferred int32) fbqType {
	switch {
	case nr > numa:
		return fbqRegular
	case nr > preferred:
		return fbqRemote
	}
	return fbqAll
}
