package lint_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/schedlab/schedlab/reports/lint"
)

// TestTrapsFire has for each trap a text that it is in, and one as near as can be
// that it is not in.
func TestTrapsFire(t *testing.T) {
	const head = "                    one                    two\n"
	mmtests := func(rows ...string) string { return head + strings.Join(rows, "\n") + "\n" }
	count := func(v1, v2 string) string {
		return fmt.Sprintf("count  Min  Max  Avg  Variance  %%Change\n5      10   20   15   %s\n5      10   20   15   %s        0\n", v1, v2)
	}
	const fiveRuns = "Five runs each.\n\n"
	for _, tc := range []struct {
		rule, name, trap, fine string
	}{
		{lint.RuleWrong, "a percentage that its values do not give",
			mmtests("Hmean 1   1000.00 (   0.00%)   1010.00 (   1.10%)"), mmtests("Hmean 1   1000.00 (   0.00%)   1010.00 (   1.00%)")},
		{lint.RuleVariance, "a Variance that can only be a population's standard deviation", count("4.4721", "25"), count("20", "25")},
		{lint.RuleVariance, "a Variance that can only be a sample's standard deviation", count("20", "5.4"), count("20", "27")},
		{lint.RuleVariance, "no spread that the values can have", count("900", "25"), count("25", "25")},
		{lint.RuleStar, "a star on 0.4 %",
			mmtests("Hmean 1   1000.00 (   0.00%)   1004.00 *   0.40%*"), mmtests("Hmean 1   1000.00 (   0.00%)   1004.00 (   0.40%)", "Hmean 2   1000.00 (   0.00%)   1005.00 *   0.50%*")},
		{lint.RuleSign, "two directions in one table",
			"a  100  110  +10.0%\nb  100   90  +10.0%\n", "a  100  110  +10.0%\nb  100   90  -10.0%\n"},
		{lint.RuleSign, "an increase in one table and a gain in another",
			"JVMS  Prev  Current  %Change\n4     100   110      10\n\n" + mmtests("Amean 1    100.00 (   0.00%)     90.00 (  10.00%)"),
			"JVMS  Prev  Current  %Change\n4     100   110      10\n\n" + "JVMS  Prev  Current  %Change\n4     100   90       -10\n"},
		{lint.RuleSpread, "a spread larger than the change",
			"      one            two\na  100.0+-5.0   102.0+-5.0\n", "      one            two\na  100.0+-1.0   102.0+-1.0\n"},
		{lint.RuleSpread, "a Stddev row larger than the change",
			mmtests("Amean  1    100.00 (   0.00%)     98.00 (   2.00%)", "Stddev 1      3.00 (   0.00%)      1.00 (  66.67%)"),
			mmtests("Amean  1    100.00 (   0.00%)     98.00 (   2.00%)", "Stddev 1      1.00 (   0.00%)      1.00 (   0.00%)")},
		{lint.RuleSpread, "a coefficient of variation larger than the change",
			"Case:  tip[pct imp](CV)  new[pct imp](CV)\n 1     1.00 [  0.00]( 2.60)     0.98 [  2.05]( 0.95)\n",
			"Case:  tip[pct imp](CV)  new[pct imp](CV)\n 1     1.00 [  0.00]( 0.60)     0.98 [  2.05]( 0.95)\n"},
		{lint.RuleGeomean, "a geometric mean that the rows do not give",
			"a        100.0  110.0  +10.0%\nb        400.0   90.0  -77.5%\ngeomean  200.0  110.0  -45.0%\n", "a        100.0  110.0  +10.0%\nb        400.0   90.0  -77.5%\ngeomean  200.0   99.5  -50.3%\n"},
		{lint.RuleGeomean, "geometric means over unequal sets",
			"a        100.0  110.0  +10.0%\nb        400.0    0.0  -100.0%\nc        100.0  100.0  0.0%\ngeomean  158.7  104.9  -33.9%\n",
			"a        100.0  110.0  +10.0%\nb        400.0  400.0  0.0%\nc        100.0  100.0  0.0%\ngeomean  158.7  163.9  +3.3%\n"},
		{lint.RuleRuns, "nothing says how many runs there were",
			"a  100  110  +10.0%\nb  100  90  -10.0%\n", fiveRuns + "a  100  110  +10.0%\nb  100  90  -10.0%\n"},
		{lint.RuleRuns, "a spread of nobody says how many runs",
			"      one            two\na  100.0+-1.0   102.0+-1.0\n", fiveRuns + "      one            two\na  100.0+-1.0   102.0+-1.0\n"},
		{lint.RuleBest, "figures of the best runs",
			"Best of 5 runs:\n\na  100  110  +10.0%\nb  100  90  -10.0%\n", "Mean of 5 runs, at best:\n\na  100  110  +10.0%\nb  100  90  -10.0%\n"},
		{lint.RuleBest, "mmtests' mean of the best runs",
			mmtests("BHmean-50 1   1000.00 (   0.00%)   1010.00 (   1.00%)"), mmtests("Hmean 1   1000.00 (   0.00%)   1010.00 (   1.00%)")},
		{lint.RuleTruncated, "changes that are cut",
			"JVMS  LAST_PATCH  WITH_PATCH  %CHANGE\n16    25705.2     25058.2     -2.51\n", "JVMS  LAST_PATCH  WITH_PATCH  %CHANGE\n16    25705.2     25058.2     -2.52\n"},
		{lint.RuleTruncated, "changes that are cut, of values that are rounded", // of 0.2079 %
			"JVMS  LAST_PATCH  WITH_PATCH  %CHANGE\n320   20712.2     20755.3     0.207\n", "JVMS  LAST_PATCH  WITH_PATCH  %CHANGE\n320   20712.2     20755.3     0.206\n"},
		{lint.RuleWrong, "a change that is cut by two digits",
			"JVMS  LAST_PATCH  WITH_PATCH  %CHANGE\n320   20712.2     20755.3     0.206\n", "JVMS  LAST_PATCH  WITH_PATCH  %CHANGE\n320   20712.2     20755.3     0.207\n"},
		{lint.RuleUnread, "a row without its last column",
			"JVMS  Prev  Current  %Change\n4     100   110\n", "JVMS  Prev  Current  %Change\n4     100   110      10\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if r := lint.Text(tc.trap, "trap"); !has(r, tc.rule) {
				t.Errorf("no remark of %s on\n%s\nbut\n%s", tc.rule, tc.trap, text(r))
			}
			r := lint.Text(tc.fine, "fine")
			if len(r.Tables) == 0 {
				t.Errorf("no table in\n%s", tc.fine)
			}
			if has(r, tc.rule) {
				t.Errorf("a remark of %s on\n%s\n%s", tc.rule, tc.fine, text(r))
			}
		})
	}
}

func has(r *lint.Report, rule string) bool {
	return slices.ContainsFunc(r.Findings, func(f lint.Finding) bool { return f.Rule == rule })
}
