package schedsim

// OpKind is what a task does next.
type OpKind uint8

const (
	// OpCompute works and goes on.
	OpCompute OpKind = iota
	// OpSend works, puts a message into channel Arg, and wakes its
	// receiver if that waits.
	OpSend
	// OpRecv works, then takes a message from channel Arg, waiting for one
	// if there is none.
	OpRecv
	// OpFork works, then creates task Arg of the workload and goes on.
	OpFork
	// OpSleep works, then sleeps for Arg64 ns.
	OpSleep
	// OpExit works, then ends the task.
	OpExit
	// OpExec works, then calls exec: the task may be moved to another CPU, as it
	// has nothing in the caches yet.
	OpExec
	// OpJoinGroup works, then moves the task into group Arg of Sched.NewGroup, 0
	// for the root, as a write to cgroup.procs does.
	OpJoinGroup
	// OpFutexWake works, then adds a post to channel Arg and wakes the task that
	// has waited there for longest, if any: FUTEX_WAKE of a counting semaphore.
	// The wakeup is never synchronous.
	OpFutexWake
	// OpFutexWait works, then takes a post from channel Arg, waiting for one if
	// there is none. A task that is woken and finds the post taken waits again,
	// behind all others.
	OpFutexWait
	// OpSetScheduler works, then gives the task the policy Arg (Sched.Attr).
	OpSetScheduler
	// OpYield works, then calls sched_yield.
	OpYield
	// OpRead works, then takes a message from buffer Arg (Sched.NewBuffer), waiting
	// for one if there is none; OpWrite works, then puts one into it, waiting while
	// it is full. They are system calls all through: see CONFIG_PREEMPT,
	// Features.NewidlePullsOne.
	OpRead
	OpWrite
	// OpBarrier works, then waits at word Arg until Arg64 tasks are there: first
	// spinning, then asleep. The last one wakes those that sleep. See Spinner.
	OpBarrier
	// OpSpin works, then spins until word Arg is at least Arg64, however long. With
	// Sync it then reads Locality.TransferLines that the writer of the word wrote.
	OpSpin
	// OpStore works, then sets word Arg to Arg64, which those that spin for it see.
	OpStore
)

// Op is one operation of a program. Work precedes the operation's effect.
type Op struct {
	Kind OpKind
	// Sync marks a wakeup as WF_SYNC: the sender is about to sleep. See OpSpin.
	Sync bool
	Arg  int32
	// Work is ns at the machine's reference clock with the core to itself.
	Work  int64
	Arg64 int64
}

// Workload is a set of programs.
//
// A simulation asks it for each task's next operation; all state that lasts
// between operations is in the Task and in the Workload, and neither may
// depend on the order in which tasks of different arms run.
type Workload interface {
	// Name identifies the workload and its parameters in messages.
	Name() string
	// MaxTasks bounds the number of tasks, and Channels is how many channels
	// there are.
	MaxTasks() int
	Channels() int
	// Start creates the first tasks with Sched.Spawn.
	Start(s *Sched)
	// Next returns the task's next operation.
	Next(s *Sched, t *Task) Op
	// Born is called for a task that OpFork created, before it runs.
	Born(s *Sched, parent, child *Task, arg int32)
	// Locality gives what messages and migrations cost this workload.
	Locality() Locality
	// Measured is called at the start (false) and at the end (true) of the
	// measured time; at the end it returns the figure of merit and its unit.
	Measured(s *Sched, end bool) (value float64, unit string)
}

// Locality is the memory behaviour of a workload's tasks.
type Locality struct {
	// TransferLines is how many cache lines a receiver pulls one after
	// another from the sender's core for each message.
	TransferLines float64
	// RefillLines is how many lines of private cache a task fetches one after
	// another from its old core after it moved to another one.
	RefillLines float64
	// SMTThroughput is the throughput of a core that runs two of the tasks,
	// relative to one.
	SMTThroughput float64
}

// channel is a message queue, a pipe, or the count of a futex, with its waiters
// in the order in which they came.
type channel struct {
	pending int32
	waiter  TaskID // first task asleep in OpRecv or OpFutexWait, or none
	last    TaskID // the last one, if there is a first
	from    int32  // CPU of the last sender
}

// wait appends t to the waiters of ch.
func (s *Sched) wait(ch *channel, t *Task) {
	t.nextWaiter = none
	if ch.waiter == none {
		ch.waiter = t.ID
	} else {
		s.tasks[ch.last].nextWaiter = t.ID
	}
	ch.last = t.ID
}

// firstWaiter takes the first waiter off ch and returns it, or none.
func (s *Sched) firstWaiter(ch *channel) TaskID {
	id := ch.waiter
	if id != none {
		ch.waiter = s.tasks[id].nextWaiter
		s.tasks[id].nextWaiter = none
	}
	return id
}
