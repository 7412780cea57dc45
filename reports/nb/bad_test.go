package nb

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestNeverEnds: a program that ignores the interrupt, and a shell command, are
// ended at the time limit with all that they started.
func TestNeverEnds(t *testing.T) {
	t.Parallel()
	for name, cell := range map[string]string{
		"program": `
import (
	"fmt"
	"os"
	"os/signal"
)

%%
signal.Ignore(syscall.SIGINT, syscall.SIGTERM)
fmt.Println("pid", os.Getpid())
for {
	time.Sleep(time.Hour)
}`,
		"shell": "!echo pid $$; trap '' INT; while :; do sleep 1000; done",
		"away":  "!setsid sh -c 'echo pid $$; exec sleep 1000' & sleep 1000",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// Long enough to build a program on a busy machine.
			_, n, err := executeCells(t, Options{CellTimeout: 10 * time.Second, grace: time.Second}, "!echo first", cell)
			cellError(t, err, 2, n.CodeCells()[1].ID)
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("error %v, want the time limit", err)
			}
			if got := brief(n.CodeCells()[0]); len(got) != 1 || got[0] != "stdout:first\n" {
				t.Errorf("the first cell has %q", got)
			}
			checkEnded(t, n.CodeCells()[1])
		})
	}
}

// checkEnded looks for the processes whose ids a cell printed.
func checkEnded(t *testing.T, c *Cell) {
	t.Helper()
	for _, text := range brief(c) {
		for line := range strings.Lines(strings.TrimPrefix(text, "stdout:")) {
			number, ok := strings.CutPrefix(strings.TrimSpace(line), "pid ")
			if !ok {
				continue
			}
			pid, err := strconv.Atoi(number)
			if err != nil {
				t.Fatal(err)
			}
			for end := time.Now().Add(5 * time.Second); running(pid); time.Sleep(10 * time.Millisecond) {
				if time.Now().After(end) {
					t.Fatalf("process %d is still running", pid)
				}
			}
		}
	}
}

// TestLeavesBehind: a daemon that a good cell started ends with the notebook.
func TestLeavesBehind(t *testing.T) {
	t.Parallel()
	_, n, err := executeCells(t, Options{}, "!setsid sh -c 'echo pid $$; exec sleep 1000 >/dev/null 2>&1' &\n!sleep 0.2")
	if err != nil {
		t.Fatal(err)
	}
	if got := brief(n.CodeCells()[0]); len(got) != 1 || !strings.HasPrefix(got[0], "stdout:pid ") {
		t.Fatalf("outputs %q", got)
	}
	checkEnded(t, n.CodeCells()[0])
}

// TestPrintsWithoutEnd: of 100 MB both ends are stored, memory stays bounded, and
// the rest of the notebook runs.
func TestPrintsWithoutEnd(t *testing.T) {
	const size = 100 << 20
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	peak := make(chan uint64)
	done := make(chan struct{})
	go func() {
		most := uint64(0)
		for {
			select {
			case <-done:
				peak <- most
				return
			case <-time.After(20 * time.Millisecond):
				runtime.ReadMemStats(&after)
				most = max(most, after.HeapInuse)
			}
		}
	}()
	_, n, err := executeCells(t, Options{}, fmt.Sprintf("!yes 'a line of a cell that prints too much' | head -c %d", size), "!echo goes on")
	close(done)
	if grown := int64(<-peak) - int64(before.HeapInuse); grown > size/2 {
		t.Errorf("the heap grew by %d MB", grown>>20)
	}
	if err != nil {
		t.Fatal(err)
	}
	text := n.CodeCells()[0].Outputs[0].Text
	if len(text) > printedHead+printedTail+200 {
		t.Errorf("%d bytes are stored", len(text))
	}
	if want := fmt.Sprintf("the cell printed %d to stdout]\n", size); !strings.Contains(text, want) {
		t.Errorf("no note %q", want)
	}
	if got := brief(n.CodeCells()[1]); len(got) != 1 || got[0] != "stdout:goes on\n" {
		t.Errorf("the next cell has %q", got)
	}
}

// TestKilled kills an execution, which cannot clean up any more: the next one
// does it. The test's own binary is the one that is killed.
func TestKilled(t *testing.T) {
	t.Parallel()
	path := writeCells(t, "!setsid sh -c 'echo pid $$ > pid; exec sleep 1000' & sleep 1000")
	temp := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=TestHelperExecute")
	cmd.Env = append(os.Environ(), "NB_TEST_EXECUTE="+path, "TMPDIR="+temp, "GOPROXY=off")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pidFile := filepath.Join(filepath.Dir(path), "pid")
	var pid []byte
	for end := time.Now().Add(2 * time.Minute); len(pid) == 0; time.Sleep(20 * time.Millisecond) {
		if pid, _ = os.ReadFile(pidFile); time.Now().After(end) {
			_ = cmd.Process.Kill()
			t.Fatal("the cell did not begin")
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_, _ = bufio.NewReader(out).ReadString(0)
	_ = cmd.Wait()
	dirs, _ := filepath.Glob(filepath.Join(temp, dirPrefix+"*"))
	if len(dirs) != 1 {
		t.Fatalf("the killed execution left %v, want one directory", dirs)
	}
	removeLeftovers(temp)
	if _, err := os.Stat(dirs[0]); err != nil {
		t.Fatalf("a directory that may be new is removed: %v", err)
	}
	old := time.Now().Add(-2 * freshAge)
	if err := os.Chtimes(dirs[0], old, old); err != nil {
		t.Fatal(err)
	}
	removeLeftovers(temp)
	if _, err := os.Stat(dirs[0]); !os.IsNotExist(err) {
		t.Errorf("the directory is still there: %v", err)
	}
	checkEnded(t, &Cell{Outputs: []*Output{{Type: Stream, Name: "stdout", Text: string(pid)}}})
}

// TestHelperExecute is the process that TestKilled kills.
func TestHelperExecute(t *testing.T) {
	path := os.Getenv("NB_TEST_EXECUTE")
	if path == "" {
		t.Skip("runs for TestKilled only")
	}
	_, err := Execute(context.Background(), path, Options{})
	t.Fatalf("the execution ended: %v", err)
}

// TestInUse: what another execution uses is not removed, however old.
func TestInUse(t *testing.T) {
	temp := t.TempDir()
	dir := filepath.Join(temp, dirPrefix+"used")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	lock, err := lockDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	old := time.Now().Add(-2 * freshAge)
	if err := os.Chtimes(dir, old, old); err != nil {
		t.Fatal(err)
	}
	removeLeftovers(temp)
	if _, err := os.Stat(dir); err != nil {
		t.Errorf("it is removed: %v", err)
	}
}

// TestKernelKilledBetweenCells: the kernel that a cell killed a moment after its
// end is noticed by the next cell.
func TestKernelKilledBetweenCells(t *testing.T) {
	t.Parallel()
	_, n, err := executeCells(t, Options{CellTimeout: time.Minute},
		"!echo first\n!(sleep 0.3; kill -9 $PPID) >/dev/null 2>&1 &", "!sleep 100")
	if !errors.Is(err, ErrKernelDied) {
		t.Errorf("error %v, want %v", err, ErrKernelDied)
	}
	if got := brief(n.CodeCells()[0]); len(got) == 0 || got[0] != "stdout:first\n" {
		t.Errorf("the first cell has %q", got)
	}
}
