package nb

import (
	"regexp"
	"strings"
)

// What differs between two runs that do the same thing is replaced in what is
// stored: the name of the kernel's temporary directory and of the program that
// it builds there wherever they are printed, and addresses, the numbers of
// goroutines and the places of installed packages in the stack trace of a
// program that panicked. What a cell prints otherwise is its own.

// place is a directory that is elsewhere on another machine, and its name.
type place struct{ dir, name string }

// stackLine matches the first line of what the Go runtime says of a program
// that it ends.
var stackLine = regexp.MustCompile(`^(panic: |fatal error: |SIG[A-Z]+: |\[signal |goroutine \d+ )`)

// Parts of a stack trace that depend on where and when the program ran.
var (
	goroutineLine = regexp.MustCompile(`^goroutine (\d+) (?:gp=\S+ m=\S+ (?:mp=\S+ )?)?\[([^],]*)(?:, \d+ minutes)?(.*)\]:`)
	createdBy     = regexp.MustCompile(`( in goroutine )\d+`)
	codeOffset    = regexp.MustCompile(` \+0x[0-9a-f]+$`)
	hexNumber     = regexp.MustCompile(`\b0x[0-9a-f]+\??`)
)

// stabilize replaces what differs between two runs of the same kernel in the
// text of printed output and errors.
func stabilize(cell *Cell, kernelDir string, places []place) {
	dir := regexp.MustCompile(regexp.QuoteMeta(kernelDir) + `/gonb_[0-9a-f]{8}\b`)
	program := regexp.MustCompile(`\bgonb_[0-9a-f]{8}\b`)
	stable := func(s string) string {
		s = program.ReplaceAllString(dir.ReplaceAllString(s, "$$GONB_TMP_DIR"), "gonb")
		return strings.ReplaceAll(s, kernelDir, "$TMPDIR")
	}
	for _, o := range cell.Outputs {
		o.Text = stable(o.Text)
		if o.Name == "stderr" {
			o.Text = stableStack(o.Text, places)
		}
		o.ErrValue = stable(o.ErrValue)
		for i, line := range o.Traceback {
			o.Traceback[i] = stable(line)
		}
	}
}

// stableStack replaces in the stack traces that stderr has what depends on the
// run. A stack trace goes up to a line that is none of its.
func stableStack(text string, places []place) string {
	if !strings.Contains(text, "goroutine ") {
		return text
	}
	var b strings.Builder
	inside := false
	for line := range strings.Lines(text) {
		body := strings.TrimRight(line, "\n")
		if stackLine.MatchString(body) {
			inside = true
		}
		// Between goroutines there are blank lines, and at the end GoNB's
		// message on how the program ended.
		if inside && programExit.MatchString(body) {
			inside = false
		}
		if inside {
			body = stableStackLine(body, places)
		}
		b.WriteString(body)
		b.WriteString(line[len(strings.TrimRight(line, "\n")):])
	}
	return b.String()
}

func stableStackLine(line string, places []place) string {
	if m := goroutineLine.FindStringSubmatch(line); m != nil {
		number := m[1]
		if number != "1" {
			number = "N" // others are numbered in the order that they happened to begin
		}
		return "goroutine " + number + " [" + m[2] + m[3] + "]:"
	}
	if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
		return line // the program's own words
	}
	line = createdBy.ReplaceAllStringFunc(line, func(s string) string {
		if strings.HasSuffix(s, " 1") {
			return s
		}
		return " in goroutine N"
	})
	line = codeOffset.ReplaceAllString(line, "")
	line = hexNumber.ReplaceAllString(line, "0x?")
	for _, p := range places {
		line = strings.ReplaceAll(line, p.dir, p.name)
	}
	return line
}
