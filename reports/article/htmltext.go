package article

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/schedlab/schedlab/reports/safe"
)

// lineEnds are elements after which a new line begins.
var lineEnds = []atom.Atom{atom.P, atom.Div, atom.Tr, atom.Br, atom.Li, atom.Pre, atom.Caption, atom.H1, atom.H2, atom.H3, atom.H4, atom.Dd, atom.Dt}

// htmlText is the words of HTML, a row of a table in a line, for an output that
// has no text of its own.
func htmlText(fragment string) string {
	body := &html.Node{Type: html.ElementNode, DataAtom: atom.Body, Data: "body"}
	nodes, err := html.ParseFragment(strings.NewReader(safe.HTML(fragment)), body)
	if err != nil {
		return ""
	}
	var b strings.Builder
	for _, n := range nodes {
		writeWords(&b, n)
	}
	var kept []string
	for line := range strings.Lines(b.String()) {
		if line = strings.TrimSpace(line); line != "" {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

func writeWords(b *strings.Builder, n *html.Node) {
	if n.Type == html.TextNode {
		if n.Parent != nil && n.Parent.DataAtom == atom.Pre {
			b.WriteString(n.Data)
			return
		}
		text := strings.Join(strings.Fields(n.Data), " ")
		if strings.HasPrefix(n.Data, " ") {
			text = " " + text
		}
		if strings.HasSuffix(n.Data, " ") && strings.TrimSpace(text) != "" {
			text += " "
		}
		b.WriteString(text)
		return
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		writeWords(b, c)
	}
	switch {
	case slices.Contains(lineEnds, n.DataAtom):
		b.WriteByte('\n')
	case n.DataAtom == atom.Td || n.DataAtom == atom.Th:
		b.WriteString("  ")
	}
}
