package schedsim

import "math/bits"

// TaskID identifies a task of one simulation.
type TaskID = int32

// Task is struct task_struct and the state of the program that it runs. What a
// wakeup and a switch use comes first.
type Task struct {
	// The operation it is in, and what is left of it.
	op    Op
	stall int64 // ns that no clock speeds up
	work  int64 // ns of work at the reference clock
	// switchedOut is when the last switch away from it ends; until then
	// p->on_cpu is set although it is off the queue.
	switchedOut int64

	se  int32
	cpu int32 // last or current CPU
	// wakeCPU is the CPU that a wakeup takes for the previous one (since 3.12):
	// cpu, unless a move of the sleeping task was asked for (p->wake_cpu).
	wakeCPU int32
	state   taskState
	onRQ    bool
	class   class
	policy  Policy

	inOp      bool
	migrated  bool // woken on another CPU, not yet enqueued there
	kthread   bool // a thread of the kernel, not a task of the workload
	kthreadOp OpKind

	ID TaskID
	// Role and PC are the program's: what the task is, and where in it.
	Role, PC int32
	// Arg is what the program was started with.
	Arg  int32
	prio int16 // the kernel's: less is more urgent
	nice int8
	// waited: it found a buffer empty or full.
	waited bool
	// Rand is the task's own stream.
	Rand Rand

	recentUsedCPU  int32
	wakeeFlips     int32
	wakeeFlipDecay int64 // jiffies
	lastWakee      TaskID
	nextWaiter     TaskID // behind it in a channel's or buffer's waiters, or who it wakes next, or none
	homeCore       int32  // core whose caches hold its working set

	group         int32 // sched_task_group: cgroup, or in the root the session's
	allowed       cpuMask
	nvcsw, nivcsw int32

	// cgroup is the group of the cpu controller; session is what setsid made.
	cgroup, session int32
	timeSlice       int32 // SCHED_RR: ticks left
	dl              int32 // deadline entity, or none
	Name            string
}

type taskState uint8

const (
	taskDead taskState = iota
	taskRunning
	taskSleeping
	taskWaking
)

// Allowed reports whether the task may run on cpu (p->cpus_ptr).
func (t *Task) Allowed(cpu int) bool { return t.allowed == nil || t.allowed.has(cpu) }

// CPU returns the CPU that the task last ran on (task_cpu).
func (t *Task) CPU() int { return int(t.cpu) }

// cpuMask is a set of CPUs.
type cpuMask []uint64

func newCPUMask(n int) cpuMask { return make(cpuMask, (n+63)/64) }

func (m cpuMask) has(c int) bool { return m[c>>6]>>(c&63)&1 != 0 }
func (m cpuMask) set(c int)      { m[c>>6] |= 1 << (c & 63) }
func (m cpuMask) clear(c int)    { m[c>>6] &^= 1 << (c & 63) }

// first returns the lowest CPU of a mask that has one.
func (m cpuMask) first() int {
	for i, w := range m {
		if w != 0 {
			return i<<6 + bits.TrailingZeros64(w)
		}
	}
	return -1
}

// only returns the CPU of a mask that has one, else -1. The nil mask has all.
func (m cpuMask) only() int {
	cpu := -1
	for i, w := range m {
		if w == 0 {
			continue
		}
		if cpu >= 0 || w&(w-1) != 0 {
			return -1
		}
		cpu = i<<6 + bits.TrailingZeros64(w)
	}
	return cpu
}
