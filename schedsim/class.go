package schedsim

// class is a scheduling class (struct sched_class), the highest last.
type class uint8

const (
	classIdle class = iota // the idle task of a CPU
	classFair
)

// The functions of this file are those of struct sched_class: each hands a
// task to its class.

func (s *Sched) enqueueTask(t *Task, flags int) { s.enqueueTaskFair(t, flags) }

func (s *Sched) dequeueTask(t *Task, flags int) { s.dequeueTaskFair(t, flags) }

func (s *Sched) putPrevTask(t *Task) { s.putPrevTaskFair(t) }

func (s *Sched) taskTick(ci int32, t *Task) { s.taskTickFair(ci, t) }

// preempts decides whether t, which was just queued on a CPU that runs a task,
// is to run there at once (check_preempt_curr). It marks the CPU if so.
func (s *Sched) preempts(t *Task) bool { return s.checkPreemptWakeup(t) }

// pickNextTask picks the task to run next on ci, or none for the idle task. A
// CPU that has none looks for one elsewhere first.
func (s *Sched) pickNextTask(ci int32) TaskID {
	next := s.pickNextTaskFair(ci)
	if next != none {
		return next
	}
	if s.newidleBalance(ci) {
		return s.pickNextTaskFair(ci)
	}
	s.updateIdleClockPelt(ci)
	return none
}
