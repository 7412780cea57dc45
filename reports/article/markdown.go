package article

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/schedlab/schedlab/reports/nb"
	"github.com/schedlab/schedlab/reports/safe"
)

// A File is a picture beside a Markdown document.
type File struct {
	Name string
	Data []byte
}

// Markdown writes the article as GitHub's Markdown, and the pictures that it
// links to. HTML in the text and in outputs has gone through package safe;
// pictures that the text of the notebook links to stay links.
func (a *Article) Markdown() ([]byte, []File) {
	m := markdownWriter{article: a}
	for _, c := range a.notebook.Cells {
		switch c.Type {
		case nb.Markdown:
			m.text(c)
		case nb.Code:
			m.code(c)
			for i, o := range c.Outputs {
				m.output(c, o, fmt.Sprintf("%s-%d", c.ID, i+1))
			}
		}
	}
	return []byte(strings.Join(m.parts, "\n\n") + "\n"), m.files
}

// markdownWriter collects the blocks of a document.
type markdownWriter struct {
	article *Article
	parts   []string
	files   []File
}

func (m *markdownWriter) add(block string) {
	if block = strings.Trim(block, "\n"); block != "" {
		m.parts = append(m.parts, block)
	}
}

// text is a cell of text. What is attached to it becomes files.
func (m *markdownWriter) text(c *nb.Cell) {
	source := cleaned(c.Source)
	attached := attachments(c)
	for _, name := range names(attached) {
		o := attached[name]
		for _, mime := range pictureTypes {
			data, ok := o.MIME(mime)
			if !ok || mime == mimeSVG {
				continue
			}
			if picture, err := decode(data); err == nil {
				file := m.picture(fmt.Sprintf("%s-%d", c.ID, len(m.files)+1), mime, picture)
				source = strings.ReplaceAll(source, "attachment:"+name, file)
				break
			}
		}
	}
	m.add(source)
}

// cleaned is Markdown whose HTML has gone through package safe. A text with links
// that do other than lead somewhere is only quoted.
func cleaned(source string) string {
	doc, data := parse(source)
	var dirty []ast.Node
	bad := false
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			bad = bad || !leads(string(n.Destination))
		case *ast.AutoLink:
			bad = bad || n.AutoLinkType == ast.AutoLinkURL && !leads(string(n.URL(data)))
		case *ast.Image:
			bad = bad || !leads(string(n.Destination)) && !strings.HasPrefix(string(n.Destination), "data:image/") &&
				!strings.HasPrefix(string(n.Destination), "attachment:")
		case *ast.HTMLBlock, *ast.RawHTML:
			dirty = append(dirty, n)
		}
		return ast.WalkContinue, nil
	})
	if bad {
		return "A text with a link that would run something, as it stands in the notebook:\n\n" + fence("", source)
	}
	return replaceHTML(source, dirty, data)
}

// leads tells whether a link goes to a page, a mail, or a place beside.
func leads(address string) bool {
	scheme, _, ok := strings.Cut(address, ":")
	if !ok || strings.ContainsAny(scheme, "/?#") {
		return true
	}
	return slices.Contains([]string{"http", "https", "mailto"}, strings.ToLower(strings.TrimSpace(scheme)))
}

// replaceHTML puts safe HTML in the place of that of nodes in a source. Tags within
// a line that package safe would complete are kept or dropped one by one.
func replaceHTML(source string, nodes []ast.Node, data []byte) string {
	type piece struct {
		start, stop int
		text        string
	}
	var pieces []piece
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.HTMLBlock:
			lines := n.Lines()
			if lines.Len() == 0 {
				continue
			}
			start, stop := lines.At(0).Start, lines.At(lines.Len()-1).Stop
			if n.HasClosure() {
				start, stop = min(start, n.ClosureLine.Start), max(stop, n.ClosureLine.Stop)
			}
			pieces = append(pieces, piece{start, stop, oneBlock(safe.HTML(string(data[start:stop])))})
		case *ast.RawHTML:
			for i := range n.Segments.Len() {
				s := n.Segments.At(i)
				pieces = append(pieces, piece{s.Start, s.Stop, safeTag(string(s.Value(data)))})
			}
		}
	}
	slices.SortFunc(pieces, func(a, b piece) int { return a.start - b.start })
	var b strings.Builder
	at := 0
	for _, p := range pieces {
		if p.start < at {
			continue
		}
		b.WriteString(source[at:p.start] + p.text)
		at = p.stop
	}
	return b.String() + source[at:]
}

