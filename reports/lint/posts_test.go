package lint_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/schedlab/schedlab/reports/dialect"
	"github.com/schedlab/schedlab/reports/lint"
)

// slips are the percentages of published posts that do not follow from the values
// beside them, by the file of testdata/posts.
var slips = map[string]string{
	"aaron2023_ratelimit_tg_load.txt": "group=16: +48.8 printed, but 457730 to 680452 is +48.66",
	"prateek2023_eevdf_vs_cfs.txt":    "Amean unixbench-syscall-512, kernel 3: 8.23 printed, but 7670057.70 to 8300980.77 is -8.226: the sign is of the other convention",
}

// unread are posts whose tables print no percentage in a style that is read: their
// authors leave the arithmetic to the reader.
var unread = map[string]string{
	"aubrey2021_single_pass_v5.txt":          "ratios to the base, without a percentage",
	"peterz2017_wa_weight.txt":               "before and after, without a percentage",
	"shrikanth2023_interleave_bandwidth.txt": "before and after, without a percentage",
	"vincent2020_spread_utilization.txt":     "before and after, without a percentage",
	"viresh2019_sched_idle_latency.txt":      "statistics of one kernel",
}

// TestFortyPosts checks the tables of published posts in the form of their authors.
// What is wrong was found wrong when the figures were transcribed, by other code,
// and nothing else is; as many are cut instead of rounded.
func TestFortyPosts(t *testing.T) {
	f, err := os.Open(filepath.Join("testdata", "posts", "checks.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	posts, total := 0, 0
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if strings.HasPrefix(sc.Text(), "#") {
			continue
		}
		var file string
		var percentages, truncated, wrong int
		if _, err := fmt.Sscan(sc.Text(), &file, &percentages, &truncated, &wrong); err != nil {
			t.Fatal(sc.Text(), err)
		}
		posts++
		t.Run(strings.TrimSuffix(file, ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata", "posts", file))
			if err != nil {
				t.Fatal(err)
			}
			r := lint.Text(string(text), file)
			if why := unread[file]; why != "" {
				if r.Claims > 0 || r.Wrong() {
					t.Errorf("%d percentages, where there are said to be none to check: %s", r.Claims, why)
				}
				return
			}
			if len(r.Tables) == 0 {
				t.Fatal("no table was found")
			}
			claims := r.Claims - baselines(r.Tables)
			total += claims
			if claims != percentages || r.Count[lint.Truncated] != truncated || r.Count[lint.Wrong] != wrong {
				t.Errorf("%d percentages, %d truncated, %d wrong; want %d, %d, %d", claims, r.Count[lint.Truncated], r.Count[lint.Wrong], percentages, truncated, wrong)
			}
			for _, f := range r.Findings {
				if f.Wrong && f.Text != slips[file] {
					t.Errorf("wrong in line %d: %s", f.Line, f.Text)
				}
				if f.Rule == lint.RuleUnread {
					t.Errorf("not read: %s", f.Text)
				}
			}
		})
	}
	if posts < 40 || total < 780 {
		t.Errorf("%d percentages of %d posts", total, posts)
	}
}

// baselines is how often tables of mmtests compare the base with itself.
func baselines(found []dialect.Found) int {
	n := 0
	for _, f := range found {
		if f.Table.Form == nil && !f.Table.Layout.NoCompare {
			n += len(f.Table.Rows)
		}
	}
	return n
}
