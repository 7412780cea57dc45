package safe

import (
	"regexp"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// HTML returns a fragment of HTML without what could run, load something from
// elsewhere, or cover the page around it. Pictures stay if they are in the
// fragment, as data URIs; links stay and are followed only by a click.
//
// The fragment is closed: whatever it leaves open ends with it, and it cannot end
// what it did not begin.
func HTML(untrusted string) string {
	// The policy has the last word: what is written here from the tree of a
	// browser goes through it again.
	out := policy.Sanitize(closed(policy.Sanitize(untrusted)))
	if !strings.Contains(out, `\`) {
		return out
	}
	// The policy looks at styles with their escapes undone, and a browser may
	// undo them in another way: a style that has any goes.
	return tag.ReplaceAllStringFunc(out, func(t string) string {
		return escapedStyle.ReplaceAllString(t, "")
	})
}

// closed reads a fragment as a browser does in the body of a page, and writes what
// was read. What cannot be read, because it lies too deep in itself, becomes text.
func closed(fragment string) string {
	body := &html.Node{Type: html.ElementNode, DataAtom: atom.Body, Data: "body"}
	nodes, err := html.ParseFragment(strings.NewReader(fragment), body)
	if err != nil {
		return html.EscapeString(fragment)
	}
	var b strings.Builder
	for _, n := range nodes {
		if err := html.Render(&b, n); err != nil {
			return html.EscapeString(fragment)
		}
	}
	return b.String()
}

var (
	// The policy leaves no < or > inside of a tag, and no " inside of a value.
	tag          = regexp.MustCompile(`<[^<>]+>`)
	escapedStyle = regexp.MustCompile(` style="[^"]*\\[^"]*"`)
)

// policy is the list of what stays. A policy is safe for use by several
// goroutines once it is made.
var policy = newPolicy()

var (
	name       = regexp.MustCompile(`^[A-Za-z][\w.:-]{0,100}$`)
	number     = regexp.MustCompile(`^[0-9]{1,5}%?$`)
	align      = regexp.MustCompile(`^(?:left|right|center)$`)
	scope      = regexp.MustCompile(`^(?:row|col|rowgroup|colgroup)$`)
	role       = regexp.MustCompile(`^(?:img|table|region|note)$`)
	languageOf = regexp.MustCompile(`^language-[\w+#-]{1,30}$`)
	// picture is a picture of points in the text itself.
	picture = regexp.MustCompile(`^data:image/(?:png|jpe?g|gif|webp);base64,[A-Za-z0-9+/=\s]+$`)
)

// textElements have no attributes that need a list of their own.
var textElements = []string{
	"h1", "h2", "h3", "h4", "h5", "h6", "p", "br", "hr", "div", "span", "section", "article", "blockquote",
	"pre", "code", "kbd", "samp", "var", "em", "strong", "b", "i", "u", "s", "del", "ins", "sub", "sup", "small",
	"mark", "abbr", "ul", "ol", "li", "dl", "dt", "dd", "table", "caption", "colgroup", "col", "thead", "tbody",
	"tfoot", "tr", "th", "td", "figure", "figcaption", "details", "summary", "a", "img", "progress", "meter",
}

// styles are the properties that change how a thing looks where it is. None
// takes it out of its place.
var styles = []string{
	"text-align", "vertical-align", "white-space", "font", "font-family", "font-size", "font-style", "font-weight",
	"line-height", "color", "background-color", "border", "border-left", "border-right", "border-top", "border-bottom",
	"border-collapse", "border-color", "border-radius", "padding", "padding-left", "padding-right", "padding-top",
	"padding-bottom", "margin", "margin-left", "margin-right", "margin-top", "margin-bottom", "width", "max-width",
	"height", "max-height", "min-width", "text-decoration", "tab-size", "overflow-x",
	// Of drawings.
	"fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray",
	"stroke-linecap", "stroke-linejoin", "opacity", "text-anchor", "dominant-baseline", "stop-color", "stop-opacity",
}

func newPolicy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements(textElements...)
	p.AllowNoAttrs().OnElements("span", "a", "img")
	p.AllowAttrs("title", "lang", "dir", "aria-label").Globally()
	p.AllowAttrs("id").Matching(name).Globally()
	p.AllowAttrs("role").Matching(role).Globally()
	p.AllowAttrs("class").Matching(languageOf).OnElements("code")
	p.AllowAttrs("colspan", "rowspan", "span").Matching(number).OnElements("td", "th", "col", "colgroup")
	p.AllowAttrs("scope").Matching(scope).OnElements("th")
	p.AllowAttrs("align").Matching(align).OnElements("td", "th", "col", "p", "div")
	p.AllowAttrs("start", "value").Matching(number).OnElements("ol", "li")
	p.AllowAttrs("value", "max", "min").Matching(bluemonday.Number).OnElements("progress", "meter")
	p.AllowAttrs("open").Matching(regexp.MustCompile(`^(?:open)?$`)).OnElements("details")

	// Following a link is the reader's own doing.
	p.AllowStandardURLs()
	p.AllowRelativeURLs(true)
	p.AllowAttrs("href").OnElements("a")
	p.RequireNoReferrerOnLinks(true)

	p.AllowAttrs("src").Matching(picture).OnElements("img")
	p.AllowAttrs("alt").OnElements("img")
	p.AllowAttrs("width", "height").Matching(number).OnElements("img")
	p.AllowDataURIImages()

	p.AllowStyles(styles...).MatchingHandler(harmless).Globally()

	// Drawings. HTML has no capital letters in names here; the browser puts
	// them back.
	p.AllowElements(lower(svgElements)...)
	p.AllowNoAttrs().OnElements(lower(svgElements)...)
	p.AllowAttrs(lower(svgAttributes)...).Matching(value).OnElements(lower(svgElements)...)
	p.AllowAttrs("href", "xlink:href").Matching(picture).OnElements("image")
	return p
}

func lower(names []string) []string {
	all := make([]string, len(names))
	for i, n := range names {
		all[i] = strings.ToLower(n)
	}
	return all
}
