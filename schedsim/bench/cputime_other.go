//go:build !unix

package bench

import "time"

var started = time.Now()

// cpuTime stands in for the CPU time of the process where there is no call for it.
func cpuTime() time.Duration { return time.Since(started) }
