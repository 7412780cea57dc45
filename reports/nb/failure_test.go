package nb

import (
	"strings"
	"testing"
)

func TestFailedCommand(t *testing.T) {
	const exists = "go: /tmp/gonb_0/go.work already exists\n"
	tests := []struct {
		name, source string
		stderr       []string
		want         string
	}{
		{"good", "!ls", nil, ""},
		{"fails", "!ls x", []string{"ls: no x\n", "exit status 2\n"}, "exit status 2"},
		{"killed", "!sleep 9", []string{"signal: killed\n"}, "signal: killed"},
		{"interrupted", "!sleep 9", []string{"^C\nsignal: interrupt\n"}, "signal: interrupt"},
		{"temp-dir", "!*go vet .", []string{"exit status 1\n"}, "exit status 1"},
		{"script", "%%bash\nexit 3", []string{"exit status 3\n"}, "exit status 3"},
		{"prefixed", "//gonb:!false", []string{"exit status 1\n"}, "exit status 1"},
		{"second", "!ls\n!false", []string{"exit status 1\n"}, "exit status 1"},
		{"program-only", "%%\nos.Stderr.WriteString(\"exit status 1\\n\")", []string{"exit status 1\n"}, ""},
		{"part-of-text", "!try", []string{"the child ended with exit status 1\n"}, ""},
		{"workspace-twice", "!*go work init .", []string{exists, "exit status 1\n"}, ""},
		{"workspace-then-fails", "!*go work init .\n!false", []string{exists, "exit status 1\n", "exit status 1\n"}, "exit status 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := failedCommand(&Cell{Source: tt.source}, tt.stderr); got != tt.want {
				t.Errorf("failedCommand = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestDescribeError(t *testing.T) {
	stderr := &Output{Type: Stream, Name: "stderr"}
	tests := []struct {
		name, stderr, value string
		traceback           []string
		what, text          string
	}{
		{
			name:      "compile",
			value:     "# gonb_01234567\n./main.go:9:2: undefined: a\n./main.go:30:1: b\n\tmore\n",
			traceback: []string{"# gonb_01234567", "Cell[4]: Line 2\ncode\n\x1b[31mundefined: a\x1b[0m", "b", "\tmore", ""},
			what:      "does not compile",
			text:      "line 2: undefined: a\n./main.go:30:1: b\n\tmore",
		},
		{
			name:   "panic",
			stderr: "a warning\npanic: boom\n\ngoroutine 1 [running]:\n\t \x1b[7m[[ Cell [2] Line 3 ]]\x1b[0m main.go:4\nexit status 2\n",
			value:  "exit status 2",
			what:   "the program ended with exit status 2",
			text:   "panic: boom\n\ngoroutine 1 [running]:\n\t [[ Cell [2] Line 3 ]] main.go:4",
		},
		{
			name:   "exit",
			stderr: "no such study\nexit status 3\n",
			value:  "exit status 3",
			what:   "the program ended with exit status 3",
			text:   "no such study",
		},
		{
			name:   "long-end",
			stderr: strings.Repeat("line\n", 50) + "last\n",
			value:  "signal: segmentation fault (core dumped)",
			what:   "the program ended with signal: segmentation fault (core dumped)",
			text:   strings.Repeat("line\n", 19) + "last",
		},
		{name: "other", value: "%exec requires the name\n", what: "cannot be run", text: "%exec requires the name"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			stderr.Text = tt.stderr
			cell := &Cell{Outputs: []*Output{stderr, {Type: ErrorOutput, Traceback: tt.traceback}}}
			what, text := describeError(cell, tt.value)
			if what != tt.what || text != tt.text {
				t.Errorf("describeError = %q, %q; want %q, %q", what, text, tt.what, tt.text)
			}
		})
	}
}
