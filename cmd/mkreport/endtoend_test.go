package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim/study"
	"github.com/schedlab/schedlab/topology"
)

// The tests simulate every row, arm and run of this study, but no more of each
// than it takes for most clients to get going: some thousandths of a plan.
const tested = "gorman2020-idle-candidate"

const tinyPlan = "-n 2 --sets 1 --age 0s --warmup 102ms --measure 2ms"

// testedRuns is the size of that plan: rows, arms and runs.
func testedRuns(t *testing.T) int {
	t.Helper()
	s, err := study.Load(tested)
	if err != nil {
		t.Fatal(err)
	}
	ablations := 0 // of both arms, on their rows
	for _, a := range s.Ablations {
		ablations += 2 * len(a.Rows) * 2
	}
	return len(s.Tables[0].Rows)*3*2 + ablations
}

// place is a directory for reports and one for their store.
type place struct{ out, store string }

func newPlace(t *testing.T) place {
	dir := t.TempDir()
	return place{filepath.Join(dir, "out"), filepath.Join(dir, "store")}
}

// args completes a command line with the study, a tiny plan and the place. Its own flags
// come later and win.
func (p place) args(command string, words ...string) []string {
	all := append([]string{command, tested, "--store", p.store}, strings.Fields(tinyPlan)...)
	if command != "ledger" {
		all = append(all, "-o", p.out)
	}
	return append(all, words...)
}

// files reads a directory, subdirectories included.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
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

// sameFiles fails the test if two directories differ.
func sameFiles(t *testing.T, what string, want, got map[string]string) {
	t.Helper()
	names := slices.Sorted(maps.Keys(want))
	if now := slices.Sorted(maps.Keys(got)); !slices.Equal(names, now) {
		t.Errorf("%s: files %q, want %q", what, now, names)
		return
	}
	for _, name := range names {
		if want[name] != got[name] {
			t.Errorf("%s: %s differs", what, name)
		}
	}
}

