package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// invoke runs a command line, without the program's name.
func invoke(ctx context.Context, args ...string) (status int, stdout, stderr string) {
	var out, err bytes.Buffer
	status = run(ctx, args, &out, &err)
	return status, out.String(), err.String()
}

// want runs a command line and fails the test at another exit status.
func want(t *testing.T, status int, args ...string) (stdout, stderr string) {
	t.Helper()
	got, stdout, stderr := invoke(t.Context(), args...)
	if got != status {
		t.Fatalf("mkreport %s: exit status %d, want %d\n%s%s", strings.Join(args, " "), got, status, stdout, stderr)
	}
	return stdout, stderr
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatalf("%v; run go test -update", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got); if that is meant, run go test -update:\n%s", name, diff)
	}
}

// TestCommandLines compares what the command answers at once, byte for byte.
func TestCommandLines(t *testing.T) {
	t.Setenv(storeVariable, "")
	tests := []struct {
		golden string
		lines  []string
	}{
		{"usage.txt", []string{
			"rn", "lists", "gorman2020-idle-candidate", "help rnder", "help list studie", "completion tcsh", "completion",
			"run gorman2020-idle-candidat", "run nosuch", "run a --seed 1", "ledger gorman", "render x",
			"machine", "machine csl-2s-8", "machine a b", "list", "list studie", "list studies x",
			"--quik", "run --ful", "run --sed 1", "run -z", "run --seed -1", "run --seed x", "run -n 0", "run -n two", "run -n",
			"run --quick --full", "ledger --full --quick", "run --jobs -2", "run --shard 5/4", "run --shard 2", "run --measure 0s", "run --warmup -1s",
			"render --format pdf", "render --format md,htm", "render --shard 1/2", "render --shards 0",
			"render --measured x", "render gorman2020-idle-candidate --map a=64", "run --measured x",
			"run gorman2020-idle-candidate --measured testdata/none,base --map 64",
			"calibrate", "calibrate gorman2020", "calibrate a b",
			"calibrate gorman2020-idle-candidate --fit --ensemble", "calibrate gorman2020-idle-candidate --keep 0",
			"calibrate gorman2020-idle-candidate --date today",
			"notebook", "notebook x.ipynb --timeout 0s",
		}},
		{"list.txt", []string{
			"list machines", "list kernels", "list patches",
			"list machines --json", "list kernels --json", "list patches --json",
		}},
		{"check.txt", []string{
			"check " + dialects + "gorman2020-mail.txt", "check " + dialects + "aaron2023-ratelimit.txt " + dialects + "shi2013-ltp.txt",
			"check testdata/list.txt", "check testdata/none", "check",
			"attach", "attach x", "attach --study gorman2020-idle-candidate testdata/none",
			"attach --study gorman2020-idle-candidate --reply -i x", "attach --study gorman2020-idle-candidate --from x y",
		}},
		{"trace.txt", []string{
			"trace gorman2020-idle-candidate/1 --warmup 120ms --length 100us --to 60us", "trace gorman2020-idle-candidate/1 --warmup 120ms --length 100us --format timehist --patched",
			"trace", "trace gorman2020-idle-candidate", "trace gorman2020-idle-candidate/3", "trace gorman2020-idle-candidate/1 --format gif", "trace gorman2020-idle-candidate/1 --length 0s",
		}},
		{"failed.txt", []string{
			"ledger --store testdata/none", "render --store testdata/none", "ledger --store testdata/list.txt",
			"-o testdata/list.txt", "run -o testdata/list.txt/out", "run --store testdata/list.txt -o testdata",
			"run gorman2020-idle-candidate --measured testdata/none,base",
			"run gorman2020-idle-candidate --measured " + resultFiles + "tbench.txt",
			"run gorman2020-idle-candidate --measured " + resultFiles + "hackbench.txt,base --map time=64",
			"notebook testdata/none.ipynb", "calibrate gorman2020-idle-candidate --file testdata/none.yaml",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.golden, func(t *testing.T) {
			var b strings.Builder
			for _, line := range tt.lines {
				status, stdout, stderr := invoke(t.Context(), strings.Fields(line)...)
				fmt.Fprintf(&b, "$ mkreport %s\n%s", line, stdout)
				if stderr != "" {
					fmt.Fprintf(&b, "-- stderr --\n%s", stderr)
				}
				fmt.Fprintf(&b, "-- exit status %d --\n\n", status)
			}
			golden(t, tt.golden, b.String())
		})
	}
}

func TestHelp(t *testing.T) {
	for _, line := range []string{
		"--help", "-h", "help", "help run", "run --help", "help list studies", "list --help", "help completion bash", "--version",
	} {
		t.Run(line, func(t *testing.T) {
			stdout, stderr := want(t, exitDone, strings.Fields(line)...)
			if !strings.Contains(stdout, "mkreport") || stderr != "" {
				t.Errorf("stdout %q, stderr %q", stdout, stderr)
			}
		})
	}
}

// TestHelpHidesTestFlags: times for all rows make no study.
func TestHelpHidesTestFlags(t *testing.T) {
	stdout, _ := want(t, exitDone, "help", "run")
	if strings.Contains(stdout, "--measure ") || !strings.Contains(stdout, "--full") {
		t.Errorf("got %s", stdout)
	}
}

func TestCompletion(t *testing.T) {
	tests := []struct{ line, want string }{
		{"run g", "gorman2020-idle-candidate"},
		{"machine c", "csl-2s-80"},
		{"render --format m", "md"},
		{"help le", "ledger"},
		{"list k", "kernels"},
	}
	for _, tt := range tests {
		t.Run(tt.line, func(t *testing.T) {
			stdout, _ := want(t, exitDone, append([]string{"__complete"}, strings.Fields(tt.line)...)...)
			if !strings.Contains(stdout, tt.want) {
				t.Errorf("got %q, want %q", stdout, tt.want)
			}
		})
	}
	if stdout, _ := want(t, exitDone, "completion", "bash"); !strings.Contains(stdout, "__start_mkreport") {
		t.Error("no bash completion")
	}
}

func TestMachine(t *testing.T) {
	stdout, stderr := want(t, exitDone, "machine", "csl-2s-80")
	for _, text := range []string{"CPU(s)", "Model hash", "MC", "NUMA"} {
		if !strings.Contains(stdout, text) {
			t.Errorf("no %q in the description", text)
		}
	}
	if stderr != "" {
		t.Errorf("stderr %q", stderr)
	}
}

func TestStoreVariable(t *testing.T) {
	t.Setenv(storeVariable, filepath.Join("testdata", "from-variable"))
	if _, stderr := want(t, exitFailed, "ledger"); !strings.Contains(stderr, "from-variable: no store there") {
		t.Errorf("the variable is not used: %s", stderr)
	}
	if _, stderr := want(t, exitFailed, "ledger", "--store", "testdata/from-flag"); !strings.Contains(stderr, "from-flag: no store there") {
		t.Errorf("the flag does not win: %s", stderr)
	}
}
