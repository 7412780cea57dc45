package overlay_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/schedlab/schedlab/reports/internal/golden"
	"github.com/schedlab/schedlab/reports/overlay"
	"github.com/schedlab/schedlab/schedsim/study"
)

// bench is a study with a table for each kind of file.
func bench() *study.Study {
	nm := study.NotMeasured
	rows := func(keys ...string) []study.Row {
		var out []study.Row
		for _, k := range keys {
			out = append(out, study.Row{Key: k, Base: nm, Patched: nm, Pct: nm})
		}
		return out
	}
	return &study.Study{ID: "synthetic", Tables: []study.Table{
		{ID: "tbench", Statistic: "Hmean", Unit: "MB/sec", Better: "higher", RowName: "clients", RowParam: "clients", Rows: rows("1", "2", "64")},
		{ID: "hackbench", Statistic: "Amean", Unit: "s", Better: "lower", RowName: "groups", RowParam: "groups", Rows: rows("2", "4")},
		{ID: "nas", Statistic: "Amean", Unit: "s", Better: "lower", RowName: "program", Rows: rows("bt", "lu")},
		{ID: "nas-small", Statistic: "Amean", Unit: "ms", Better: "lower", RowName: "program", Rows: rows("bt.A", "lu.A")},
		{ID: "oltp", Statistic: "Amean", Unit: "transactions/s", Better: "higher", RowName: "threads", RowParam: "threads", Rows: rows("4")},
		{ID: "latency", Statistic: "Amean", Unit: "us", Better: "lower", RowName: "percentile", Rows: rows("99")},
		{ID: "lkp", Statistic: "Amean", Better: "lower", RowName: "metric", Rows: []study.Row{
			{Key: "stress-ng.switch.ops", Unit: "count", Better: "higher", Base: nm, Patched: nm, Pct: nm},
			{Key: "context-switches", Unit: "count", Better: "lower", Base: nm, Patched: nm, Pct: nm},
		}},
	}}
}

// join reads files as the command line names them.
func join(t *testing.T, s *study.Study, rows map[string]string, specs ...string) (*overlay.Overlay, error) {
	t.Helper()
	var sources []overlay.Source
	for _, spec := range specs {
		src, err := overlay.Load(spec)
		if err != nil {
			return nil, err
		}
		sources = append(sources, src)
	}
	return overlay.Join(s, sources, overlay.Options{Map: rows})
}

// print lists an overlay.
func print(o *overlay.Overlay) []byte {
	var b bytes.Buffer
	sample := func(s overlay.Sample) string {
		if !s.Measured() {
			return "-"
		}
		return fmt.Sprintf("%.6g sd %.4g n %d (%s)", s.Mean, s.Stddev, s.N, s.Where)
	}
	for _, r := range o.Rows {
		fmt.Fprintf(&b, "%s/%s %s, %s is better\n  base    %s\n  patched %s\n  %+.2f %% [%+.2f, %+.2f]\n",
			r.Table, r.Key, r.Unit, r.Better, sample(r.Base), sample(r.Patched), float64(r.Pct), float64(r.CILow), float64(r.CIHigh))
	}
	for _, u := range o.Unmatched {
		fmt.Fprintf(&b, "no row: %s: %s: %s\n", u.Where, u.Title, u.Reason)
	}
	return b.Bytes()
}

