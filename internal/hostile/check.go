package hostile

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// elements are what a page of ours has, of HTML and, next, of SVG. None of
// them runs or loads anything by itself, but for what attributes say.
var elements = strings.Fields(`html head meta title style body main nav header footer section article aside
h1 h2 h3 h4 h5 h6 p br hr div span blockquote pre code kbd samp var em strong b i u s del ins sub sup small mark abbr
ul ol li dl dt dd table caption colgroup col thead tbody tfoot tr th td figure figcaption details summary a img
time wbr label progress meter`)

var svgElements = strings.Fields(`svg g path rect circle ellipse line polyline polygon text tspan title desc defs
clipPath linearGradient radialGradient stop pattern image marker style symbol use`)

// loading are attributes that load, send or run something in some element.
var loading = strings.Fields(`srcset imagesrcset poster action formaction background cite data longdesc ping manifest
dynsrc lowsrc codebase classid usemap profile icon srcdoc archive code attributeName from to values begin autofocus
contenteditable is`)

// Page checks a whole page: that nothing in it runs or loads anything, and that its
// content security policy forbids the same. It returns what is wrong.
func Page(page []byte) []string {
	doc, err := html.Parse(strings.NewReader(string(page)))
	if err != nil {
		return []string{err.Error()}
	}
	var c checker
	c.node(doc)
	if !c.policy {
		c.addf("no content security policy with default-src 'none' in the head")
	}
	return append(c.found, again(doc)...)
}

// Fragment checks a part of a page.
func Fragment(part []byte) []string {
	doc, err := html.Parse(strings.NewReader("<!DOCTYPE html><html><head></head><body>" + string(part)))
	if err != nil {
		return []string{err.Error()}
	}
	var c checker
	c.node(doc)
	return append(c.found, again(doc)...)
}

// again checks what a program makes of the page that reads and writes it: some texts
// become elements then.
func again(doc *html.Node) []string {
	var b strings.Builder
	if err := html.Render(&b, doc); err != nil {
		return nil // plaintext cannot be written
	}
	doc, err := html.Parse(strings.NewReader(b.String()))
	if err != nil {
		return []string{err.Error()}
	}
	var c checker
	c.node(doc)
	for i, f := range c.found {
		c.found[i] = "written again: " + f
	}
	return c.found
}

type checker struct {
	found  []string
	policy bool
}

func (c *checker) addf(format string, args ...any) {
	c.found = append(c.found, fmt.Sprintf(format, args...))
}

func (c *checker) node(n *html.Node) {
	switch n.Type {
	case html.CommentNode:
		c.addf("a comment: %.60q", n.Data)
	case html.ElementNode:
		c.element(n)
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		c.node(child)
	}
}

func (c *checker) element(n *html.Node) {
	if n.Namespace == "math" {
		c.addf("<%s> of %s", n.Data, n.Namespace)
	}
	// An element of the other of the two does nothing where it is not known.
	if !slices.Contains(elements, n.Data) && !slices.Contains(svgElements, n.Data) {
		c.addf("<%s>", n.Data)
	}
	if n.Data == "style" && n.FirstChild != nil {
		if bad := css(n.FirstChild.Data); bad != "" {
			c.addf("<style>: %s", bad)
		}
	}
	for _, a := range n.Attr {
		c.attribute(n, a)
	}
}

func (c *checker) attribute(n *html.Node, a html.Attribute) {
	key := a.Key
	if a.Namespace != "" {
		key = a.Namespace + ":" + key
	}
	bad := func() { c.addf("<%s %s=%.60q>", n.Data, key, a.Val) }
	switch {
	case strings.HasPrefix(strings.ToLower(key), "on"), slices.Contains(loading, key):
		bad()
	case key == "http-equiv":
		if n.Data != "meta" || n.Parent == nil || n.Parent.Data != "head" || !strings.EqualFold(a.Val, "content-security-policy") {
			bad()
			return
		}
		for _, b := range n.Attr {
			if b.Key == "content" && strings.Contains(b.Val, "default-src 'none'") && !strings.Contains(b.Val, "script-src") {
				c.policy = true
			}
		}
	case key == "style":
		if s := css(a.Val); s != "" {
			bad()
		} else if regexp.MustCompile(`(?i)position\s*:\s*(fixed|absolute|sticky)`).MatchString(a.Val) {
			bad()
		}
	case (key == "href" || key == "xlink:href") && n.Data == "a":
		if !link(a.Val) {
			bad()
		}
	case key == "href" || key == "xlink:href" || key == "src":
		inside := strings.HasPrefix(a.Val, "#") && n.Namespace == "svg"
		picture := (n.Data == "img" || n.Data == "image") && dataPicture.MatchString(a.Val)
		if !inside && !picture {
			bad()
		}
	case n.Namespace == "svg" && strings.Contains(strings.ToLower(a.Val), "url("):
		if s := css(a.Val); s != "" {
			bad()
		}
	}
}

var (
	dataPicture = regexp.MustCompile(`^data:image/(png|jpeg|gif|webp|svg\+xml);base64,[A-Za-z0-9+/=\s]*$`)
	scheme      = regexp.MustCompile(`^[a-z][a-z0-9+.-]*:`)
)

// link tells whether following a link is harmless, reading it as browsers do: blanks
// and control characters before it, and line ends in it, count for nothing.
func link(address string) bool {
	address = strings.TrimLeftFunc(address, func(r rune) bool { return r <= ' ' })
	address = strings.ToLower(strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(address))
	switch scheme.FindString(address) {
	case "", "http:", "https:", "mailto:":
		return true
	}
	return false
}

var (
	cssComment = regexp.MustCompile(`(?s)/\*.*?\*/`)
	cssEscape  = regexp.MustCompile(`\\([0-9a-fA-F]{1,6})\s?|\\(.)`)
	cssLoads   = regexp.MustCompile(`@import|expression\s*\(|-moz-binding|behaviou?r\s*:|image-set\s*\(|image\s*\(|src\s*\(|url\s*\(\s*['"]?[^#'"\s)]`)
)

// css tells what a style loads or runs, or nothing. Escapes are undone, and comments
// both left out and joined over.
func css(style string) string {
	plain := strings.ToLower(cssEscape.ReplaceAllStringFunc(style, func(e string) string {
		m := cssEscape.FindStringSubmatch(e)
		if n, err := strconv.ParseInt(m[1], 16, 32); err == nil {
			return string(rune(n))
		}
		return m[2]
	}))
	for _, s := range []string{plain, cssComment.ReplaceAllString(plain, "")} {
		if m := cssLoads.FindString(s); m != "" {
			return m
		}
	}
	return ""
}