// TestEndToEnd runs the study once, and compares whatever else makes a report of
// it, down to the byte.
func TestEndToEnd(t *testing.T) {
	total := testedRuns(t)
	ref := newPlace(t)
	ledger, stderr := want(t, exitDone, ref.args("run")...)
	if all := fmt.Sprintf("%d of %d runs are in %s, %d of them new", total, total, ref.store, total); !strings.Contains(stderr, all) {
		t.Fatalf("no %q in %s", all, stderr)
	}
	reports, runs := files(t, ref.out), files(t, ref.store)

	t.Run("ledger", func(t *testing.T) {
		for _, name := range []string{"index.html", tested + ".html", tested + ".md", tested + ".txt"} {
			if !strings.Contains(ledger, "\n  "+filepath.Join(ref.out, name)+"\n") {
				t.Errorf("%s is not named among the files to open", name)
			}
			if reports[name] == "" {
				t.Errorf("%s is not written", name)
			}
		}
		stdout, stderr := want(t, exitDone, ref.args("ledger")...)
		if !strings.HasPrefix(ledger, stdout) || stdout == "" || stderr != "" {
			t.Errorf("ledger prints\n%s%sand run\n%s", stdout, stderr, ledger)
		}
	})
	t.Run("ledger as JSON", func(t *testing.T) {
		stdout, _ := want(t, exitDone, ref.args("ledger", "--json")...)
		var cells []study.LedgerCell
		if err := json.Unmarshal([]byte(stdout), &cells); err != nil {
			t.Fatal(err)
		}
		simulated := 0
		for _, c := range cells {
			if c.Study != tested || c.Verdict == "" || c.Reason == "" {
				t.Errorf("cell %+v", c)
			}
			if c.Simulated.Pct.Measured() {
				simulated++
			}
		}
		if simulated < 5 {
			t.Errorf("%d of %d cells have a simulated effect", simulated, len(cells))
		}
	})
	t.Run("report", func(t *testing.T) {
		post := reports[tested+".txt"]
		for _, text := range []string{
			"csl-2s-80: 2 sockets, 40 cores, 80 CPUs, 2 nodes",
			"mkreport run " + tested + " --quick --seed 1 " + tinyPlan + "\n",
			"[*] simulated on a model of csl-2s-80, not measured\n",
		} {
			if !strings.Contains(post, text) {
				t.Errorf("the post does not say %q", text)
			}
		}
		for name, text := range reports {
			if strings.Contains(text, ref.out) || strings.Contains(text, ref.store) {
				t.Errorf("%s names a path of this machine", name)
			}
		}
		for _, plot := range []string{"effect", "runs", "scaling"} {
			if !strings.HasPrefix(reports[tested+"-"+plot+".svg"], "<") || !strings.Contains(reports[tested+".md"], tested+"-"+plot+".svg") {
				t.Errorf("plot %s is not there", plot)
			}
		}
		if !strings.Contains(reports["index.html"], tested+".html") {
			t.Error("the index does not link to the report")
		}
	})
	t.Run("render", func(t *testing.T) {
		p := place{filepath.Join(t.TempDir(), "out"), ref.store}
		stdout, stderr := want(t, exitDone, p.args("render")...)
		sameFiles(t, "render", reports, files(t, p.out))
		if n := strings.Count(stdout, "\n"); n != len(reports) || stderr != "" {
			t.Errorf("%d files named of %d; stderr %s", n, len(reports), stderr)
		}
		sameFiles(t, "the store", runs, files(t, ref.store))
	})
	t.Run("render one format", func(t *testing.T) {
		p := place{filepath.Join(t.TempDir(), "out"), ref.store}
		want(t, exitDone, p.args("render", "--format", "post")...)
		sameFiles(t, "render", map[string]string{tested + ".txt": reports[tested+".txt"]}, files(t, p.out))
	})
	t.Run("run again", func(t *testing.T) {
		_, stderr := want(t, exitDone, ref.args("run", tested)...)
		if !strings.Contains(stderr, ", 0 of them new") {
			t.Errorf("runs were simulated again: %s", stderr)
		}
		sameFiles(t, "run", reports, files(t, ref.out))
	})
	t.Run("any number of CPUs", func(t *testing.T) {
		for _, cpus := range []int{1, 8} {
			p := newPlace(t)
			before := runtime.GOMAXPROCS(cpus)
			want(t, exitDone, p.args("run")...)
			runtime.GOMAXPROCS(before)
			name := fmt.Sprintf("GOMAXPROCS=%d", cpus)
			sameFiles(t, name, reports, files(t, p.out))
			// The stored runs hold the hash of every scheduling decision.
			sameFiles(t, name+" store", runs, files(t, p.store))
		}
	})
	t.Run("another seed", func(t *testing.T) {
		p := newPlace(t)
		want(t, exitDone, p.args("run", "--seed", "2", "-n", "1")...)
		if files(t, p.out)[tested+".txt"] == reports[tested+".txt"] {
			t.Error("the seed changes nothing")
		}
	})
	t.Run("full plan", func(t *testing.T) {
		p := newPlace(t)
		times := []string{"--store", p.store, "-o", p.out, "-n", "1", "--age", "0s", "--warmup", "102ms", "--measure", "2ms"}
		want(t, exitDone, append([]string{"run", tested, "--full"}, times...)...)
		full := files(t, p.out)
		want(t, exitDone, append([]string{"render", tested}, times...)...)
		sameFiles(t, "without a mode", full, files(t, p.out))
		want(t, exitDone, append([]string{"render", tested, "--quick"}, times...)...)
		if quick := files(t, p.out)[tested+".txt"]; quick == full[tested+".txt"] || !strings.Contains(quick, "quick run") {
			t.Error("--quick does not render the quick plan")
		}
	})
	t.Run("attach", func(t *testing.T) { testAttach(t, ref, reports[tested+".txt"]) })
	t.Run("parts", func(t *testing.T) {
		p := newPlace(t)
		for _, part := range []string{"2/3", "1/3"} {
			stdout, _ := want(t, exitDone, p.args("run", "--shard", part)...)
			if !strings.Contains(stdout, "when all parts are") {
				t.Errorf("part %s says %q", part, stdout)
			}
		}
		if _, err := os.Stat(p.out); err == nil {
			t.Error("a part makes a report")
		}
		_, stderr := want(t, exitDone, p.args("render")...)
		if !strings.Contains(stderr, "for the rest run 'mkreport run "+tested+" --quick --seed 1 "+tinyPlan+" --store "+p.store+"'") {
			t.Errorf("a part that is missing is not named: %s", stderr)
		}
		if err := os.RemoveAll(p.out); err != nil {
			t.Fatal(err)
		}
		_, stderr = want(t, exitFailed, p.args("render", "--shards", "3")...)
		if !strings.Contains(stderr, tested+": parts 3 of 3 lack ") || !strings.Contains(stderr, " --store "+p.store+" --shard I/3'") {
			t.Errorf("the part that is missing is not named: %s", stderr)
		}
		if _, err := os.Stat(p.out); err == nil {
			t.Error("a report of two parts is written")
		}
		want(t, exitDone, p.args("run", "--shard", "3/3")...)
		sameFiles(t, "store of three parts", runs, files(t, p.store))
		want(t, exitDone, p.args("render", "--shards", "3")...)
		sameFiles(t, "report of three parts", reports, files(t, p.out))
	})
	t.Run("stopped midway", func(t *testing.T) {
		p := newPlace(t)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go cancelWhen(ctx, cancel, p.store, total/4)
		status, stdout, stderr := invoke(ctx, p.args("run")...)
		kept := len(files(t, p.store))
		if status != exitFailed || stdout != "" || kept < total/4 || kept == total {
			t.Fatalf("exit status %d with %d runs kept\n%s%s", status, kept, stdout, stderr)
		}
		if text := fmt.Sprintf("stopped; %d of %d runs are in %s, and the same command goes on from there\n", kept, total, p.store); !strings.Contains(stderr, text) {
			t.Errorf("no %q in %s", text, stderr)
		}
		_, stderr = want(t, exitDone, p.args("run")...)
		if text := fmt.Sprintf(", %d of them new", total-kept); !strings.Contains(stderr, text) {
			t.Errorf("no %q in %s", text, stderr)
		}
		sameFiles(t, "resumed", reports, files(t, p.out))
	})
	t.Run("killed", func(t *testing.T) { testKilled(t, runs, reports) })
	t.Run("damaged store", func(t *testing.T) {
		p := place{filepath.Join(t.TempDir(), "out"), filepath.Join(t.TempDir(), "store")}
		if err := os.CopyFS(p.store, os.DirFS(ref.store)); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(p.store, slices.Sorted(maps.Keys(runs))[total/2])
		if err := os.Truncate(name, 100); err != nil {
			t.Fatal(err)
		}
		_, stderr := want(t, exitDone, p.args("render")...)
		if text := fmt.Sprintf("%d of the %d runs", total-1, total); !strings.Contains(stderr, text) {
			t.Errorf("no %q in %s", text, stderr)
		}
		if !strings.Contains(files(t, p.out)[tested+".txt"], "cut short") {
			t.Error("the report does not tell of the damaged file")
		}
		_, stderr = want(t, exitDone, p.args("run")...)
		if !strings.Contains(stderr, name+": ignored: it is cut short") || !strings.Contains(stderr, ", 1 of them new") {
			t.Errorf("stderr %s", stderr)
		}
		sameFiles(t, "repaired", reports, files(t, p.out))
	})
	t.Run("nothing stored", func(t *testing.T) {
		p := place{filepath.Join(t.TempDir(), "out"), ref.store}
		stdout, stderr := want(t, exitFailed, p.args("render", "--seed", "77")...)
		if !strings.Contains(stderr, "run 'mkreport run "+tested+" --quick --seed 77") || stdout != "" {
			t.Errorf("stdout %s, stderr %s", stdout, stderr)
		}
		stdout, stderr = want(t, exitDone, p.args("ledger", "--seed", "77")...)
		if !strings.Contains(stdout, "not run") || !strings.Contains(stderr, "0 of the") {
			t.Errorf("stdout %s, stderr %s", stdout, stderr)
		}
		if _, err := os.Stat(p.out); err == nil {
			t.Error("a report of nothing is written")
		}
	})
	t.Run("directory goes away", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(file, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		p := place{filepath.Join(file, "out"), ref.store}
		if _, stderr := want(t, exitFailed, p.args("render")...); !strings.Contains(stderr, "give another with -o") {
			t.Errorf("stderr %s", stderr)
		}
	})
}

