// Package slurm tests the job scripts of this directory on a Slurm of one node that
// it starts itself.
package slurm

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim/study"
)

const parts = 8

// buildCommand builds mkreport, without its profile as the packages are built for
// tests, and returns its path.
func buildCommand(t *testing.T) string {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "mkreport")
	out, err := exec.Command("go", "build", "-pgo=off", "-o", exe, "github.com/schedlab/schedlab/cmd/mkreport").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return exe
}

// files reads a directory, subdirectories included, but for what a process that was
// killed was about to write: hidden files, which no reader of a store looks at.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".") {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		all[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func same(t *testing.T, what string, want, got map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if _, ok := got[name]; !ok {
			t.Errorf("%s: no %s", what, name)
		} else if want[name] != got[name] {
			t.Errorf("%s: %s differs", what, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: %s is one too many", what, name)
		}
	}
}

var hashOf = regexp.MustCompile(`[0-9a-f]{64}`)

// runsOf counts the runs of a part in the listing of a store.
func runsOf(part int, names []string) int {
	n := 0
	for _, name := range names {
		if h := hashOf.FindString(filepath.Base(name)); h != "" && (study.Shard{I: part, N: parts}).Holds(h) {
			n++
		}
	}
	return n
}

// stored lists the files of a store that is being filled.
func stored(dir string) []string {
	var names []string
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasPrefix(d.Name(), ".") {
			names = append(names, path)
		}
		return nil
	})
	return names
}

// processOf finds the process of a part of a sweep into a store, or 0.
func processOf(part int, store string) int {
	dirs, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range dirs {
		line, _ := os.ReadFile(name)
		args := strings.Split(string(bytes.TrimRight(line, "\x00")), "\x00")
		if filepath.Base(args[0]) == "mkreport" && slices.Contains(args, fmt.Sprintf("%d/%d", part, parts)) && slices.Contains(args, store) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			return pid
		}
	}
	return 0
}

// parentOf is the process that started another.
func parentOf(pid int) int {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	m := regexp.MustCompile(`(?m)^PPid:\s*(\d+)$`).FindSubmatch(status)
	if m == nil {
		return 0
	}
	parent, _ := strconv.Atoi(string(m[1]))
	return parent
}

// TestSlurm submits sweeps by submit.sh.
func TestSlurm(t *testing.T) {
	if testing.Short() {
		t.Skip("takes about a minute")
	}
	c := startCluster(t)
	exe := buildCommand(t)
	c.env = append(c.env, "MKREPORT="+exe)
	// What the test reads itself, a change of it makes the test run again.
	for name, to := range map[string]string{"testdata/sweep.yaml": "sweep.yaml", "submit.sh": "submit.sh", "shard.sbatch": "shard.sbatch", "render.sbatch": "render.sbatch"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		c.write(to, string(text), 0o755)
	}
	s := sweep{c, exe, filepath.Join(c.dir, "sweep.yaml")}
	t.Run("killed", s.as(sweep.killed))
	t.Run("cancelled", s.as(sweep.cancelled))
	t.Run("wrong", s.as(sweep.wrong))
}

type sweep struct {
	*cluster
	exe   string
	study string
}

// as makes a subtest of f, which a failed command of the cluster then ends.
func (s sweep) as(f func(sweep, *testing.T)) func(*testing.T) {
	return func(t *testing.T) {
		c := *s.cluster
		c.t = t
		f(sweep{&c, s.exe, s.study}, t)
	}
}

// submit submits the sweep and returns the numbers of the two jobs.
func (s sweep) submit(t *testing.T, args ...string) (array, render string) {
	t.Helper()
	printed := s.must(filepath.Join(s.dir, "submit.sh"), args...)
	ids := regexp.MustCompile(`\d+`).FindAllString(printed, -1)
	if len(ids) != 2 {
		t.Fatalf("submit.sh says %q", printed)
	}
	return ids[0], ids[1]
}

// states are those of a job, or of the tasks of an array.
func (s sweep) states(job string) []string {
	var out []string
	for _, m := range regexp.MustCompile(`JobState=(\S+)`).FindAllStringSubmatch(s.must("scontrol", "show", "job", job), -1) {
		out = append(out, m[1])
	}
	return out
}

// done reports whether the job that renders has done so.
func (s sweep) done(t *testing.T, render string) bool {
	t.Helper()
	state := s.states(render)[0]
	if state == "FAILED" {
		t.Fatalf("no reports:\n%s", s.log("mkreport-render-"+render+".log"))
	}
	return state == "COMPLETED"
}

func (s sweep) log(name string) string {
	text, _ := os.ReadFile(filepath.Join(s.dir, name))
	return string(text)
}

