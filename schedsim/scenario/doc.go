// Package scenario reads micro-scenarios, runs them on the model of package
// schedsim, and compares what the model does with what real kernels did under an
// emulator.
//
// # Scenario files
//
// A file has directives and one line a task. Lines that begin with # are comments.
//
//	@duration MS                 all tasks stop MS after their common start; 1000
//	@group NAME WEIGHT           a task group, with a cgroup v2 weight of 1 to 10000
//	@bandwidth NAME QUOTA PERIOD the group may run QUOTA us in each PERIOD us
//	@autogroup on                tasks are grouped by session; off without
//	NAME NICE CPUS START OP..    CPUS is - (any) or a list such as 0-3,6; START is ms
//
// A task does its operations in order, and the whole list again until the
// duration is over:
//
//	run:US         use US microseconds of CPU time
//	hog            use CPU time for ever, without any system call
//	sleep:US       sleep
//	send:N recv:N  write a byte to pipe N, read one from it; the wakeup is synchronous
//	wake:N wait:N  post to futex N, take one post; the wakeup is not synchronous
//	barrier:N,M    wait at barrier N until M tasks are there
//	fork:N,US      create N children that each use US of CPU time and exit
//	yield          sched_yield
//	nice:N         take another nice value
//	fifo:P rr:P    become SCHED_FIFO or SCHED_RR of priority P
//	batch idle other   become SCHED_BATCH, SCHED_IDLE or SCHED_OTHER
//	group:NAME     join a group
//	session        begin a session, and with @autogroup on a group, of its own
//	once           the operations before it are not repeated
//
// A pipe, a futex and a barrier of the same number are three different things.
//
// The program testdata/oracle/scen.c of package schedsim runs the same files on a
// real kernel.
//
// # The comparison
//
// Recordings are three boots of each kernel on each machine. A quantity of the
// model passes if it lies in the range of the boots, widened by a tolerance that is
// the same for all scenarios; see Tolerance. The model runs nine times, from
// different instants, and its mean is what is compared.
package scenario
