package nb

import (
	"fmt"
	"slices"
	"strings"

	"github.com/schedlab/schedlab/reports/view"
	"github.com/schedlab/schedlab/schedsim/study"
)

// postGrids is a study before anything is run: the post and what it published.
func postGrids(s *study.Study) grids {
	g := grids{title: s.Title, facts: []view.Fact{
		{Label: "study", Text: s.ID},
		{Label: "post", Text: strings.TrimPrefix(s.Post.Author+", "+s.Post.Date+": "+s.Post.Subject, ", ")},
	}}
	if s.Post.Link != "" {
		g.facts = append(g.facts, view.Fact{Label: "link", Text: s.Post.Link})
	}
	for i := range s.Tables {
		g.parts = append(g.parts, publishedGrid(&s.Tables[i]))
	}
	return g
}

// publishedGrid is a table as it was published, claims in prose among its rows.
func publishedGrid(t *study.Table) grid {
	g := grid{
		caption: fmt.Sprintf("%s: %s on %s, %s %s, %s is better", t.ID, t.Workload, t.Machine, t.Statistic, t.Unit, t.Better),
		note:    t.Note,
	}
	g.Cols = []view.Col{{Head: or(t.RowName, "row")}, num("base"), num("patched"), num("change, %"), num("noise, +-%")}
	claims := slices.ContainsFunc(t.Rows, func(r study.Row) bool { return r.Text != "" })
	if claims {
		g.Cols = append(g.Cols, view.Col{Head: "claim"})
	}
	for _, r := range t.Rows {
		cells := []string{
			r.Key, view.Fixed(r.Base, 2), view.Fixed(r.Patched, 2), view.Signed(r.Pct, 2), view.Fixed(study.Number(r.Noise.Pct), 2),
		}
		if claims {
			cells = append(cells, r.Text)
		}
		g.Rows = append(g.Rows, cells)
	}
	return g
}

func num(head string) view.Col { return view.Col{Head: head, Num: true} }

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