// TestJoin has a file of every kind that package measured reads.
func TestJoin(t *testing.T) {
	for _, tc := range []struct {
		name  string
		rows  map[string]string
		specs []string
	}{
		{"tbench", nil, []string{"testdata/tbench-base.log,base", "testdata/tbench-patched.log,patched"}},
		{"hackbench", nil, []string{"testdata/hackbench-base.txt,base", "testdata/hackbench-patched.txt,patched"}},
		{"perf-bench", nil, []string{"../measured/testdata/perf-bench.txt,base"}},
		{"hyperfine", nil, []string{"testdata/nas.json,base=vanilla,patched=idle-prev"}},
		{"hyperfine-kernels", nil, []string{"testdata/kernels.json"}},
		{"hyperfine-csv", nil, []string{"testdata/nas.csv,base=vanilla,patched=idle-prev"}},
		{"mmtests", nil, []string{"testdata/mmtests.txt"}},
		{"lkp", nil, []string{"testdata/lkp.txt"}},
		{"plus-minus", nil, []string{"testdata/nas.txt,table=nas"}},
		{"sysbench", nil, []string{"testdata/sysbench-base.txt,base", "testdata/sysbench-patched.txt,patched"}},
		{"schbench", nil, []string{"testdata/schbench-base.txt,base", "testdata/schbench-patched.txt,patched"}},
		{"perf-stat", nil, []string{"testdata/perf-stat-base.csv,base", "testdata/perf-stat-patched.csv,patched"}},
		{"mapped", map[string]string{"time [command=./run-lu-vanilla]": "nas/lu", "./run-lu-new": "nas/lu"},
			[]string{"testdata/mapped.json,base=vanilla,patched=new"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o, err := join(t, bench(), tc.rows, tc.specs...)
			if err != nil {
				t.Fatal(err)
			}
			golden.Check(t, tc.name+".golden", print(o))
		})
	}
}

