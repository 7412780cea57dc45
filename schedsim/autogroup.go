package schedsim

import "fmt"

// Autogroup (CONFIG_SCHED_AUTOGROUP): each session that setsid makes is a task
// group of the root with the default shares. A task is in its session's group as
// long as its cgroup is the root. Without Features.Autogroup
// (kernel.sched_autogroup_enabled=0) such tasks are in the root group.
//
// Session 0 is the boot's, of kernel threads and what they started: its tasks are
// in the root group. Session 1 is the one that the workload is started from, and
// that of all tasks that nobody puts elsewhere. A task that exits stays in its
// group; the kernel moves it to the root first.

// NewSession creates a session and returns its number (setsid).
func (s *Sched) NewSession() int {
	id := len(s.sessions)
	group := 0
	if s.k.Autogroup {
		group = s.addGroup(fmt.Sprintf("/autogroup-%d", id), 0)
	}
	s.sessions = append(s.sessions, int32(group))
	return id
}

// SetSession puts a task into a session (autogroup_move_group). The tasks that it
// forks are in the same one. It takes no simulated time.
func (s *Sched) SetSession(t *Task, session int) {
	if session < 0 || session >= len(s.sessions) {
		s.failStart(fmt.Errorf("schedsim: %s is to be in session %d, which is not there, use one that NewSession returned", t.Name, session))
		return
	}
	if t.session == int32(session) || t.state == taskDead {
		return
	}
	t.session = int32(session)
	s.moveToGroup(t, s.groupOf(t))
}

// SessionGroup returns the group of a session, 0 for the root or if there is no
// such session. SetShares of it is the nice level of an autogroup.
func (s *Sched) SessionGroup(session int) int {
	if session < 0 || session >= len(s.sessions) {
		return 0
	}
	return int(s.sessions[session])
}

// groupOf is autogroup_task_group: the group that a task is scheduled in.
func (s *Sched) groupOf(t *Task) int32 {
	if t.cgroup != 0 {
		return t.cgroup
	}
	return s.sessions[t.session]
}
