package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/schedlab/schedlab/reports/author"
)

// TestImportDialect: what hyperfine exports of two kernels is a table to post, which is
// of measurements and not marked as simulated.
func TestImportDialect(t *testing.T) {
	dir := t.TempDir()
	export := func(name, command string, times ...float64) string {
		file := filepath.Join(dir, name)
		text := fmt.Sprintf(`{"results":[{"command":%q,"times":%s},{"command":"only %s","times":[1]}]}`, command, strings.ReplaceAll(fmt.Sprint(times), " ", ","), name)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	base, patched := export("v6.1.json", "bt", 24, 26), export("v6.1+patch.json", "bt", 23, 23)
	for _, tc := range []struct{ dialect, want string }{
		{author.PlusMinus, "    v6.1                    v6.1+patch\nbt  25.000000+-1.414214     23.000000+-0.000000\n"},
		{author.MMTests, "Amean     bt       25.00 (   0.00%)       23.00 (   8.00%)\n"},
		{author.Robot, "     25.00 ±  6%      -8.0%      23.00        bt\n"},
		{author.Hyperfine, "| `bt v6.1` | 25.000 ± 1.414 | 24.000 | 26.000 | 1.09 ± 0.06 |\n"},
		{author.BasePatch, "bt\nbase:   25.00±5.7%\npatch:  23.00±0.0% -8.0%\n"},
	} {
		t.Run(strings.ReplaceAll(tc.dialect, "/", " "), func(t *testing.T) {
			stdout, stderr := want(t, exitDone, "import", base, patched, "--dialect", tc.dialect)
			if !strings.Contains(stdout, tc.want) || strings.Contains(stdout, author.Mark) {
				t.Errorf("no %q in\n%s", tc.want, stdout)
			}
			if strings.Count(stderr, "not in both files") != 2 {
				t.Errorf("stderr %q", stderr)
			}
		})
	}
	for _, tc := range []struct {
		name string
		exit int
		args []string
		want string
	}{
		{"one file", exitUsage, []string{base}, "a table of two files"},
		{"nothing in common", exitFailed, []string{base, export("x.json", "lu", 1, 2)}, "have no figure in common"},
		{"no result", exitFailed, []string{base, lscpuFile}, "not known as a result"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, stderr := want(t, tc.exit, append([]string{"import", "--dialect", "plain"}, tc.args...)...)
			if !strings.Contains(stderr, tc.want) {
				t.Errorf("stderr %q", stderr)
			}
		})
	}
	want(t, exitUsage, "import", base, patched, "--dialect", "gorman")
}
