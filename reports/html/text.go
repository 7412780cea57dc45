package html

import (
	"html/template"
	"regexp"
	"strings"

	"github.com/schedlab/schedlab/reports/view"
)

// link matches an address in running text, without what ends a sentence.
var link = regexp.MustCompile(`https?://[^\s<>"]*[^\s<>".,;:!?)\]]`)

// text is running text, in which addresses are links. Links are not loaded.
func text(s string) template.HTML {
	var b strings.Builder
	at := 0
	for _, m := range link.FindAllStringIndex(s, -1) {
		b.WriteString(template.HTMLEscapeString(s[at:m[0]]))
		url := template.HTMLEscapeString(s[m[0]:m[1]])
		b.WriteString(`<a href="` + url + `">` + url + `</a>`)
		at = m[1]
	}
	b.WriteString(template.HTMLEscapeString(s[at:]))
	return template.HTML(b.String())
}

// para is a paragraph, or nothing.
func para(s string) template.HTML {
	if s == "" {
		return ""
	}
	return "<p>" + text(s) + "</p>"
}

// facts is labelled lines.
func facts(fs []view.Fact) template.HTML {
	var b strings.Builder
	for _, f := range fs {
		b.WriteString("<li><strong>" + template.HTMLEscapeString(f.Label) + "</strong>: " + string(text(f.Text)) + "</li>\n")
	}
	return list(b.String())
}

// items is a list.
func items(lines []string) template.HTML {
	var b strings.Builder
	for _, s := range lines {
		b.WriteString("<li>" + string(text(s)) + "</li>\n")
	}
	return list(b.String())
}

func list(lines string) template.HTML {
	if lines == "" {
		return ""
	}
	return template.HTML("<ul>\n" + lines + "</ul>")
}

// pre is text as it stands, in a box that the keyboard can scroll.
func pre(s string) template.HTML {
	return template.HTML(`<pre tabindex="0">` + template.HTMLEscapeString(strings.Trim(s, "\n")) + "</pre>")
}
