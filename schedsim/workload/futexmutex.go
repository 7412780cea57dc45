package workload

import "github.com/schedlab/schedlab/schedsim"

// futexMutex is a lock in user space that sleeps in the kernel when it is taken:
// a pthread mutex, a mutex of InnoDB, a Java monitor. Taking it when it is free
// and giving it back when nobody waits are no system calls.
//
// A thread that finds it taken spins for a while, then sleeps (FUTEX_WAIT). Who
// gives it back wakes the one that has slept longest, which tries again: a running
// thread may be faster (barging), as in glibc and in the JVM.
type futexMutex struct {
	held    bool
	waiters int32
	channel int32 // where its waiters sleep
}

// futexWork is the way into futex(2) and out of it, without the wakeup itself, ns
// at the reference clock. Assumed: a system call of 100 to 200 ns and the lock of a
// hash bucket.
const futexWork = 300

// acquire takes the lock, or says what the thread has to do before it tries
// again. spun counts the steps of spinning so far, of which there are spins, each of
// step ns.
func (m *futexMutex) acquire(spun *int32, spins int32, step int64) (op schedsim.Op, taken bool) {
	if !m.held {
		m.held = true
		*spun = 0
		return schedsim.Op{}, true
	}
	if *spun < spins {
		*spun++
		return schedsim.Op{Kind: schedsim.OpCompute, Work: step}, false
	}
	*spun = 0
	m.waiters++
	return schedsim.Op{Kind: schedsim.OpFutexWait, Arg: m.channel, Work: futexWork}, false
}

// release gives the lock back. If someone waits, wake is true and op wakes them.
func (m *futexMutex) release() (op schedsim.Op, wake bool) {
	m.held = false
	if m.waiters == 0 {
		return schedsim.Op{}, false
	}
	m.waiters--
	return schedsim.Op{Kind: schedsim.OpFutexWake, Arg: m.channel, Work: futexWork}, true
}