// cancelWhen cancels when so many runs are stored.
func cancelWhen(ctx context.Context, cancel context.CancelFunc, store string, runs int) {
	for ctx.Err() == nil {
		stored, _ := filepath.Glob(filepath.Join(store, "??", "*.json"))
		if len(stored) >= runs {
			cancel()
		}
		time.Sleep(time.Millisecond)
	}
}

// TestTraceHash runs one cell twice and with another seed.
func TestTraceHash(t *testing.T) {
	studies, err := subjects([]string{tested}, "")
	if err != nil {
		t.Fatal(err)
	}
	plan := study.Plan{Seed: 1, N: 2, Warmup: map[string]time.Duration{"": 102 * time.Millisecond}, Measure: map[string]time.Duration{"": 2 * time.Millisecond}}
	jobs, err := study.Jobs(studies[0].Study, plan, studies[0].identity)
	if err != nil {
		t.Fatal(err)
	}
	hashes := make(map[int][]uint64)
	for _, cpus := range []int{1, 8} {
		before := runtime.GOMAXPROCS(cpus)
		for _, j := range jobs {
			if j.Row == "16" && j.Arm == study.ArmBase {
				r, err := study.Simulator{}.Run(t.Context(), j)
				if err != nil {
					t.Fatal(err)
				}
				hashes[cpus] = append(hashes[cpus], r.TraceHash)
			}
		}
		runtime.GOMAXPROCS(before)
	}
	if one, eight := hashes[1], hashes[8]; !slices.Equal(one, eight) || len(one) != 2 || one[0] == one[1] || one[0] == 0 {
		t.Errorf("hashes of two seeds: %x at GOMAXPROCS=1, %x at 8", one, eight)
	}
}

