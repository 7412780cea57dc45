package dialect

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMade writes tables of unrounded numbers in the styles that have a constructor
// of rows, as their authors would have.
func TestMade(t *testing.T) {
	two := []Kernel{{Label: [2]string{"", "old"}}, {Label: [2]string{"", "new"}}}
	runs := [][]float64{{0.012, 0.014, 0.013}, {0.011, 0.0125, 0.0124}}
	for _, tc := range []struct {
		name  string
		table *Table
		want  string
	}{
		{"JVMS", &Table{Kernels: two, Form: &Columns{Headings: []string{"JVMS", "old", "new", "%Change"}},
			Rows: []Row{NewCaseRow("16", []float64{25705.24, 25058.21}, false), NewCaseRow("1", []float64{108334, 2.5e6}, false)}},
			"JVMS  old      new      %Change\n16    25705.2  25058.2  -2.51711\n1     108334   2.5e+06  2207.68\n"},
		{"JVMS of June 2018", &Table{Kernels: two, Form: &Columns{Headings: []string{"JVMS", "old", "new", "%CHANGE"}},
			Rows: []Row{NewCaseRow("16", []float64{25705.24, 25058.21}, true), NewCaseRow("8", []float64{96589.6, 105930}, true)}},
			"JVMS  old      new      %CHANGE\n16    25705.2  25058.2  -2.51\n8     96589.6  105930   9.670\n"},
		{"count", NewCountTable([][]float64{{10, 20}, {11, 20}}),
			"count  Min  Max  Avg   Variance  %Change\n2      10   20   15    5\n2      11   20   15.5  4.5       3.33333\n"},
		{"autonuma", &Table{Kernels: two, Form: &AutoNUMA{}, Rows: NewAutoNUMARows("numa01.sh Real:", [][]float64{{440.65, 941.32}, {516.14, 892.41}})},
			"Testcase       Time:         Min         Max         Avg      StdDev\nnuma01.sh      Real:      440.65      941.32      690.99      250.34\n\n" +
				"Testcase       Time:         Min         Max         Avg      StdDev \t %Change\nnuma01.sh      Real:      516.14      892.41      704.27      188.13 \t -1.88%\n"},
		{"hyperfine, ms", NewHyperfine([]string{"a | b", "c"}, runs),
			"| Command | Mean [ms] | Min [ms] | Max [ms] | Relative |\n|:---|---:|---:|---:|---:|\n" +
				"| `a \\| b` | 13.0 ± 1.0 | 12.0 | 14.0 | 1.09 ± 0.11 |\n| `c` | 12.0 ± 0.8 | 11.0 | 12.5 | 1.00 |\n"},
		{"hyperfine, s, one run", NewHyperfine([]string{"a"}, [][]float64{{1.5}}),
			"| Command | Mean [s] | Min [s] | Max [s] | Relative |\n|:---|---:|---:|---:|---:|\n| `a` | 1.500 | 1.500 | 1.500 | 1.00 |\n"},
		{"plain", &Table{Kernels: two, Form: &Plain{}, Rows: []Row{NewPlainRow("a", []float64{100, 110}, 1)}},
			"     old    new  %change\na  100.0  110.0  +10.00%\n"},
		{"base and patch", &Table{Kernels: two, Form: &Blocks{}, Rows: []Row{
			NewBlocksRow("group=1", []float64{114912, 117857}, []float64{5975, 2946}), NewBlocksRow("group=8", []float64{461070, 491713}, []float64{3689, 1475})}},
			"group=1\nbase:   114912±5.2%\npatch:  117857±2.5%  (noise)\n\ngroup=8\nbase:   461070±0.8%\npatch:  491713±0.3% +6.6%\n"},
		{"name=value", &Table{Kernels: two, Form: &Pairs{}, Rows: []Row{{Stat: "bt", Cells: []Cell{{Value: "24.7"}, {Value: "23"}}}, {Stat: "lu", Cells: []Cell{{Value: "31"}, {Value: "30"}}}}},
			"old       new\nbt=24.7   bt=23\nlu=31     lu=30\n"},
		{"pct imp", ratioTable(PctImp, two), "Case:      old[pct imp](CV)         new[pct imp](CV)\n 1     1.00 [  0.00]( 2.00)     0.90 [ 10.00]( 1.11)\n16     1.00 [  0.00]( 2.00)     0.90 [ 10.00]( 1.11)\n"},
		{"+/-", ratioTable(SpreadPct, two), "Case:              old                 new  improvement\n 1     15.000 +/-2.00%     13.500 +/-1.11%  (+10.00%)\n16     15.000 +/-2.00%     13.500 +/-1.11%  (+10.00%)\n"},
		{"compare%", ratioTable(Compare, two), "case            \tload    \tbaseline(std%)\tcompare%( std%)\n1               \t        \t 1.00 (  2.00)\t+10.00 (  1.11)\n16              \t        \t 1.00 (  2.00)\t+10.00 (  1.11)\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := tc.table.Write(&b); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, b.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			found, err := Find(b.String(), "made")
			if err != nil || len(found) == 0 || found[0].Table.Style() != tc.table.Style() {
				t.Errorf("read again: %d tables, %v", len(found), err)
			}
		})
	}
}

func ratioTable(l RatioLayout, k []Kernel) *Table {
	t := &Table{Kernels: k, Form: &Ratios{Layout: l}}
	for _, key := range strings.Fields("1 16") {
		t.Rows = append(t.Rows, NewRatioRow(l, key, Lower, 3, []float64{15, 13.5}, []float64{0.3, 0.15}))
	}
	return t
}
