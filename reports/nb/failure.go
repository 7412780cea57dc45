package nb

import (
	"fmt"
	"regexp"
	"strings"
)

// A CellError says which cell of a notebook failed, and how.
type CellError struct {
	// Path is the notebook.
	Path string
	// Index is the place of the cell among the code cells, from 1.
	Index int
	// ID and FirstLine are the cell's id and the first line of its source.
	ID, FirstLine string
	// Source is the whole source of a cell that was begun.
	Source string
	// Text is what the compiler, the panicking program or the failing
	// command said, as plain text of any number of lines.
	Text string
	// Err is what stopped the cell from the outside: the context's error,
	// context.DeadlineExceeded at the cell's time limit, or ErrKernelDied.
	// It is nil where the cell failed by itself.
	Err error

	what string
}

// Error returns a line that names the cell, and then Text.
func (e *CellError) Error() string {
	line := fmt.Sprintf("nb: %s: code cell %d (id %s, %q): %s", e.Path, e.Index, e.ID, e.FirstLine, e.what)
	if e.Text == "" {
		return line
	}
	return line + ":\n" + e.Text
}

// Unwrap returns e.Err.
func (e *CellError) Unwrap() error { return e.Err }

// programExit is the message of os/exec for a program that did not end well,
// which GoNB reports for cells and shell lines alike.
var programExit = regexp.MustCompile(`^(exit status \d+|signal: [a-z /0-9]+( \(core dumped\))?)$`)

// describeError says what went wrong in a cell for which the kernel replied
// with an error, in a few words and in detail.
func describeError(cell *Cell, errValue string) (what, text string) {
	errValue = plainText(errValue)
	if programExit.MatchString(errValue) {
		return "the program ended with " + errValue, programText(cell)
	}
	if goPosition.MatchString(errValue) {
		return "does not compile", compileText(cell, errValue)
	}
	return "cannot be run", strings.TrimSpace(errValue)
}

// programText returns what a failed program said: from the panic on, or else
// the end of what it wrote to stderr.
func programText(cell *Cell) string {
	const most = 20 // lines
	var lines []string
	for line := range strings.Lines(plainText(stderrOf(cell))) {
		line = strings.TrimRight(line, "\r\n")
		// The kernel adds the exit status, which is known.
		if !programExit.MatchString(line) {
			lines = append(lines, line)
		}
	}
	for i, line := range lines {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			lines = lines[i:]
			lines = lines[:min(len(lines), most)]
			break
		}
	}
	lines = lines[max(0, len(lines)-most):]
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// cellLine is how the kernel names a line of a cell in the traceback.
var cellLine = regexp.MustCompile(`^Cell(?:\[\d+\]:)? Line (\d+)$`)

// goPosition is the place in the generated program that starts a message of
// the compiler. It means nothing to the reader of the notebook.
var goPosition = regexp.MustCompile(`(?m)^\S*main(_test)?\.go:\d+:\d+: `)

// compileText returns the messages of a compile error with the cell's own
// line numbers in front. The error's value has the messages a line each, and
// the traceback has, in the same order, the line of the cell that each is
// about, if it is about one.
func compileText(cell *Cell, errValue string) string {
	var traceback []string
	for _, o := range cell.Outputs {
		if o.Type == ErrorOutput {
			traceback = o.Traceback
		}
	}
	var text []string
	for i, line := range strings.Split(errValue, "\n") {
		if strings.HasPrefix(line, "# ") {
			continue // names the package, which is always the cell
		}
		if i < len(traceback) {
			where, _, _ := strings.Cut(plainText(traceback[i]), "\n")
			if m := cellLine.FindStringSubmatch(where); m != nil {
				line = "line " + m[1] + ": " + goPosition.ReplaceAllString(line, "")
			}
		}
		text = append(text, line)
	}
	return strings.TrimSpace(strings.Join(text, "\n"))
}

// failedCommand returns the exit status with which a shell line of the cell
// ended, or "". The kernel takes such cells for good, and only writes the
// status to stderr, as a message of its own; messages holds the stderr of the
// cell as it came.
//
// One failure is none: "go work init" where there is a go.work already, from
// a set-up cell that is there twice.
func failedCommand(cell *Cell, messages []string) string {
	if !hasShell(cell.Source) {
		return ""
	}
	var before strings.Builder
	for _, text := range messages {
		status := strings.TrimPrefix(strings.TrimSuffix(text, "\n"), "^C\n")
		if programExit.MatchString(status) && strings.HasSuffix(text, "\n") {
			if !strings.HasSuffix(strings.TrimSpace(before.String()), "go.work already exists") {
				return status
			}
			before.Reset()
			continue
		}
		before.WriteString(text)
	}
	return ""
}

// hasShell tells whether a cell runs shell commands: lines that start with
// '!', or a whole cell that is a script.
func hasShell(source string) bool {
	for line := range strings.Lines(source) {
		line = strings.TrimPrefix(line, "//gonb:")
		for _, start := range []string{"!", "%%bash", "%%sh", "%%script"} {
			if strings.HasPrefix(line, start) {
				return true
			}
		}
	}
	return false
}

// stderrOf returns all that a cell wrote to stderr.
func stderrOf(cell *Cell) string {
	var b strings.Builder
	for _, o := range cell.Outputs {
		if o.Type == Stream && o.Name == "stderr" {
			b.WriteString(o.Text)
		}
	}
	return b.String()
}

// escape matches terminal escape sequences that set colours.
var escape = regexp.MustCompile("\x1b\\[[0-9;]*m")

// plainText removes colours from text.
func plainText(s string) string { return escape.ReplaceAllString(s, "") }
