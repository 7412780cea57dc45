package study

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

// For a night of it: go test ./schedsim/study -run Kill -kills 100000 -timeout 0
var (
	kills    = flag.Int("kills", 100, "how often TestKill kills a sweep")
	killSeed = flag.Uint64("killseed", 1, "seed of the moments at which it does")
)

// The variables with which the tests start this binary once more, as a sweep.
const (
	childStore    = "SCHEDLAB_TEST_SWEEP"
	childFileSize = "SCHEDLAB_TEST_FILESIZE"
	childHurry    = "SCHEDLAB_TEST_HURRY" // runs take no time, so that packs are written
)

// A cheapRunner takes hardly any time for a result of the usual size, which is a
// function of the key.
type cheapRunner struct{ fake fakeRunner }

func (c *cheapRunner) Run(ctx context.Context, j Job) (schedsim.Result, error) {
	r, err := c.fake.Run(ctx, j)
	rng := rand.New(rand.NewPCG(j.Seed, uint64(len(j.Arm))))
	for i := range 40 {
		r.Metrics = append(r.Metrics, schedsim.Metric{Name: fmt.Sprintf("metric-%d/s", i), Unit: "1/s", Value: rng.ExpFloat64()})
	}
	if os.Getenv(childHurry) != "" {
		return r, err
	}
	time.Sleep(time.Duration(rng.IntN(400)) * time.Microsecond)
	return r, err
}

// cheapSweep runs a plan of cheapRuns runs into a store.
func cheapSweep(t *testing.T, dir string, progress func(Progress)) error {
	store, err := Open(dir)
	if err != nil {
		return err
	}
	s := withEnsemble(t, 4)
	runner := &cheapRunner{fakeRunner{study: s, effect: noEffect}}
	return Run(t.Context(), s, testPlan(5, 4), runner, store, Options{Identity: testIdentity, Jobs: 4, Progress: progress})
}

const cheapRuns = 10 * 3 * 5 * 4

// TestSweepChild is the sweep that other tests start as a process. It prints a line
// for each run.
func TestSweepChild(t *testing.T) {
	dir := os.Getenv(childStore)
	if dir == "" {
		t.Skip("the other tests start it")
	}
	if text := os.Getenv(childFileSize); text != "" {
		var size uint64
		fmt.Sscan(text, &size)
		signal.Ignore(syscall.SIGXFSZ) // as the command does: a write then returns EFBIG
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: size, Max: size}); err != nil {
			t.Fatal(err)
		}
	}
	err := cheapSweep(t, dir, func(p Progress) { fmt.Fprintf(os.Stderr, "run %d new=%v\n", p.Done, !p.FromStore) })
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
	fmt.Fprintln(os.Stderr, "done")
}

// startSweep starts a sweep as a process; its lines come on the channel, which is
// closed when the process has ended.
func startSweep(t *testing.T, dir string, env ...string) (*exec.Cmd, <-chan string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestSweepChild$")
	cmd.Env = append(append(os.Environ(), childStore+"="+dir), env...)
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := make(chan string, 2*cheapRuns)
	go func() {
		defer close(lines)
		for scan := bufio.NewScanner(pipe); scan.Scan(); {
			lines <- scan.Text()
		}
	}()
	return cmd, lines
}

// undisturbed is the store of a sweep that nothing happened to.
func undisturbed(t *testing.T) map[string]string {
	t.Helper()
	undisturbedOnce.Do(func() {
		dir := filepath.Join(t.TempDir(), "undisturbed")
		if err := cheapSweep(t, dir, nil); err != nil {
			t.Fatal(err)
		}
		undisturbedTree = readTree(t, dir)
	})
	if len(undisturbedTree) != cheapRuns {
		t.Fatalf("%d files, want %d", len(undisturbedTree), cheapRuns)
	}
	return undisturbedTree
}

var (
	undisturbedOnce sync.Once
	undisturbedTree map[string]string
)

