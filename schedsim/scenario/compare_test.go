package scenario

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestTolerance(t *testing.T) {
	for _, tc := range []struct {
		name string
		tol  Tolerance
		v    float64
		want bool
	}{
		{"inside", Tolerance{}, 15, true},
		{"on the end", Tolerance{}, 20, true},
		{"above", Tolerance{}, 20.1, false},
		{"part", Tolerance{Part: 0.1}, 21.9, true},
		{"part below", Tolerance{Part: 0.1}, 9, false},
		{"abs", Tolerance{Abs: 2}, 8, true},
		{"both", Tolerance{Part: 0.1, Abs: 2}, 24.1, false},
	} {
		if got := tc.tol.within(tc.v, []float64{20, 10, 12}); got != tc.want {
			t.Errorf("%s: %v", tc.name, got)
		}
	}
}

// TestQuantities against values computed by hand.
func TestQuantities(t *testing.T) {
	sc, err := Parse(strings.NewReader("t_a1 0 - 0 hog\nt_a2 0 - 0 hog\nt_a3 0 - 0 hog\nt_b 0 0 0 run:5 sleep:5"), "x", 4)
	if err != nil {
		t.Fatal(err)
	}
	task := func(name string, cpu time.Duration, turns, vol, invol int64) TaskOutcome {
		return TaskOutcome{Name: name, CPU: cpu, Wall: 2 * time.Second, Iterations: turns, Voluntary: vol, Involuntary: invol}
	}
	boot := Outcome{
		Wall: 2 * time.Second, Migrations: 5, Attempts: 200, Pulls: 50,
		Placement: Placement{Wakeups: 400, Previous: 200, Sibling: 100, Socket: 60, Other: 40},
		Tasks: []TaskOutcome{
			task("t_a1", time.Second, 0, 0, 10), task("t_a2", time.Second, 0, 0, 20), task("t_a3", 4*time.Second, 0, 0, 30),
			task("t_b", 500*time.Millisecond, 50, 50, 5),
		},
	}
	got := ""
	for _, q := range quantities(sc, []Outcome{boot}, whatBootsShow([]Outcome{boot}, 4)) {
		got += q.Name + " " + show(q.Values[0]) + "\n"
	}
	// The shares of a are 0.5, 0.5 and 2: mean 1, deviation sqrt(0.5).
	const want = `share/t_a 1.00
spread/t_a 0.707
involuntary/t_a 10.0
voluntary/t_a 0
share/t_b 0.250
involuntary-a-turn/t_b 0.100
voluntary-a-turn/t_b 1.00
migrations 2.50
pulls 0.250
previous 0.500
sibling 0.250
socket 0.150
other 0.100
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	boot.Placement.Wakeups, boot.Attempts = 99, 99
	if see := whatBootsShow([]Outcome{boot}, 2); see != (shown{}) {
		t.Errorf("of too few wakeups, on two CPUs: %+v", see)
	}
}

// TestTolerances: each quantity has one.
func TestTolerances(t *testing.T) {
	suites, err := load(oracle)
	if err != nil {
		t.Fatal(err)
	}
	if len(suites) < 60 {
		t.Errorf("%d suites", len(suites))
	}
	for _, u := range suites {
		if n := len(u.boots); n < 1 || n > 6 {
			t.Errorf("%s: %d boots", u.scenario.Name, n)
		}
		for _, q := range quantities(u.scenario, u.boots, whatBootsShow(u.boots, 4)) {
			if _, ok := tolerances[q.kind()]; !ok {
				t.Errorf("no tolerance for %s", q.Name)
			}
			if len(q.Values) != len(u.boots) || slices.ContainsFunc(q.Values, func(v float64) bool { return v != v || v < 0 }) {
				t.Errorf("%s on %s: %s is %v", u.scenario.Name, u.guest.Name, q.Name, q.Values)
			}
		}
	}
}

func TestExpected(t *testing.T) {
	line := func(q string, v Verdict) Line {
		return Line{Kernel: "6.1", Machine: "2cpu", Scenario: "s", Quantity: q, Verdict: v}
	}
	e, err := ReadExpected(strings.NewReader(`# comment
6.1 2cpu s a pass
6.1 2cpu s b miss the tick is late
6.1 2cpu s c miss ?
6.1 2cpu s gone pass
`), "x")
	if err != nil {
		t.Fatal(err)
	}
	got := e.Check([]Line{line("a", Miss), line("b", Pass), line("c", Miss), line("new", Pass)})
	want := []string{"s a: miss", "s b: pass", "s c: miss", "s new: pass", "s gone: is in the list"}
	if len(got) != len(want) {
		t.Fatalf("got %q", got)
	}
	for i := range want {
		if !strings.Contains(got[i], want[i]) {
			t.Errorf("got %q, want %q", got[i], want[i])
		}
	}
	if bad := e.Check([]Line{line("a", Pass), line("b", Miss), line("gone", Pass)}); len(bad) != 1 {
		t.Errorf("as the list says, without c: %q", bad)
	}
	var out bytes.Buffer
	pending := line("*", Pending)
	pending.Needs = []string{"x", "y"}
	if err := WriteExpected(&out, []Line{line("b", Miss), line("n", Miss), pending}, e); err != nil {
		t.Fatal(err)
	}
	const list = "6.1 2cpu s b miss the tick is late\n6.1 2cpu s n miss ?\n6.1 2cpu s * pending needs x, y\n"
	if !strings.HasSuffix(out.String(), list) {
		t.Errorf("got %s", out.String())
	}
}

func TestExpectedErrors(t *testing.T) {
	for text, want := range map[string]string{
		"a b c d":                      "x:1: 4 words",
		"a b c d good":                 `x:1: unknown verdict "good"`,
		"a b c d miss":                 "x:1: a miss without a reason",
		"a b c d pass\n\na b c d pass": "x:3: a b c d is there already",
	} {
		if _, err := ReadExpected(strings.NewReader(text), "x"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestReadRecordingsErrors(t *testing.T) {
	dir := t.TempDir()
	head := strings.Join(columns, ",") + "\n"
	row := "6.1,1,s,t" + strings.Repeat(",0", len(columns)-4) + "\n"
	for name, tc := range map[string]struct{ text, want string }{
		"empty":   {"", "EOF"},
		"columns": {"kernel,boot\n", "no column scenario"},
		"number":  {head + strings.Replace(row, ",0", ",x", 1), `data row 1: iterations is "x"`},
		"fields":  {head + "6.1,1\n", "wrong number of fields"},
	} {
		if err := os.WriteFile(filepath.Join(dir, "recorded-m.csv"), []byte(tc.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadRecordings(dir, "m"); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", name, err, tc.want)
		}
	}
	if _, err := ReadRecordings(dir, "none"); err == nil {
		t.Error("no error for a file that is not there")
	}
}

// TestGuestCosts computes those figures that the guest's costs come from and that
// the recordings' summaries have, and holds the sums of the costs against them.
func TestGuestCosts(t *testing.T) {
	var pinned, turn []float64
	c := &emulated
	for _, shape := range Shapes() {
		if shape == "1cpu" {
			continue // of other costs
		}
		boots, err := ReadRecordings(oracle, shape)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range boots {
			for _, k := range b.Tasks {
				n := time.Duration(k.Iterations)
				switch {
				case b.Scenario == "pingpong-pinned":
					pinned = append(pinned, float64(k.CPU/n-100*time.Microsecond))
				case b.Scenario == "fifo-and-fair" && k.Name == "t_rt":
					turn = append(turn, float64(k.Wall/n-10*time.Millisecond))
				}
			}
		}
	}
	slices.Sort(pinned)
	slices.Sort(turn)
	t.Logf("G %.0f, C %.0f ns", pinned, turn)
	sum := 2*c.clock + 2*c.call + c.wakeup + c.switchTask
	// What is stolen of 162 us, for the most part in the run: it delays its end.
	sum += stealTime * (100 + 62) / (stealInterval / time.Microsecond)
	sum += c.tick * (100 + 62) / 4000
	if g := pinned[len(pinned)/2]; float64(sum) < 0.9*g || float64(sum) > 1.1*g {
		t.Errorf("G: the recordings' median is %.0f ns, the costs add up to %d", g, sum)
	}
	sum = 2*c.clock + c.sleep + 2*c.switchTask + c.interrupt + c.wakeup + 2*time.Duration(c.timerRunning.Least) + c.timer
	// Nobody else sleeps: what is longer for that, since 10 ms before.
	sum += time.Duration(float64(sittings[0].cold) * math.Log(1+10/0.2))
	// What is stolen of a run of 1000 makes it longer: it burns 95 % before it looks.
	run := float64(time.Millisecond)
	sum += time.Duration((1 - math.Exp(-run/float64(stealInterval))) * float64(stealTime))
	if q := turn[len(turn)/4]; float64(sum) < 0.9*q || float64(sum) > 1.1*q {
		t.Errorf("C: the recordings' lower quarter is %.0f ns, the costs add up to %d", q, sum)
	}
}
