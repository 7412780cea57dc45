package safe_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/schedlab/schedlab/reports/safe"
	"github.com/schedlab/schedlab/topology"
	"github.com/schedlab/schedlab/topology/diagram"
)

// attacks are pieces of HTML that run or load something in a browser, by way of
// everything that browsers have had for it.
var attacks = []string{
	`<script>alert(1)</script>`, `<SCRIPT SRC=//evil.example/x.js></SCRIPT>`, `<scr<script>ipt>alert(1)</script>`,
	`<img src=x onerror=alert(1)>`, `<img src="https://evil.example/pixel.png">`, `<img srcset="//evil.example/1x.png 1x">`,
	`<a href="javascript:alert(1)">x</a>`, `<a href="java&#10;script:alert(1)">x</a>`, `<a href=" &#1; javascript:alert(1)">x</a>`,
	`<a href="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">x</a>`, `<a href="vbscript:x">x</a>`,
	`<iframe src="//evil.example"></iframe>`, `<iframe srcdoc="<script>alert(1)</script>"></iframe>`,
	`<object data="//evil.example"></object>`, `<embed src="//evil.example">`, `<base href="//evil.example/">`,
	`<link rel=stylesheet href="//evil.example/x.css">`, `<meta http-equiv=refresh content="0;url=//evil.example">`,
	`<style>@import "//evil.example/x.css"; body{background:url(//evil.example)}</style>`,
	`<div style="background:url(//evil.example)">x</div>`, `<div style="background-color:url(//evil.example)">x</div>`,
	`<div style="width:expression(alert(1))">x</div>`, `<div style="color:\75\72\6c(//evil.example)">x</div>`,
	`<div style="position:fixed;inset:0">x</div>`, `<div style="font-family:image-set('//evil.example' 1x)">x</div>`,
	`<form action="//evil.example"><input name=q><button>go</button></form>`, `<input autofocus onfocus=alert(1)>`,
	`<video src="//evil.example" poster="//evil.example"></video>`, `<audio src="//evil.example"></audio>`,
	`<table background="//evil.example"><tr><td background="//evil.example">x</td></tr></table>`,
	`<svg onload=alert(1)></svg>`, `<svg><script>alert(1)</script></svg>`, `<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>`,
	`<svg><use href="//evil.example/x.svg#a"/></svg>`, `<svg><image href="//evil.example/x.png"/></svg>`,
	`<svg><image xlink:href="data:image/svg+xml;base64,PHN2Zy8+"/></svg>`,
	`<svg><animate attributeName=href to="javascript:alert(1)"/></svg>`, `<svg><set attributeName=onmouseover to=alert(1) /></svg>`,
	`<svg><foreignObject><iframe src="//evil.example"></iframe></foreignObject></svg>`,
	`<svg><style>*{background:url(//evil.example)}</style></svg>`, `<svg><title><img src=x onerror=alert(1)></title></svg>`,
	`<svg><desc><img src=x onerror=alert(1)></desc></svg>`, `<svg><rect fill="url(//evil.example#a)"/></svg>`,
	`<svg><rect style="fill:url('//evil.example#a')"/></svg>`, `<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">`,
	`<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">`,
	`<noscript><p title="</noscript><img src=x onerror=alert(1)>">`, `<template><script>alert(1)</script></template>`,
	`<textarea></textarea><img src=x onerror=alert(1)>`, `<xmp><img src=x onerror=alert(1)></xmp>`, `<plaintext><b onclick=alert(1)>`,
	`<!--><img src=x onerror=alert(1)>-->`, `<![CDATA[<img src=x onerror=alert(1)>]]>`, `<?xml-stylesheet href="//evil.example/x.xsl"?>`,
	`<p id="a" onclick="alert(1)" data-x="1" contenteditable>x</p>`, `<details ontoggle=alert(1) open>x</details>`,
	`<marquee onstart=alert(1)>x</marquee>`, `<isindex action=javascript:alert(1) type=image>`, "<img src=`x` onerror=alert(1)>",
	"<div \x00onclick=alert(1)>", `<b/onclick=alert(1)>x`, `<a href="//evil.example" target=_blank ping="//evil.example">x</a>`,
}