// killed kills a task, requeues another and lets a third come to its time limit, each
// midway, and compares store and reports with those of one process, byte for byte.
func (s sweep) killed(t *testing.T) {
	local, store := filepath.Join(t.TempDir(), "local"), filepath.Join(t.TempDir(), "store")
	out, localOut := filepath.Join(t.TempDir(), "out"), filepath.Join(t.TempDir(), "local-out")
	s.must(s.exe, "run", s.study, "--quick", "--store", local, "-o", localOut)
	want := files(t, local)
	all := slices.Collect(maps.Keys(want))
	// The largest parts, so that there is time to kill them midway.
	victims := []int{1, 2, 3, 4, 5, 6, 7, 8}
	slices.SortFunc(victims, func(a, b int) int { return runsOf(b, all) - runsOf(a, all) })
	victims = victims[:3]

	array, render := s.submit(t, strconv.Itoa(parts), store, out, s.study, "--quick")
	killed := make(map[int]bool)
	s.wait("three tasks to kill", time.Minute, func() bool {
		for i, part := range victims {
			pid := processOf(part, store)
			if killed[part] || pid == 0 || runsOf(part, stored(store)) < 2 {
				continue
			}
			task := fmt.Sprintf("%s_%d", array, part)
			switch i {
			case 0:
				if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
					t.Fatal(err)
				}
			case 1:
				s.must("scontrol", "requeue", task)
			case 2: // what Slurm sends the script, see --signal in shard.sbatch
				parent := parentOf(pid)
				if parent <= 1 {
					t.Fatalf("the script of process %d is not there", pid)
				}
				if err := syscall.Kill(parent, syscall.SIGUSR1); err != nil {
					t.Fatal(err)
				}
			}
			killed[part] = true
			if runsOf(part, stored(store)) >= runsOf(part, all) {
				t.Fatalf("part %d was complete when it was killed; make its runs longer", part)
			}
		}
		return len(killed) == len(victims)
	})
	s.wait("the reports", 2*time.Minute, func() bool { return s.done(t, render) })
	same(t, "store", want, files(t, store))
	same(t, "reports", files(t, localOut), files(t, out))
	for part := 1; part <= parts; part++ {
		log := s.log(fmt.Sprintf("mkreport-%s_%d.log", array, part))
		if again := strings.Contains(log, "attempt 2"); again != killed[part] {
			t.Errorf("part %d: a second attempt is %v, killed is %v:\n%s", part, again, killed[part], log)
		}
	}
}

// cancelled cancels an array: no task comes back, the job after it names the parts
// that are missing and writes nothing, and these alone complete it.
func (s sweep) cancelled(t *testing.T) {
	store, out := filepath.Join(t.TempDir(), "store"), filepath.Join(t.TempDir(), "out")
	args := []string{strconv.Itoa(parts), store, out, s.study, "--quick", "-n", "3"}
	array, render := s.submit(t, args...)
	s.wait("a run", time.Minute, func() bool { return len(stored(store)) > 0 && processOf(1, store) != 0 })
	s.must("scancel", array)
	s.wait("the job after the array", time.Minute, func() bool { return s.states(render)[0] == "FAILED" })
	if log := s.log("mkreport-" + array + "_1.log"); !strings.Contains(log, "CANCELLED") || strings.Contains(log, "requeued") || strings.Contains(log, "attempt 2") {
		t.Errorf("the log of a cancelled task:\n%s", log)
	}
	if states := s.states(array); slices.Contains(states, "PENDING") || slices.Contains(states, "RUNNING") {
		t.Errorf("cancelled tasks are %v", states)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a report of a part of the runs is written")
	}
	log := s.log("mkreport-render-" + render + ".log")
	m := regexp.MustCompile(`: parts ([0-9,]+) of 8 lack \d+ of the 36 runs of the quick plan in `).FindStringSubmatch(log)
	if m == nil {
		t.Fatalf("the log does not name the parts:\n%s", log)
	}
	array, render = s.submit(t, append([]string{"-c", "2", "-a", m[1]}, args...)...)
	s.wait("the reports", time.Minute, func() bool { return s.done(t, render) })
	if n, tasks := strings.Count(m[1], ",")+1, len(s.states(array)); tasks != n {
		t.Errorf("%d tasks for parts %s", tasks, m[1])
	}
	if files(t, out)["sweep.txt"] == "" {
		t.Error("no report")
	}
}

// wrong: a command line that cannot work is not tried again.
func (s sweep) wrong(t *testing.T) {
	store, out := filepath.Join(t.TempDir(), "store"), filepath.Join(t.TempDir(), "out")
	array, render := s.submit(t, "2", store, out, s.study, "--quik")
	s.wait("the job after the array", time.Minute, func() bool { return s.states(render)[0] == "FAILED" })
	if got := s.states(array); !slices.Equal(got, []string{"FAILED", "FAILED"}) {
		t.Errorf("tasks are %v", got)
	}
	if log := s.log("mkreport-" + array + "_1.log"); !strings.Contains(log, "unknown flag") || strings.Contains(log, "requeued") {
		t.Errorf("the log of a task:\n%s", log)
	}
	for _, line := range []string{"", "8", "8 s o", "x s o study", "0 s o study", "-z 8 s o study"} {
		text, err := s.command(filepath.Join(s.dir, "submit.sh"), strings.Fields(line)...).CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.Contains(string(text), "submit.sh [-a PARTS] [-c CPUS] N STORE") {
			t.Errorf("submit.sh %s: %v\n%s", line, err, text)
		}
	}
}
