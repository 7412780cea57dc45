package measured_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/schedlab/schedlab/reports/measured"
)

func parse(t *testing.T, name string) []measured.Series {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	all, err := measured.Parse(data, name)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestParse reads an output of each program; figures are copied from it.
func TestParse(t *testing.T) {
	for _, tc := range []struct {
		file  string
		count int
		want  string // of the series that it names
	}{
		{"hyperfine.json", 4, "hyperfine time s [command=echo 2 10 > /dev/null size=10 threads=2] n 3 mean 4.63651e-05 sd 4.12404e-05"},
		{"hyperfine.csv", 2, "hyperfine time s [command=sleep 0.02] n 0 mean 0.0220325 sd 0.000286636"},
		// The last block is the result; those before are shorter.
		{"schbench.txt", 12, "schbench wakeup-latency us [percentile=99] n 1 mean 6744 sd NaN"},
		{"schbench.json", 15, "schbench rps-percentile requests/s [percentile=90] n 1 mean 255 sd NaN"},
		// 4995 events in 2.0009 s.
		{"sysbench.txt", 3, "sysbench events 1/s [threads=4] n 1 mean 2496.38 sd NaN"},
		{"hackbench.txt", 1, "hackbench time s [groups=2 mode=process] n 1 mean 0.08 sd NaN"},
		{"perf-bench.txt", 1, "perf bench sched messaging time s [groups=2 mode=process] n 1 mean 0.132 sd NaN"},
		{"tbench.txt", 1, "tbench throughput MB/sec [clients=2] n 1 mean 1194.73 sd NaN"},
		// 9.77 % is the standard error of 3 runs.
		{"perf-stat.txt", 5, "perf stat task-clock ms [] n 3 mean 102.51 sd 17.3469"},
		{"perf-stat-de.txt", 5, "perf stat page-faults  [] n 2 mean 7169 sd 13.18"},
		{"perf-stat.json", 4, "perf stat page-faults  [] n 1 mean 77 sd NaN"},
		{"perf-stat.csv", 23, ""},
		{"../../dialect/testdata/gorman2020-idle-candidate.txt", 20, "mmtests Hmean  [case=64 kernel=5.10.0-rc6-idlecandidate] n 0 mean 13792 sd NaN"},
		{"../../dialect/testdata/lawall2020-idle-prev.txt", 16, "mean+-stddev lu.C.x  [kernel=v5.9/passive] n 0 mean 35.8727 sd 4.87209"},
		{"../../dialect/testdata/lkp/switch.txt", 96, "0-day stress-ng.switch.ops  [kernel=01b9da291c4969354807b52956f] n 0 mean 7.408e+08 sd 2.2224e+07"},
	} {
		t.Run(filepath.Base(tc.file), func(t *testing.T) {
			all := parse(t, filepath.Join("testdata", tc.file))
			var lines []string
			for _, s := range all {
				lines = append(lines, fmt.Sprintf("%s %s %s [%s] n %d mean %.6g sd %.6g", s.Program, s.Name, s.Unit, s.Key(), s.N, s.Mean, s.Stddev))
			}
			text := strings.Join(lines, "\n")
			if len(all) != tc.count || !strings.Contains(text, tc.want) {
				t.Errorf("%d series, want %d and %q among\n%s", len(all), tc.count, tc.want, text)
			}
		})
	}
}

// TestIntervals: with -I the counts of all intervals are one run's.
func TestIntervals(t *testing.T) {
	all, err := measured.Parse([]byte("  1.0,100,,cs,1,100.00,,\n  2.0,50,,cs,1,100.00,,\n"), "x")
	if err != nil || len(all) != 1 || all[0].Mean != 150 {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestMerge makes runs of one command one series.
func TestMerge(t *testing.T) {
	one := parse(t, "testdata/hackbench.txt")
	two := measured.Merge(append(one, parse(t, "testdata/hackbench.txt")...))
	if len(two) != 1 || two[0].N != 2 || two[0].Stddev != 0 {
		t.Errorf("%+v", two)
	}
	if math.IsNaN(two[0].Mean) || len(one[0].Values) != 1 {
		t.Error("merging changed what was merged")
	}
}

func TestErrors(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"unknown", "hello\n", "x:1: not known as a result"},
		{"cut JSON", "{\"results\": [\n{\"command\": \"a\", \"mean\": 1.0,", "x:2: "},
		{"no times", `{"results": [{"command": "a"}]}`, `x:1: result 1 ("a") has neither times nor a mean`},
		{"cut hackbench", "Running in process mode with 2 groups using 40 file descriptors each (== 80 tasks)\nTime: \n", "looks like hackbench"},
		{"not a number", "command,mean,stddev,median\na,1,x,1\n", "x:2: "},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := measured.Parse([]byte(tc.text), "x"); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want one with %q", err, tc.want)
			}
		})
	}
}

// TestWriteCSV keeps all digits.
func TestWriteCSV(t *testing.T) {
	var b bytes.Buffer
	if err := measured.WriteCSV(&b, parse(t, "testdata/hyperfine.json")[:1]); err != nil {
		t.Fatal(err)
	}
	want := "program,name,params,unit,better,runs,mean,stddev,values,file,line\n" +
		"hyperfine,time,command=echo 1 10 > /dev/null size=10 threads=1,s,lower,3,3.139275999999988e-05,2.7225461232331663e-05,4.5641139999999785e-05 4.853713999999985e-05 0,testdata/hyperfine.json,\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/*")
	for _, name := range files {
		if data, err := os.ReadFile(name); err == nil {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := measured.Parse(data, "fuzz")
		if (err == nil) != (len(all) > 0) {
			t.Fatalf("%d series, %v", len(all), err)
		}
	})
}