// checkHTML fails for anything that is not on the lists as a browser reads it.
func checkHTML(t *testing.T, page string) {
	t.Helper()
	body := &html.Node{Type: html.ElementNode, DataAtom: atom.Body, Data: "body"}
	nodes, err := html.ParseFragment(strings.NewReader(page), body)
	if err != nil {
		t.Fatalf("%v in %s", err, page)
	}
	for _, n := range nodes {
		for n := range n.Descendants() {
			checkNode(t, n, page)
		}
		checkNode(t, n, page)
	}
}

var runs = []string{
	"script", "style", "iframe", "frame", "object", "embed", "base", "link", "meta", "form", "input", "button", "textarea",
	"select", "video", "audio", "source", "track", "use", "animate", "set", "animatetransform", "foreignobject", "math",
	"template", "noscript", "xmp", "plaintext", "marquee", "applet",
}

func checkNode(t *testing.T, n *html.Node, page string) {
	t.Helper()
	if n.Type == html.CommentNode {
		t.Errorf("a comment in %s", page)
	}
	if n.Type != html.ElementNode {
		return
	}
	if slices.Contains(runs, strings.ToLower(n.Data)) {
		t.Errorf("<%s> in %s", n.Data, page)
	}
	for _, a := range n.Attr {
		key, v := strings.ToLower(a.Key), strings.ToLower(strings.TrimSpace(a.Val))
		switch {
		case strings.HasPrefix(key, "on"), key == "srcdoc", key == "srcset", key == "ping", key == "target", key == "background", key == "poster":
			t.Errorf("%s=%q in %s", a.Key, a.Val, page)
		case key == "src" && !strings.HasPrefix(v, "data:image/"):
			t.Errorf("%s=%q is loaded in %s", a.Key, a.Val, page)
		case key == "href" && n.Data != "a" && !strings.HasPrefix(v, "data:image/"):
			t.Errorf("%s=%q of <%s> is loaded in %s", a.Key, a.Val, n.Data, page)
		case key == "href" && n.Data == "a" && !followed(v):
			t.Errorf("%s=%q of a link in %s", a.Key, a.Val, page)
		case strings.Contains(strings.ReplaceAll(v, "url(#", ""), "url("), key == "style" && (strings.Contains(v, `\`) || strings.Contains(v, "position") || strings.Contains(v, "image-set")):
			t.Errorf("%s=%q in %s", a.Key, a.Val, page)
		}
	}
}

// scheme is what a browser takes for the scheme of an address, which it looks for
// after leaving out what is not seen.
var scheme = regexp.MustCompile(`^[\x00-\x20]*([a-zA-Z][a-zA-Z0-9+.\-\t\r\n]*):`)

// followed tells whether a link goes to a page or a mail, and runs nothing.
func followed(address string) bool {
	m := scheme.FindStringSubmatch(address)
	if m == nil {
		return true
	}
	s := strings.NewReplacer("\t", "", "\r", "", "\n", "").Replace(m[1])
	return slices.Contains([]string{"http", "https", "mailto"}, s) || strings.HasPrefix(strings.TrimSpace(address), "data:image/")
}

func TestHTMLDropsAttacks(t *testing.T) {
	for _, attack := range attacks {
		checkHTML(t, safe.HTML(attack))
		// Within what stays, and with what is left open.
		checkHTML(t, safe.HTML(`<table><tr><td style="text-align:right">`+attack+`</td></tr></table>`))
		checkHTML(t, safe.HTML(`<svg><g>`+attack+`</g></svg>`))
	}
}

// TestHTMLSafeTwice: what has passed passes unchanged, so that its order with
// other steps does not matter.
func TestHTMLSafeTwice(t *testing.T) {
	for _, attack := range attacks {
		once := safe.HTML(attack)
		if twice := safe.HTML(once); twice != once {
			t.Errorf("%s\n%s", once, twice)
		}
	}
}

func TestHTMLKeeps(t *testing.T) {
	for _, kept := range []string{
		`<h2 id="a">x</h2>`, `<table><thead><tr><th scope="col" style="text-align: right">n</th></tr></thead><tbody><tr><td colspan="2">1 &lt; 2</td></tr></tbody></table>`,
		`<span style="border-left: 4px solid #009e73; padding-left: 6px; white-space: nowrap">missed</span>`,
		`<details open=""><summary>more</summary><pre><code class="language-go">x</code></pre></details>`,
		`<img src="data:image/png;base64,iVBORw0KGgo=" alt="a figure"/>`,
		`<svg viewbox="0 0 10 10" role="img"><title>t</title><g transform="scale(1, -1) translate(0, -5)"><path d="M0,1L2,3Z" style="fill: currentColor; fill-opacity: 0.2"></path></g><text x="1" y="2" text-anchor="middle">a &amp; b</text></svg>`,
		`<rect fill="url(#hatch)" stroke="rgb(1, 2, 3)"></rect>`,
		`<ul><li>a <em>b</em></li></ul>`, `<progress value="3" max="9"></progress>`,
	} {
		if got := safe.HTML(kept); got != kept {
			t.Errorf("%s\nbecomes\n%s", kept, got)
		}
	}
	if got := safe.HTML(`<a href="https://lore.kernel.org/r/x">x</a>`); !strings.Contains(got, `href="https://lore.kernel.org/r/x"`) {
		t.Errorf("the link is lost: %s", got)
	}
}

// checkSVG fails for anything in a drawing that runs or is loaded.
func checkSVG(t *testing.T, svg []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
		e, ok := tok.(xml.StartElement)
		if !ok {
			if _, ok := tok.(xml.ProcInst); ok {
				t.Errorf("an instruction in %s", svg)
			}
			if _, ok := tok.(xml.Directive); ok {
				t.Errorf("a directive in %s", svg)
			}
			continue
		}
		if slices.Contains(runs, strings.ToLower(e.Name.Local)) && e.Name.Local != "style" || e.Name.Local == "a" {
			t.Errorf("<%s> in %s", e.Name.Local, svg)
		}
		for _, a := range e.Attr {
			key, v := strings.ToLower(a.Name.Local), strings.ToLower(a.Value)
			if strings.HasPrefix(key, "on") || key == "href" && !strings.HasPrefix(v, "data:image/png;") ||
				strings.Contains(strings.ReplaceAll(v, "url(#", ""), "url(") {
				t.Errorf("%s=%q in %s", a.Name.Local, a.Value, svg)
			}
		}
	}
}

func TestSVGDropsAttacks(t *testing.T) {
	const head = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x "y">]><?xml-stylesheet href="//evil.example"?>` +
		`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:h="http://www.w3.org/1999/xhtml" onload="alert(1)">`
	for _, inside := range []string{
		`<script>alert(1)</script>`, `<a xlink:href="javascript:alert(1)"><text>x</text></a>`, `<use href="//evil.example/x.svg#a"/>`,
		`<image href="//evil.example/x.png"/>`, `<image xlink:href="data:image/svg+xml;base64,PHN2Zy8+"/>`,
		`<foreignObject><h:script>alert(1)</h:script></foreignObject>`, `<h:script>alert(1)</h:script>`, `<h:img src="x" onerror="alert(1)"/>`,
		`<animate attributeName="href" to="javascript:alert(1)"/>`, `<set attributeName="onload" to="alert(1)"/>`,
		`<style>@import "//evil.example"</style>`, `<style>rect{fill:url(//evil.example)}</style>`, `<style>rect{fill:u\72l(//evil.example)}</style>`,
		`<style>/*]]&gt;&lt;/style&gt;&lt;script&gt;*/</style>`, `<rect style="fill:url(//evil.example)"/>`, `<rect fill="url(//evil.example#a)"/>`,
		`<rect onclick="alert(1)" data-x="1"/>`, `<handler type="text/javascript">alert(1)</handler>`, `<filter><feImage href="//evil.example"/></filter>`,
		`<!-- <script>alert(1)</script> -->`, `<![CDATA[<script>alert(1)</script>]]>`,
	} {
		got, err := safe.SVG([]byte(head + inside + `<rect x="1"/></svg>`))
		if err != nil {
			t.Errorf("%s: %v", inside, err)
			continue
		}
		checkSVG(t, got)
		if !bytes.Contains(got, []byte(`<rect x="1">`)) || bytes.Contains(got, []byte("evil")) {
			t.Errorf("%s\nbecomes\n%s", inside, got)
		}
	}
}

// TestSVGKeeps: the drawing of a machine is drawn as before.
func TestSVGKeeps(t *testing.T) {
	m, err := topology.Load("csl-2s-80")
	if err != nil {
		t.Fatal(err)
	}
	var before bytes.Buffer
	if err := diagram.WriteSVG(&before, m); err != nil {
		t.Fatal(err)
	}
	after, err := safe.SVG(before.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"<rect", "<text", "<path", "<style>", "<pattern", "prefers-color-scheme: dark", "viewBox=", "class="} {
		if b, a := strings.Count(before.String(), part), strings.Count(string(after), part); a != b || a == 0 {
			t.Errorf("%d of %d %q are kept", a, b, part)
		}
	}
}

// TestSVGKeepsPixels: a heat map is a picture of points in the drawing, which
// gonum calls image/jpg.
func TestSVGKeepsPixels(t *testing.T) {
	for _, kind := range []string{"png", "jpg", "jpeg"} {
		svg := `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">` +
			`<image x="1" width="2" xlink:href="data:image/` + kind + `;base64,iVBORw0KGgo="></image></svg>`
		for _, form := range []string{svg, strings.Replace(svg, ` xmlns:xlink="http://www.w3.org/1999/xlink"`, "", 1)} {
			got, err := safe.SVG([]byte(form))
			if err != nil || string(got) != svg {
				t.Errorf("%s\nbecomes\n%s, %v", form, got, err)
			}
		}
	}
}

func TestSVGRefuses(t *testing.T) {
	for _, bad := range []string{"", "x", "<p/>", "<svg>", "<svg/><svg/>", "<svg>&x;</svg>", "<svg><style><b/></style></svg>",
		"<h:svg xmlns:h='http://www.w3.org/1999/xhtml'/>", strings.Repeat("<svg>", 500) + strings.Repeat("</svg>", 500)} {
		if got, err := safe.SVG([]byte(bad)); err == nil {
			t.Errorf("%.40q becomes %.80q", bad, got)
		}
	}
}

func TestPicture(t *testing.T) {
	if got, ok := safe.Picture("image/png", "iVBO\nRw0=", `"><script>`); !ok || got != `<img src="data:image/png;base64,iVBORw0=" alt="&#34;&gt;&lt;script&gt;">` {
		t.Errorf("%s", got)
	}
	for _, bad := range [][2]string{{"image/svg+xml", "PHN2Zy8+"}, {"text/html", "PGI+"}, {"image/png", `"><script>`}, {"image/png", ""}} {
		if got, ok := safe.Picture(bad[0], bad[1], ""); ok {
			t.Errorf("%v becomes %s", bad, got)
		}
	}
	checkHTML(t, safe.Image([]byte("<svg/>"), `" onerror="alert(1)`))
}

// TestHTMLIsClosed: a fragment does not end what is around it.
func TestHTMLIsClosed(t *testing.T) {
	for fragment, want := range map[string]string{
		"</div></section>x":            "x",
		"<div><b>x":                    "<div><b>x</b></div>",
		"<table><tr><td>x":             "<table><tbody><tr><td>x</td></tr></tbody></table>",
		"</td></tr></table><p>x</div>": "<p>x</p>",
	} {
		if got := safe.HTML(fragment); got != want {
			t.Errorf("%s becomes %s, want %s", fragment, got, want)
		}
	}
}

// TestHTMLTooDeep: what is too deep to be read is shown as it is written.
func TestHTMLTooDeep(t *testing.T) {
	got := safe.HTML(strings.Repeat("<div>", 100_000) + "words<script>alert(1)</script>")
	if !strings.Contains(got, "words") {
		t.Error("the words are lost")
	}
	if strings.Contains(got, "<script") {
		t.Error("a script is kept")
	}
}

func ExampleHTML() {
	fmt.Println(safe.HTML(`<p onclick="alert(1)">A <b>table</b><script>alert(1)</script></p>`))
	// Output:
	// <p>A <b>table</b></p>
}

func FuzzHTML(f *testing.F) {
	for _, attack := range attacks {
		f.Add(attack)
	}
	f.Fuzz(func(t *testing.T, s string) { checkHTML(t, safe.HTML(s)) })
}

func FuzzSVG(f *testing.F) {
	f.Add([]byte(`<svg xmlns="http://www.w3.org/2000/svg"><g><rect style="fill:url(#a);x:y" x="1"/><style>a{fill:red}</style></g></svg>`))
	f.Add([]byte(`<svg><image href="data:image/png;base64,AAAA"/><text>a&amp;b</text></svg>`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if svg, err := safe.SVG(data); err == nil {
			checkSVG(t, svg)
		}
	})
}
