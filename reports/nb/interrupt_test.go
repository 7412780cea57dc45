package nb

import (
	"syscall"
	"testing"
	"time"
)

// interruptSelf sends this process the signal that a kernel sends to a cell.
// The sweep under test catches it; it is given time to.
func interruptSelf(t *testing.T) {
	t.Helper()
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGINT); err != nil {
		t.Error(err)
	}
	time.Sleep(50 * time.Millisecond)
}
