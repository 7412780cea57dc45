package nb

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestRunningLine(t *testing.T) {
	if got, want := runningLine("cell 3/9", 12*time.Second, "x\x1b[2J y", 79), "cell 3/9 12s  x[2J y"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := runningLine("cell 3/9", 0, strings.Repeat("€", 100), 79); len([]rune(got)) != 79 || !strings.HasSuffix(got, "€...") {
		t.Errorf("%q", got)
	}
}

// TestRunning: on a terminal the line of the running cell comes, with what the
// cell's own line of progress says, and goes.
func TestRunning(t *testing.T) {
	t.Parallel()
	var progress bytes.Buffer
	_, _, err := executeCells(t, Options{Progress: &progress, Terminal: 80}, setUp, `
import (
	"time"

	"github.com/schedlab/schedlab/reports/nb"
)

%%
l := nb.NewLive("work", "runs")
for i := range 5 {
	time.Sleep(500 * time.Millisecond)
	l.Step(i+1, 5, false)
}
if err := l.End(); err != nil {
	panic(err)
}`)
	if err != nil {
		t.Fatal(err)
	}
	text := progress.String()
	for _, want := range []string{"\r\x1b[K", "work: ", " of 5 runs done"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %q", want, text)
		}
	}
	if i := strings.LastIndex(text, "\r\x1b[K"); i < 0 || !strings.Contains(text[i:], "cell 2/2") || strings.Contains(text[i:], "work: ") {
		t.Errorf("the line is not taken away: %q", text)
	}
}