// readTree reads the runs of a store by their hashes, whether they are in files of their
// own or in packs, and any other file by its name.
func readTree(t *testing.T, dir string) map[string]string {
	t.Helper()
	tree := make(map[string]string)
	add := func(name, text string) {
		if old, ok := tree[name]; ok && old != text {
			t.Errorf("%s is there twice, and not the same", name)
		}
		tree[name] = text
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		switch hash := strings.TrimSuffix(d.Name(), runSuffix); {
		case filepath.Dir(name) == packsDir && isPack(d.Name()):
			eachLine(data, func(_ int, line []byte) {
				key, _, err := openRecord(line)
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
				add(hashOf(key), string(line))
			})
		case name == filepath.Join(hash[:2], hash+runSuffix):
			add(hash, string(data))
		default:
			add(name, string(data))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// sameTree says in which files two stores differ.
func sameTree(t *testing.T, what string, want, got map[string]string) {
	t.Helper()
	for name, text := range want {
		if other, ok := got[name]; !ok {
			t.Errorf("%s: run %s is lost", what, name)
		} else if other != text {
			t.Errorf("%s: run %s differs", what, name)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: %s is too much", what, name)
		}
	}
}

// sound fails the test if any file of a store is damaged, and counts the runs and the
// temporary files.
func sound(t *testing.T, dir string) (runs, temp int) {
	t.Helper()
	s, err := OpenReadOnly(dir)
	if errors.Is(err, ErrNoStore) {
		return 0, 0
	}
	if err != nil {
		t.Fatal(err)
	}
	err = s.Inspect(testIdentity.ModelVersion, func(f File) error {
		switch {
		case f.Kind == TempFile:
			temp++
		case f.Kind != RunFile || f.Problem != "":
			t.Errorf("%s: %s %s", f.Path, f.Kind, f.Problem)
		default:
			runs++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return runs, temp
}

// collect removes what killed writers left and returns how much that was.
func collect(t *testing.T, dir string) int {
	t.Helper()
	g := Garbage{ModelVersion: testIdentity.ModelVersion}
	n := 0
	err := mustOpen(t, dir).Collect(&g, func(why string) bool { return why == ReasonTemp }, true, func(_ File, why string) error {
		if why != "" {
			n++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestKill kills a sweep at random moments, resumes it, and kills it again. What is
// there is whole at any time, no run is ever lost, and in the end it is the store of
// an undisturbed sweep to the byte.
func TestKill(t *testing.T) {
	want := undisturbed(t)
	rng := rand.New(rand.NewPCG(*killSeed, 0))
	killed, finished, stray, packs := 0, 0, 0, 0
	for round := 0; killed < *kills; round++ {
		dir := filepath.Join(t.TempDir(), "store")
		had := 0
		for done := false; !done && killed < *kills; {
			done = killOnce(t, rng, dir)
			if done {
				finished++
			} else {
				killed++
			}
			runs := had
			if killed%10 == 0 {
				runs, _ = sound(t, dir)
			} else if s, err := OpenReadOnly(dir); err == nil {
				hashes, err := s.Hashes()
				if err != nil {
					t.Fatal(err)
				}
				runs = len(hashes)
			}
			if runs < had {
				t.Fatalf("after kill %d: %d runs, before there were %d", killed, runs, had)
			}
			had = runs
		}
		if err := cheapSweep(t, dir, nil); err != nil {
			t.Fatal(err)
		}
		stray += collect(t, dir)
		files, _ := filepath.Glob(filepath.Join(dir, packsDir, "*"))
		packs += len(files)
		sameTree(t, fmt.Sprintf("round %d, seed %d", round, *killSeed), want, readTree(t, dir))
		if t.Failed() {
			return
		}
	}
	t.Logf("%d kills, %d sweeps that came to an end before theirs, %d files that were being written at a kill, %d packs", killed, finished, stray, packs)
	if *kills >= 100 && stray == 0 {
		t.Error("no kill hit a write: this test shows nothing")
	}
}

// killOnce starts a sweep and kills it some moment after one of its first runs, or
// before any. It reports whether the sweep was done before that.
func killOnce(t *testing.T, rng *rand.Rand, dir string) (done bool) {
	t.Helper()
	var env []string
	after := rng.IntN(12) // new runs; 0 is at a moment from the start of the process
	if rng.IntN(4) == 0 {
		env = []string{childHurry + "=1"}
		after = rng.IntN(cheapRuns / 3)
	}
	cmd, lines := startSweep(t, dir, env...)
	wait := time.Duration(rng.IntN(3000)) * time.Microsecond
	if after == 0 {
		wait *= 20
	}
	for after > 0 {
		line, ok := <-lines
		if !ok {
			break
		}
		if strings.HasSuffix(line, "new=true") {
			after--
		}
	}
	time.Sleep(wait)
	cmd.Process.Kill()
	for line := range lines {
		if strings.HasPrefix(line, "error:") {
			t.Error(line)
		}
	}
	err := cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL {
		return false
	}
	if err != nil {
		t.Errorf("the sweep ended with %v", err)
	}
	return true
}

// TestTwoSweeps has two processes fill one store at once, and kills one of them on
// the way in the second round.
func TestTwoSweeps(t *testing.T) {
	want := undisturbed(t)
	for round := range 2 {
		dir := filepath.Join(t.TempDir(), "store")
		one, lines1 := startSweep(t, dir)
		two, lines2 := startSweep(t, dir, childHurry+"=1")
		if round == 1 {
			for range 50 {
				<-lines2
			}
			two.Process.Kill()
		}
		for i, lines := range []<-chan string{lines1, lines2} {
			for line := range lines {
				if strings.HasPrefix(line, "error:") {
					t.Errorf("sweep %d: %s", i+1, line)
				}
			}
		}
		if err := one.Wait(); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
		two.Wait()
		collect(t, dir)
		sameTree(t, fmt.Sprintf("round %d", round), want, readTree(t, dir))
	}
}

// TestFileSizeLimit has every write fail that is larger than the limit, as on a disk
// that is full.
func TestFileSizeLimit(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	cmd, lines := startSweep(t, dir, childFileSize+"=2000")
	all := slices.Collect(func(yield func(string) bool) {
		for line := range lines {
			yield(line)
		}
	})
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("ended with %v", err)
	}
	if text := strings.Join(all, "\n"); !strings.Contains(text, "error: study: store "+dir+": file too large; make it writable and free some space") {
		t.Errorf("it said\n%s", text)
	}
	if left := readTree(t, dir); len(left) != 0 {
		t.Errorf("%d files are left of runs that were not stored", len(left))
	}
	if err := cheapSweep(t, dir, nil); err != nil {
		t.Fatal(err)
	}
	sameTree(t, "without the limit", undisturbed(t), readTree(t, dir))
}