// TestRefused: what cannot be right is refused, with file and line.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const tb = "\n\nThroughput 100.0 MB/sec  64 clients  64 procs  max_latency=9.669 ms\n"
	tbench := file("tbench.log", tb)
	hyper := func(name, command string) string {
		return file(name, `{"results": [{"command": "`+command+`", "mean": 1.5, "times": [1, 2]}]}`)
	}
	slower := bench()
	slower.Tables[0].Better = "lower"
	for _, tc := range []struct {
		name  string
		study *study.Study
		rows  map[string]string
		specs []string
		want  string
	}{
		{"wrong unit", bench(), map[string]string{"time [command=x]": "tbench/64"}, []string{hyper("a.json", "x") + ",base"},
			`a.json:1: time [command=x] cannot be row 64 of table tbench: it is in "s", the row in "MB/sec"`},
		{"other direction", slower, nil, []string{tbench + ",base"}, "tbench.log:3: throughput [clients=64] cannot be row 64 of table tbench: of it higher is better, of the row lower"},
		{"no arm", bench(), nil, []string{tbench}, "tbench.log:1: it does not say which kernel it is of; write "},
		{"three kernels", bench(), nil, []string{"testdata/three.txt"}, "three.txt:1: it has 3 kernels: v1, v2, v3; say which two"},
		{"no such label", bench(), nil, []string{"testdata/mmtests.txt,base=v9,patched=idlecand"}, `mmtests.txt:1: nothing has the label "v9" of the base column; it has 2 kernels`},
		{"several rows", twice(), nil, []string{tbench + ",base"}, "is of several rows: tbench/64, again/64; say which, with table=ID"},
		{"no row", bench(), nil, []string{file("b.log", strings.Replace(tb, "64", "63", 2)) + ",base"}, "b.log:3: throughput [clients=63]: no row has that key"},
		{"no such table", bench(), nil, []string{tbench + ",base,table=x"}, `tbench.log: study synthetic has no table "x"; use one of tbench, `},
		{"no such row", bench(), map[string]string{"throughput": "tbench/9"}, []string{tbench + ",base"}, `is mapped to row "tbench/9", which synthetic has not`},
		{"no such figure", bench(), map[string]string{"x": "tbench/64"}, []string{tbench + ",base"}, `no figure "x" in `},
		{"two figures", bench(), nil, []string{"testdata/mmtests.txt", "testdata/mmtests.txt"}, "row 1 of table tbench, base: two figures"},
		{"table of another", bench(), nil, []string{"testdata/nas.txt,table=nas-small"}, "it is row bt of table nas"},
		{"no file", bench(), nil, []string{filepath.Join(dir, "none")}, "no such file or directory; options after"},
		{"no result", bench(), nil, []string{file("c.txt", "hello\n")}, "c.txt:1: not known as a result"},
		{"nothing named", bench(), nil, []string{",base"}, "names no file"},
		{"both", bench(), nil, []string{tbench + ",base,base=x"}, "give one of the two"},
		{"one label", bench(), nil, []string{tbench + ",base=x,patched=x"}, `both columns have the label "x"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := join(t, tc.study, tc.rows, tc.specs...)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v\nwant one with %q", err, tc.want)
			}
		})
	}
}

func twice() *study.Study {
	s := bench()
	again := s.Tables[0]
	again.ID = "again"
	s.Tables = append(s.Tables, again)
	return s
}

// TestAgainst holds effects against simulated ones.
func TestAgainst(t *testing.T) {
	sim := func(pct, half float64) study.Interval {
		return study.Interval{Effect: study.Effect{Pct: study.Number(pct)}, CILow: study.Number(pct - half), CIHigh: study.Number(pct + half), N: 10}
	}
	row := func(pct, half float64) overlay.Row {
		return overlay.Row{Better: "higher", Base: overlay.Sample{Mean: 100}, Patched: overlay.Sample{Mean: 100 + pct},
			Pct: study.Number(pct), CILow: study.Number(pct - half), CIHigh: study.Number(pct + half)}
	}
	for _, tc := range []struct {
		name string
		row  overlay.Row
		sim  study.Interval
		want string
	}{
		{"same", row(10, 1), sim(11, 1), "agree"},
		{"none", row(0.2, 1), sim(0.1, 0.3), "agree on none"},
		{"size", row(10, 1), sim(30, 1), "sizes differ"},
		{"opposite", row(10, 1), sim(-10, 1), "opposite"},
		{"measured only", row(10, 1), sim(0, 1), "only measured"},
		{"simulated only", row(0, 1), sim(10, 1), "only simulated"},
		{"no spread", row(10, math.NaN()), sim(10, 1), "no spread or n"},
		{"not simulated", row(10, 1), sim(math.NaN(), 1), "not simulated"},
		{"no base", overlay.Row{Base: overlay.Sample{Mean: math.NaN()}}, sim(1, 1), "no base"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := tc.row.Against(tc.sim); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// TestWelch is an interval that was worked out by hand: variances of 2.5 and 10 over 5
// runs each have 6.25/1.0625 = 5.8824 degrees of freedom, whose 97.5 % quantile of
// Student's t, by numerical integration of the density, is 2.458824; the half-width
// is that times the root of 2.5.
func TestWelch(t *testing.T) {
	s := bench()
	dir := t.TempDir()
	path := filepath.Join(dir, "r.json")
	text := `{"results": [{"command": "./lu.C.x a", "times": [1,2,3,4,5]}, {"command": "./lu.C.x b", "times": [2,4,6,8,10]}]}`
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	o, err := join(t, s, nil, path+",base=.x a,patched=.x b")
	if err != nil {
		t.Fatal(err)
	}
	const half = 3.887742
	r := o.Rows[0]
	for _, c := range []struct {
		what      string
		got, want float64
	}{{"change", float64(r.Pct), 100}, {"low", float64(r.CILow), 100 * (3 - half) / 3}, {"high", float64(r.CIHigh), 100 * (3 + half) / 3}} {
		if math.Abs(c.got-c.want) > 0.01 {
			t.Errorf("%s is %v, want %v", c.what, c.got, c.want)
		}
	}
}

func FuzzParseSource(f *testing.F) {
	for _, s := range []string{"a", "a,base", "a,b,base", "a,base=x,patched=y,table=t", ",", "base", "a,,base"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := overlay.ParseSource(text)
		if err == nil && (s.File == "" || !strings.HasPrefix(text, s.File)) {
			t.Errorf("%q is file %q", text, s.File)
		}
	})
}
