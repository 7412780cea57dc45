package nb

import (
	"os/exec"
	"syscall"
)

// isolate gives the process a group of its own, so that all that it starts
// can be ended with it and an interrupt typed at the terminal does not reach
// it. The process also ends when the calling thread does.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// killGroup ends the process and all that it started.
func killGroup(cmd *exec.Cmd) {
	// The group may be gone already, which is what is wanted.
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
}
