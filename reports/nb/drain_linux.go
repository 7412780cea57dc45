package nb

import (
	"time"

	"golang.org/x/sys/unix"
)

// drainPrinted waits until the kernel has taken what the program printed, but
// not for long: a pipe that nobody reads must not stop the program.
//
// That a pipe is empty can be asked. That the kernel has also passed on what
// it read from it cannot, so it is given a moment: without it, one display in
// some thousands overtakes the line printed before it.
func drainPrinted() {
	const (
		most   = 200 * time.Millisecond
		step   = 50 * time.Microsecond
		moment = 2 * time.Millisecond
	)
	deadline := time.Now().Add(most)
	for fd := 1; fd <= 2; fd++ {
		for time.Now().Before(deadline) {
			// Works on pipes alone, which is what a kernel gives its cells.
			unread, err := unix.IoctlGetInt(fd, unix.TIOCINQ)
			if err != nil || unread == 0 {
				break
			}
			time.Sleep(step)
		}
	}
	time.Sleep(moment)
}
