//go:build !linux

package nb

import "os/exec"

// isolate does nothing: process groups and their death signal are only used
// on Linux.
func isolate(cmd *exec.Cmd) {}

// killGroup ends the process, but not what it started.
func killGroup(cmd *exec.Cmd) {
	_ = cmd.Process.Kill()
}
