// Package bench measures how fast schedsim simulates.
//
// A Case is a machine, a kernel and a load; its speed is always given as three
// figures, as none of them says much alone: events a second, simulated CPU
// seconds a second, and the events that a simulated CPU second has, which is the
// first by the second. Every mechanism of the kernel model is on, the trace ring
// too.
package bench