// TestElsewhere runs a study on the machine of a file.
func TestElsewhere(t *testing.T) {
	m, err := topology.Load("csl-2s-80")
	if err != nil {
		t.Fatal(err)
	}
	m.ID = "mine"
	m.Costs.ContextSwitch.Value *= 2
	file := filepath.Join(t.TempDir(), "mine.yaml")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(m.WriteYAML(f), f.Close()); err != nil {
		t.Fatal(err)
	}
	p := newPlace(t)
	ledger, _ := want(t, exitDone, p.args("run", "--machine", file)...)
	if warning := " (NOT the post's machine, csl-2s-80)"; !strings.Contains(ledger, warning) {
		t.Errorf("the ledger does not say %q:\n%s", warning, ledger)
	}
	name := tested + "-on-mine"
	written := files(t, p.out)
	for _, text := range []string{
		"mine: 2 sockets, 40 cores, 80 CPUs, 2 nodes (a model); NOT the machine of",
		"--machine " + file,
	} {
		if post := strings.Join(strings.Fields(written[name+".txt"]), " "); !strings.Contains(post, text) {
			t.Errorf("the post does not say %q", text)
		}
	}
	if index := written["index.html"]; !strings.Contains(index, `href="`+name+`.html"`) || strings.Contains(index, `href="`+tested+`.html"`) {
		t.Error("the index does not link to the report of that machine alone")
	}
	// The store is that of a machine; on the post's there is nothing.
	_, stderr := want(t, exitFailed, p.args("render")...)
	if !strings.Contains(stderr, "no run of its quick plan") {
		t.Errorf("render on the post's machine: %s", stderr)
	}
	if _, stderr := want(t, exitUsage, p.args("run", "--machine", "csl")...); !strings.Contains(stderr, `no machine "csl"`) {
		t.Errorf("an unknown machine: %s", stderr)
	}
}
