//go:build !linux

package nb

// drainPrinted does nothing: how much of a pipe is unread can only be asked
// on Linux. Printed text may then come out below a display.
func drainPrinted() {}
