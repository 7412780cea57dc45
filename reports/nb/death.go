package nb

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"
)

// ErrKernelDied is in the chain of the error of a cell during which the
// kernel process ended.
var ErrKernelDied = errors.New("the Go kernel died")

// deathError says how the kernel ended and what it said last.
func (k *kernel) deathError() error {
	select {
	case <-k.dead:
	case <-time.After(drainTimeout):
		return fmt.Errorf("%w: it closed its connections", ErrKernelDied)
	}
	how := "exit status 0"
	if k.exit != nil {
		how = k.exit.Error()
	}
	if said := lastWords(k.logFile()); said != "" {
		return fmt.Errorf("%w: %s\n%s", ErrKernelDied, how, said)
	}
	return fmt.Errorf("%w: %s", ErrKernelDied, how)
}

// lastWords returns what a kernel that ended by itself said about it: its
// log from the panic on, or the fatal message.
func lastWords(path string) string {
	const most = 4096 // bytes
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	text := plainText(string(data))
	for _, start := range []string{"panic: ", "fatal error: "} {
		if i := strings.LastIndex(text, "\n"+start); i >= 0 {
			text = text[i+1:]
			return strings.TrimSpace(text[:min(len(text), most)])
		}
	}
	// The log marks the message that a kernel ended with by this letter,
	// the month and the day.
	for line := range strings.Lines(text) {
		if fatalLine.MatchString(line) {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// fatalLine matches the first line of a fatal message in a kernel's log.
var fatalLine = regexp.MustCompile(`^F\d{4} `)
