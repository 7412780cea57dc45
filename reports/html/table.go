package html

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/schedlab/schedlab/reports/view"
	"github.com/schedlab/schedlab/schedsim/study"
)

// longText is how many bytes in a cell are a sentence, which needs width.
const longText = 40

// table is a table in a box that scrolls, with a caption, heads of columns and rows,
// and an address for every row.
func (b *body) table(t view.Table) (template.HTML, error) { return b.write(t, nil) }

// results is a section's table of rows; each verdict links to how the row came
// about.
func (b *body) results(s *view.Section) (template.HTML, error) {
	return b.write(s.Comparison, func(key string) string { return "#" + address("how/"+s.Table.ID+"/"+key) })
}

// claims is the claims in prose, a line each.
func (b *body) claims(cs []view.Claim) (template.HTML, error) {
	t := view.Table{ID: "claims", Caption: "Claims of the post in prose", Cols: []view.Col{
		{Head: "claim"}, {Head: "held to"}, {Head: "verdict"}, {Head: "reason"},
	}}
	for _, c := range cs {
		t.Rows = append(t.Rows, []string{c.Quoted, c.Where, c.Verdict, c.Reason})
	}
	// An address of the words would change with them; these are numbered instead.
	return b.writeRows(t, nil, func(row int, _ string) string { return fmt.Sprint(row + 1) })
}

// write is a table whose rows are named by their first cell.
func (b *body) write(t view.Table, verdict func(key string) string) (template.HTML, error) {
	return b.writeRows(t, verdict, func(_ int, key string) string { return key })
}

func (b *body) writeRows(t view.Table, verdict func(key string) string, name func(row int, key string) string) (template.HTML, error) {
	if t.Empty() {
		return "", nil
	}
	if t.ID == "" || t.Caption == "" {
		return "", fmt.Errorf("html: the table of %q has no id or no caption; name it in the view", t.Cols[0].Head)
	}
	id := b.id("table", t.ID)
	var w strings.Builder
	fmt.Fprintf(&w, "<div class=\"scroll\" role=\"region\" aria-labelledby=\"%s.caption\" tabindex=\"0\">\n<table id=\"%s\">\n", id, id)
	fmt.Fprintf(&w, "<caption id=\"%s.caption\">%s</caption>\n<thead>\n<tr>", id, template.HTMLEscapeString(t.Caption))
	for _, c := range t.Cols {
		fmt.Fprintf(&w, `<th scope="col"%s>%s</th>`, class(c.Num, "num"), template.HTMLEscapeString(strings.Join(strings.Fields(c.Head), " ")))
	}
	w.WriteString("</tr>\n</thead>\n<tbody>\n")
	key, line := "", 0
	for i, r := range t.Rows {
		if len(r) == 0 {
			continue
		}
		line++
		again := r[0] == ""
		if !again {
			key, line = r[0], 1
		}
		parts := []string{t.ID, name(i, key)}
		if again && len(r) > 1 {
			parts = append(parts, r[1])
		}
		row := b.id(parts...)
		fmt.Fprintf(&w, `<tr id="%s">`, row)
		for j, c := range r {
			switch {
			case j == 0:
				b.head(&w, row, key, again)
			case j < len(t.Cols) && strings.TrimSpace(t.Cols[j].Head) == "verdict":
				href := ""
				if verdict != nil {
					href = verdict(key)
				}
				fmt.Fprintf(&w, "<td>%s</td>", chip(c, href))
			case j < len(t.Cols) && t.Cols[j].Num:
				fmt.Fprintf(&w, `<td class="num">%s</td>`, template.HTMLEscapeString(c))
			default:
				fmt.Fprintf(&w, "<td%s>%s</td>", class(len(c) > longText, "long"), text(c))
			}
		}
		w.WriteString("</tr>\n")
	}
	w.WriteString("</tbody>\n</table>\n</div>")
	return template.HTML(w.String()), nil
}

// head is the first cell of a row with the link to copy. Where a row goes on with
// what the one above it names, only those who cannot see that are told its name.
func (b *body) head(w *strings.Builder, row, key string, again bool) {
	name := template.HTMLEscapeString(key)
	shown := strings.ReplaceAll(name, "/", "/<wbr>") // a narrow screen may break it there
	class := class(len(key) > longText, "long")
	if again {
		fmt.Fprintf(w, `<th scope="row"%s><span class="unseen">%s</span></th>`, class, name)
		return
	}
	fmt.Fprintf(w, `<th scope="row"%s>%s <a class="here" href="#%s" aria-label="link to row %s">#</a></th>`, class, shown, row, name)
}

// chip is a verdict in its tone.
func chip(verdict, href string) string {
	if verdict == view.Missing || verdict == "" {
		return template.HTMLEscapeString(verdict)
	}
	tone := view.WordsOf(study.Verdict(strings.TrimSpace(verdict))).Tone
	if href == "" {
		return fmt.Sprintf(`<span class="chip %s">%s</span>`, tone, template.HTMLEscapeString(verdict))
	}
	return fmt.Sprintf(`<a class="chip %s" href="%s">%s</a>`, tone, href, template.HTMLEscapeString(verdict))
}

// class is an attribute with a leading blank, or nothing.
func class(is bool, name string) string {
	if !is {
		return ""
	}
	return ` class="` + name + `"`
}
