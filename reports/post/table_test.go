package post_test

import (
	"strings"
	"testing"

	"github.com/schedlab/schedlab/reports/post"
	"github.com/schedlab/schedlab/reports/view"
)

// TestWideTable: what is wider than a table may be is divided, with the first
// column in each part, and nothing is lost.
func TestWideTable(t *testing.T) {
	tab := view.Table{Cols: []view.Col{{Head: "row"}}, Rows: [][]string{{"first"}, {"second"}}}
	for i := range 12 {
		tab.Cols = append(tab.Cols, view.Col{Head: "column " + string(rune('a'+i)), Num: true})
		for k := range tab.Rows {
			tab.Rows[k] = append(tab.Rows[k], strings.Repeat(string(rune('a'+i)), 8+k))
		}
	}
	got := post.Table(tab)
	parts := strings.Split(got, "\n\n")
	if len(parts) != 2 {
		t.Fatalf("%d parts:\n%s", len(parts), got)
	}
	for _, p := range parts {
		lines := strings.Split(p, "\n")
		if len(lines) != 3 || !strings.HasPrefix(lines[0], "row") || !strings.HasPrefix(lines[1], "first") || !strings.HasPrefix(lines[2], "second") {
			t.Errorf("part\n%s", p)
		}
		for _, l := range lines {
			if len(l) > post.TableWidth {
				t.Errorf("%d columns: %s", len(l), l)
			}
		}
	}
	for i := range 12 {
		if strings.Count(got, strings.Repeat(string(rune('a'+i)), 9)) != 1 {
			t.Errorf("column %c is not there once", 'a'+i)
		}
	}
}
