package scenario

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Expected is the list of what is known to pass, and of what misses and why. What
// passes today cannot fail tomorrow without notice, nor what misses be put right.
type Expected struct {
	keys []string
	of   map[string]expectation
}

type expectation struct {
	verdict Verdict
	reason  string
}

// unexplained is the reason of a miss that nobody has looked at.
const unexplained = "?"

// ReadExpected reads a list: on each line kernel, machine, scenario, quantity,
// verdict, and what is wrong for those that do not pass.
func ReadExpected(r io.Reader, file string) (*Expected, error) {
	e := &Expected{of: map[string]expectation{}}
	in := bufio.NewScanner(r)
	for line := 1; in.Scan(); line++ {
		text := strings.TrimSpace(in.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		f := strings.Fields(text)
		if len(f) < 5 {
			return nil, fmt.Errorf("%s:%d: %d words, write KERNEL MACHINE SCENARIO QUANTITY VERDICT [REASON]", file, line, len(f))
		}
		key, x := strings.Join(f[:4], " "), expectation{Verdict(f[4]), strings.Join(f[5:], " ")}
		switch {
		case x.verdict != Pass && x.verdict != Miss && x.verdict != Pending:
			return nil, fmt.Errorf("%s:%d: unknown verdict %q, known are pass, miss and pending", file, line, f[4])
		case x.verdict != Pass && x.reason == "":
			return nil, fmt.Errorf("%s:%d: a %s without a reason, say what is wrong", file, line, x.verdict)
		}
		if _, ok := e.of[key]; ok {
			return nil, fmt.Errorf("%s:%d: %s is there already", file, line, key)
		}
		e.keys = append(e.keys, key)
		e.of[key] = x
	}
	return e, in.Err()
}

// Reason returns why a line does not pass, or "".
func (e *Expected) Reason(l *Line) string {
	if l.Verdict == Pending {
		return "needs " + strings.Join(l.Needs, ", ")
	}
	return e.of[l.Key()].reason
}

// Check returns what differs from the list, a message each.
func (e *Expected) Check(lines []Line) []string {
	var bad []string
	seen := map[string]bool{}
	for i := range lines {
		l := &lines[i]
		seen[l.Key()] = true
		want, ok := e.of[l.Key()]
		switch {
		case !ok:
			bad = append(bad, fmt.Sprintf("%s: %s, and is not in the list", l.Key(), l))
		case want.verdict != l.Verdict:
			bad = append(bad, fmt.Sprintf("%s: %s, the list says %s", l.Key(), l, want.verdict))
		case want.verdict == Miss && want.reason == unexplained:
			bad = append(bad, fmt.Sprintf("%s: %s: say in the list why", l.Key(), l))
		}
	}
	for _, key := range e.keys {
		if !seen[key] {
			bad = append(bad, key+": is in the list and was not compared")
		}
	}
	return bad
}

// String shows the comparison.
func (l *Line) String() string {
	if l.Verdict == Pending {
		return "pending, needs " + strings.Join(l.Needs, ", ")
	}
	return fmt.Sprintf("%s, model %.4g, real kernels %.4g to %.4g", l.Verdict, l.Model, l.Lo, l.Hi)
}

// WriteExpected writes the list that says what lines say, with the reasons of old
// where there are.
func WriteExpected(w io.Writer, lines []Line, old *Expected) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, `# What the model does beside real kernels: KERNEL MACHINE SCENARIO QUANTITY VERDICT [REASON].
# Made by "go test -run Oracle ./schedsim -update", which keeps the reasons; a new miss gets
# the reason "?", with which the test fails until somebody has said why.`)
	for i := range lines {
		l := &lines[i]
		fmt.Fprintf(out, "%s %s", l.Key(), l.Verdict)
		if l.Verdict != Pass {
			reason := old.Reason(l)
			if reason == "" {
				reason = unexplained
			}
			fmt.Fprintf(out, " %s", reason)
		}
		fmt.Fprintln(out)
	}
	return out.Flush()
}