// plainTags are those that may stand in a line of text, without attributes.
var plainTags = []string{"b", "i", "u", "s", "em", "strong", "sub", "sup", "kbd", "code", "small", "mark", "del", "ins", "br", "br/", "br /"}

// safeTag keeps a single tag, of which a text has the beginning and the end as two.
func safeTag(tag string) string {
	name := strings.ToLower(strings.TrimSpace(strings.Trim(tag, "<>")))
	if slices.Contains(plainTags, strings.TrimPrefix(name, "/")) {
		return tag
	}
	return ""
}

// oneBlock is HTML without the blank lines that would end it in Markdown.
func oneBlock(fragment string) string {
	var kept []string
	for line := range strings.Lines(fragment) {
		if strings.TrimSpace(line) != "" {
			kept = append(kept, strings.TrimRight(line, "\n"))
		}
	}
	return strings.Join(kept, "\n") + "\n"
}

// code is the source of a cell as the article has it.
func (m *markdownWriter) code(c *nb.Cell) {
	switch m.article.codeOf(c) {
	case Show:
		m.add(fence("go", c.Source))
	case Fold:
		m.add("<details>\n<summary>" + html.EscapeString(summary(c)) + "</summary>\n\n" + fence("go", c.Source) + "\n\n</details>")
	}
}

// output is the best form of an output that Markdown can show: as Markdown, as a
// picture beside, as text, as HTML.
func (m *markdownWriter) output(c *nb.Cell, o *nb.Output, place string) {
	switch o.Type {
	case nb.Stream:
		m.add(fence("", plain(o.Text)))
		return
	case nb.ErrorOutput:
		m.add(fence("", errorText(o)))
		return
	}
	if source, ok := o.MIME(mimeMarkdown); ok {
		m.add(cleaned(source))
		return
	}
	for _, mime := range pictureTypes {
		data, ok := o.MIME(mime)
		if !ok {
			continue
		}
		picture, err := decode(data)
		if mime == mimeSVG {
			picture, err = safe.SVG([]byte(data))
		}
		if err == nil {
			m.add("![" + altText(altOf(o)) + "](" + m.picture(place, mime, picture) + ")")
			return
		}
	}
	text, hasText := o.MIME(mimeText)
	if fragment, ok := o.MIME(mimeHTML); ok && !hasText {
		if clean := safe.HTML(fragment); shows(clean) {
			m.add(oneBlock(clean))
			return
		}
	}
	if hasText {
		m.add(fence("", plain(text)))
		return
	}
	m.add("*" + nothingShown(o) + "*")
}

// altText is the text of an image in Markdown, in which brackets would end it.
func altText(s string) string {
	return strings.NewReplacer("[", "(", "]", ")", "\\", "/", "<", "", ">", "", "!", "").Replace(s)
}

// picture adds a file and returns its name.
func (m *markdownWriter) picture(place, mime string, data []byte) string {
	name := m.article.name + "-" + place + extensions[mime]
	m.files = append(m.files, File{name, data})
	return name
}

// fence is text as a block of code, behind a fence longer than any inside.
func fence(language, s string) string {
	mark := "```"
	for strings.Contains(s, mark) {
		mark += "`"
	}
	s = strings.Trim(s, "\n")
	if strings.TrimSpace(s) == "" {
		return ""
	}
	return mark + language + "\n" + s + "\n" + mark
}
