package scenario

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	sc, err := Parse(strings.NewReader(`# two lines
# of comment
@duration 250
@autogroup on
@group a 100
@bandwidth a 20000 50000
t_a -5 0,2-3,2 10 group:a fifo:7 once run:100 barrier:3,2
# not a header
t_b 19 - 0 fork:2,500 sleep:2000 yield
`), "x", 4)
	if err != nil {
		t.Fatal(err)
	}
	want := &Scenario{
		Name: "x", Comment: "two lines of comment", Duration: 250 * time.Millisecond, Autogroup: true,
		Groups: []Group{{"a", 100, 20 * time.Millisecond, 50 * time.Millisecond}},
		Tasks: []Task{
			{Name: "t_a", Nice: -5, CPUs: []int{0, 2, 3}, Start: 10 * time.Millisecond, Once: 2,
				Ops: []Op{{Kind: JoinGroup}, {Kind: FIFO, N: 7}, {Kind: Run, D: 100 * time.Microsecond}, {Kind: Barrier, N: 3, M: 2}}},
			{Name: "t_b", Nice: 19,
				Ops: []Op{{Kind: Fork, N: 2, D: 500 * time.Microsecond}, {Kind: Sleep, D: 2 * time.Millisecond}, {Kind: Yield}}},
		},
	}
	if !reflect.DeepEqual(sc, want) {
		t.Errorf("got %+v\nwant %+v", sc, want)
	}
}

func TestParseErrors(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"empty", "", "x:1: no task"},
		{"operation", "\nt 0 - 0 walk:3", `x:2: unknown operation "walk", known are run, hog,`},
		{"directive", "@speed 3", "x:1: unknown directive @speed, known are @duration"},
		{"cpu", "t 0 4 0 hog", "x:1: CPU 4 is beyond the machine, which has CPUs 0-3"},
		{"cpu range", "t 0 3-1 0 hog", `CPU list "3-1" runs backwards`},
		{"cpu word", "t 0 any 0 hog", `"any" is no CPU, write - for any`},
		{"group", "@group b 1\nt 0 - 0 group:a once hog", "x:2: group a is not declared, declared are b"},
		{"no groups", "t 0 - 0 group:a once hog", "write @group a WEIGHT before"},
		{"group twice", "@group a 1\n@group a 2", "x:2: group a is there already"},
		{"weight", "@group a 0", "0 is out of range as a weight, give 1 to 10000"},
		{"bandwidth", "@bandwidth a 1000 1000", "group a is not declared"},
		{"quota", "@group a 1\n@bandwidth a 10 1000", "give 1000 to"},
		{"autogroup", "@autogroup yes", "write on or off"},
		{"arguments", "@duration", "@duration has 0 arguments, write @duration MS"},
		{"duration", "@duration 600001", "give 1 to 600000"},
		{"nice", "t 20 - 0 hog", "20 is out of range as a nice value, give -20 to 19"},
		{"nice word", "t low - 0 hog", `"low" is not a nice value`},
		{"huge", "t 0 - 0 run:99999999999999999999", "out of range as a time in us"},
		{"short", "t 0 -", "a task has 3 words, write NAME NICE CPUS START OP"},
		{"twice", "t 0 - 0 hog\nt 0 - 0 hog", "x:2: task t is there already"},
		{"name", "a_name_that_is_long 0 - 0 hog", "longer than the 15 bytes"},
		{"nothing repeated", "t 0 - 0 run:5 once", "nothing to repeat"},
		{"no time", "t 0 - 0 nice:5 nice:0", "repeats nothing that takes time"},
		{"fork", "t 0 - 0 fork:3,100", "forks and runs or sleeps for less than 1 ms a turn"},
		{"fork form", "t 0 - 0 fork:3", "write fork:N,US"},
		{"barrier form", "t 0 - 0 barrier:3", "write barrier:N,M"},
		{"barrier", "a 0 - 0 barrier:3,2\nb 0 - 0 barrier:3,4", "barrier 3 is for 2 tasks in one line and for 4 in another"},
		{"pipe", "t 0 - 0 send:64", "the number of a pipe, give 0 to 63"},
		{"argument", "t 0 - 0 run", "run lacks its argument, write run:US"},
		{"no argument", "t 0 - 0 hog:1", "hog takes no argument, write hog"},
		{"priority", "t 0 - 0 fifo:0 once hog", "a real-time priority, give 1 to 99"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			sc, err := Parse(strings.NewReader(tc.text), "x", 4)
			if sc != nil || err == nil || !strings.Contains(err.Error(), tc.want) || !strings.HasPrefix(err.Error(), "x:") {
				t.Errorf("got %v, %v; want an error with %q", sc, err, tc.want)
			}
		})
	}
}

const oracle = "../testdata/oracle"

// TestFiles: all scenarios of the recordings can be read, and say what they show.
func TestFiles(t *testing.T) {
	paths, err := filepath.Glob(oracle + "/scenarios/*")
	if err != nil || len(paths) < 40 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	for _, path := range paths {
		sc, err := Load(path, 16)
		if err != nil {
			t.Error(err)
		} else if sc.Comment == "" {
			t.Errorf("%s: no comment", path)
		}
	}
	if _, err := Load(oracle+"/scenarios/none", 4); err == nil {
		t.Error("no error for a file that is not there")
	}
}

func FuzzParse(f *testing.F) {
	paths, _ := filepath.Glob(oracle + "/scenarios/*")
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("@bandwidth a 1 2\nt 0 0-,, 0 barrier:1,2 once")
	f.Fuzz(func(t *testing.T, text string) {
		sc, err := Parse(strings.NewReader(text), "x", 4)
		if (sc == nil) == (err == nil) {
			t.Fatalf("%v and %v", sc, err)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "x:") {
			t.Errorf("error without a place: %v", err)
		}
	})
}
