package scenario

import "time"

// Scenario is a scenario file.
type Scenario struct {
	Name      string
	Comment   string // the lines at its begin that are comments, joined
	Duration  time.Duration
	Groups    []Group
	Autogroup bool
	Tasks     []Task
}

// Group is a task group.
type Group struct {
	Name   string
	Weight int64 // of cgroup v2
	// Quota in each Period is what it may use, 0 for no limit.
	Quota, Period time.Duration
}

// Task is one line of a file.
type Task struct {
	Name  string
	Nice  int
	CPUs  []int // ascending; nil for any
	Start time.Duration
	// Ops are its operations, of which the first Once are not repeated.
	Ops  []Op
	Once int
}

// Kind is what an operation does.
type Kind uint8

const (
	Run Kind = iota
	Hog
	Sleep
	Send
	Recv
	Wake
	Wait
	Barrier
	Fork
	Yield
	Nice
	FIFO
	RR
	Batch
	Idle
	Other
	JoinGroup
	Session
)

// Op is one operation.
type Op struct {
	Kind Kind
	// N is the number of a pipe, futex, barrier or group, a count of children, a
	// nice value or a priority.
	N int
	// M is how many tasks meet at a barrier.
	M int
	// D is how long to run or to sleep.
	D time.Duration
}

// Role is what tasks that do the same thing share: the name without the digits
// at its end.
func (t *Task) Role() string { return role(t.Name) }

func role(name string) string {
	n := len(name)
	for n > 0 && name[n-1] >= '0' && name[n-1] <= '9' {
		n--
	}
	return name[:n]
}
