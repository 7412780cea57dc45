package main

import (
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// commandLine is the variable with which this binary is started once more, as the
// command.
const commandLine = "SCHEDLAB_TEST_COMMAND"

func TestCommandChild(t *testing.T) {
	args, ok := os.LookupEnv(commandLine)
	if !ok {
		t.Skip("the other tests start it")
	}
	os.Args = append(os.Args[:1], strings.Split(args, "\n")...)
	main()
}

// testKilled kills the command at random moments of the study's sweep, and compares
// what comes out in the end with the store and the reports of one that was not. The
// study package kills a cheaper sweep far more often.
func testKilled(t *testing.T, runs, reports map[string]string) {
	const kills = 8
	p := newPlace(t)
	rng := rand.New(rand.NewPCG(1, 0))
	stored := func() int {
		files, _ := filepath.Glob(filepath.Join(p.store, "??", "*.json"))
		return len(files)
	}
	for range kills {
		cmd := exec.Command(os.Args[0], "-test.run=^TestCommandChild$")
		cmd.Env = append(os.Environ(), commandLine+"="+strings.Join(p.args("run"), "\n"))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		enough := stored() + 1 + rng.IntN(max(len(runs)/(2*kills), 1))
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		for stored() < enough {
			time.Sleep(time.Millisecond)
			select {
			case err := <-ended:
				t.Fatalf("the command ended by itself: %v, %d runs stored", err, stored())
			default:
			}
		}
		cmd.Process.Kill()
		var exit *exec.ExitError
		if err := <-ended; !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			t.Fatalf("ended with %v", err)
		}
	}
	if _, err := os.Stat(p.out); err == nil && len(files(t, p.out)) > 0 {
		t.Error("a report was written before the sweep was done")
	}
	want(t, exitDone, p.args("run")...)
	stdout, _ := want(t, exitDone, "store", "gc", "--delete", "--older", "0s", "--only", "temp", "--store", p.store)
	t.Logf("after %d kills: %s", kills, strings.TrimSpace(stdout))
	sameFiles(t, "store after kills", runs, files(t, p.store))
	sameFiles(t, "reports after kills", reports, files(t, p.out))
}
