package lint_test

import (
	"strings"
	"testing"

	"github.com/schedlab/schedlab/reports/lint"
)

// TestBadInput: what cannot be read is named with its line, and what is right beside
// it is read.
func TestBadInput(t *testing.T) {
	const head = "                          5.10.0-rc6             5.10.0-rc6\n                           schedstat          idlecandidate\n"
	const good = "\nbase/patch:\n\na  100  110  +10.0%\nb  100   90  -10.0%\n"
	for _, tc := range []struct {
		name, text string
		line       int
		want       string
	}{
		{"wrapped row", head + "Hmean     1        500.06 (   0.00%)      505.67\n*   1.12%*\n", 3, `"      505.67" after the last value, want nothing`},
		{"decimal comma", head + "Hmean     1        500,06 (   0.00%)      505,67 (   1.12%)\n", 3, "500,06 has a comma, of decimals or of thousands"},
		{"decimal comma in +/-", "  1    14,008 +/-4.99%   13,800 +/-3.88%   (+1.48%)\n", 1, "14,008 has a comma"},
		{"not a number", head + "Hmean     1        500.06 (   0.00%)      505.67 (     x%)\n", 3, `"x" is not a percentage`},
		{"missing column", head + "Hmean     1        500.06 (   0.00%)      505.67 (   1.12%)\nHmean     2        500.06 (   0.00%)\n", 0, ""},
		{"star on one side", head + "Hmean     1        500.06 (   0.00%)      505.67 *   1.12%)\n", 3, `opens with "*" and closes with ")"`},
		{"robot, wrapped", "         %stddev     %change         %stddev\n             \\          |                \\  \n    623219           -13.1%     541887        \nhackbench.throughput\n", 3, "row without the name of its metric"},
		{"robot, truncated", "         %stddev     %change         %stddev\n             \\          |                \\  \n", 1, "headings of a comparison without a row below them"},
		{"robot, missing column", "         %stddev     %change         %stddev\n             \\          |                \\  \n    623219           -13.1%\n", 3, "no change and mean of kernel 2 in the row"},
		{"JVMS, truncated", "JVMS  Prev    Current  %Change\n", 1, "without a row below them"},
		{"JVMS, missing column", "JVMS  Prev    Current  %Change\n4     210118  208862   -0.6\n1     313171  307007\n", 3, "row has 3 cells below 4 headings"},
		{"JVMS, not a number", "JVMS  Prev    Current  %Change\n4     fast    208862   -0.6\n", 2, `"fast" is not a number`},
		{"count, one kernel cut", "count  Min  Max  Avg  Variance  %Change\n5      10   20\n", 2, "row has 3 cells below 6 headings"},
		{"autonuma, truncated", "Testcase       Time:         Min         Max         Avg      StdDev\n", 1, "headings of the autonuma benchmark without a row"},
		{"hyperfine, cut", "| Command | Mean [ms] | Min [ms] | Max [ms] | Relative |\n|:---|---:|---:|---:|---:|\n| `a` | 1.0 ± 0.1 | 0.9 |\n", 3, "row has 2 values, want 4"},
		{"hyperfine, not a number", "| Command | Mean [ms] | Min [ms] | Max [ms] | Relative |\n|:---|---:|---:|---:|---:|\n| `a` | fast | 0.9 | 1.1 | 1.00 |\n", 3, `"fast" is not a number`},
		{"mean+-stddev, missing column", "      one            two\na  1.0+-0.1   2.0+-0.2\nb  1.0+-0.1\n", 3, "row has 1 values, the rows above have 2"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := lint.Text(tc.text+good, "post.txt")
			read := false // the table that is good
			for _, f := range r.Tables {
				read = read || f.Table.Style() == "plain" && len(f.Table.Rows) == 2
			}
			if !read {
				t.Errorf("the table below it was not read: %d tables\n%s", len(r.Tables), text(r))
			}
			if r.Wrong() {
				t.Errorf("called wrong:\n%s", text(r))
			}
			for _, f := range r.Findings {
				if f.Rule == lint.RuleUnread && f.Line == tc.line && strings.Contains(f.Text, tc.want) {
					return
				}
			}
			if tc.want != "" {
				t.Errorf("no finding in line %d with %q:\n%s", tc.line, tc.want, text(r))
			}
		})
	}
}

// TestOddButRight is read without a complaint of its form.
func TestOddButRight(t *testing.T) {
	const row = "Hmean     1        500.06 (   0.00%)      505.67 *   1.12%*\n"
	for _, tc := range []struct{ name, text string }{
		{"NaN", "Hmean     1        500.06 (   0.00%)         nan (    nan%)\n"},
		{"tabs in the header", "\t\t\t5.10.0-rc6\t\t5.10.0-rc6\n" + row},
		{"tabs between columns", strings.ReplaceAll(row, "        ", "\t")},
		{"CRLF", strings.ReplaceAll(row, "\n", "\r\n")},
		{"commas of thousands in counters", "  3,700,000      context-switches      ( +-  0.56% )\n" + row},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := lint.Text(tc.text, "post.txt")
			if len(r.Tables) != 1 || r.Wrong() || strings.Contains(text(r), lint.RuleUnread) {
				t.Errorf("%d tables\n%s", len(r.Tables), text(r))
			}
		})
	}
}
