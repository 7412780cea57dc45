package scenario

import (
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

// guestCosts are what a guest's kernel and the recordings' program take for things: times of
// CPU where nothing else is said.
type guestCosts struct {
	clock      time.Duration // a task reads its clock
	call       time.Duration // a system call on a pipe or a futex, or one that yields, without what it causes
	block      time.Duration // more of one for which a task has to wait, when it is back
	switchTask time.Duration // a context switch
	wakeup     time.Duration // try_to_wake_up
	sleep      time.Duration // a task programs a timer, and comes back from it
	interrupt  time.Duration // entry and exit of an interrupt
	tick       time.Duration // the tick

	// How late a timer's interrupt comes to a CPU that has tasks and to one that is halted, and
	// what it costs beside the wakeups that it makes.
	timerRunning, timerHalted schedsim.Lateness
	timer                     time.Duration

	sendInterrupt time.Duration // to another CPU, of the sender
	ipiDelay      time.Duration // until it is there, nobody's CPU time
	idleExit      time.Duration // from halt, nobody's CPU time

	fork, reap            time.Duration // of and by who forks, each child
	childStart, childExit time.Duration // of a child
	setupFork             time.Duration // the program forks a task of the file
	setup                 time.Duration // that task gets ready and sleeps
	finish                time.Duration // a task reads its figures at the end
	console               time.Duration // and prints them, asleep

	daemons   []kernelThread
	daemonRun time.Duration // of each, from switch to switch

	// A task joins a group; see joining.
	joinEnter, joinHeld      time.Duration
	graceLeast, graceFurther time.Duration // asleep

	// The host takes a virtual CPU away for stealTime each stealEvery in the mean, both
	// exponential; never if that is 0.
	stealTime, stealEvery time.Duration
}
