package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/study"
)

// madeUp stands in for the simulator: it has every figure that a study asks of a
// run, drawn by the run's seed.
type madeUp struct{ *study.Study }

func (m madeUp) Run(_ context.Context, j study.Job) (schedsim.Result, error) {
	rng := rand.New(rand.NewPCG(j.Seed, uint64(len(j.Arm))))
	draw := func() float64 { return 100 + rng.NormFloat64() }
	r := schedsim.Result{Throughput: draw(), MeasuredNS: int64(j.Measure), SocketShare: 0.5}
	r.Counters = schedsim.Counters{Wakeups: 10, IdleNS: 3, ShadowDecisions: 10, ShadowDiffers: 2}
	units := make(map[string]string)
	for i := range m.Tables {
		t := &m.Tables[i]
		for k := range t.Rows {
			if row := &t.Rows[k]; t.MetricOf(row) != schedsim.MetricThroughput {
				units[t.MetricOf(row)] = t.UnitOf(row)
			} else if t.Workload == j.Workload && t.Machine == j.Machine {
				r.Unit = t.UnitOf(row)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(units)) {
		r.Metrics = append(r.Metrics, schedsim.Metric{Name: name, Unit: units[name], Value: draw()})
	}
	return r, nil
}

// madeUpPlan is the plan of the made-up runs as flags.
const madeUpPlan = "--quick -n 1 --sets 2"

// madeUpStore fills a store with made-up runs of studies, for madeUpPlan.
func madeUpStore(t *testing.T, ids ...string) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "store")
	var f planFlags
	cmd := &cobra.Command{}
	f.register(cmd)
	if err := cmd.ParseFlags(strings.Fields(madeUpPlan)); err != nil {
		t.Fatal(err)
	}
	store, err := study.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	all, err := subjects(ids, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		plan, err := f.plan(s.Study, study.ModeQuick)
		if err != nil {
			t.Fatal(err)
		}
		if err := study.Run(t.Context(), s.Study, plan, madeUp{s.Study}, store, study.Options{Identity: s.identity}); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// pageWeight is what a page may weigh: it is sent by mail.
const pageWeight = 1_500_000

// TestPages holds the pages of all studies to what a reader with a screen reader,
// without a network and without scripts needs.
func TestPages(t *testing.T) {
	out := t.TempDir()
	want(t, exitDone, append(strings.Fields("render "+madeUpPlan), "--store", madeUpStore(t), "-o", out)...)
	names := append(study.IDs(), "index")
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(out, name+".html"))
			if err != nil {
				t.Fatal(err)
			}
			if len(data) > pageWeight {
				t.Errorf("%d bytes, want at most %d", len(data), pageWeight)
			}
			for _, fault := range faults(data, out) {
				t.Error(fault)
			}
			if name != "index" && bytes.Count(data, []byte("<figure")) == 0 {
				t.Error("no figure")
			}
		})
	}
}

// TestFaults: what TestPages looks for is found where it is wrong.
func TestFaults(t *testing.T) {
	const frame = `<!DOCTYPE html><html lang="en"><title>t</title><h1>a</h1>%s`
	for _, tc := range []struct{ body, want string }{
		{`<h1>b</h1>`, "2 elements h1"},
		{`<h3>b</h3>`, "h3 after h1"},
		{`<script>x</script>`, "script"},
		{`<p onclick="x">`, "onclick"},
		{`<img src="https://example.org/x.png" alt="x">`, "loads https://example.org/x.png"},
		{`<p style="background: url(http://example.org)">`, "loads"},
		{`<a href="#nowhere">b</a>`, "no #nowhere"},
		{`<p id="x"><p id="x">`, `id "x" twice`},
		{`<table><tr><td>b</table>`, "table without caption"},
		{`<table><caption>c</caption><tr><th>b</table>`, "without scope"},
		{`<table><caption>c</caption><tbody><tr><th scope="row">b</table>`, "row without id"},
		{`<svg></svg>`, "svg without"},
		{`<a href="no-such.html">b</a>`, "no-such.html"},
		{`<a href="#"></a>`, "link without words"},
		{`<p aria-labelledby="y">`, "no #y"},
	} {
		t.Run(tc.body, func(t *testing.T) {
			found := strings.Join(faults(fmt.Appendf(nil, frame, tc.body), t.TempDir()), "\n")
			if !strings.Contains(found, tc.want) {
				t.Errorf("no fault %q among %q", tc.want, found)
			}
		})
	}
	if f := faults([]byte(fmt.Sprintf(frame, `<h2 id="x">b</h2><a href="#x">c</a>`)), ""); f != nil {
		t.Errorf("faults %q in a page without", f)
	}
}

// faults lists what is wrong with a page of a directory.
func faults(page []byte, dir string) []string {
	doc, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		return []string{err.Error()}
	}
	c := checker{dir: dir, ids: make(map[string]bool), count: make(map[atom.Atom]int)}
	c.visit(doc)
	if n := c.count[atom.H1]; n != 1 {
		c.fault("%d elements h1, want 1", n)
	}
	if c.count[atom.Title] < 1 {
		c.fault("no title")
	}
	for _, target := range c.targets {
		if !c.ids[target] {
			c.fault("no #%s to go to", target)
		}
	}
	return c.faults
}

// checker walks a page.
type checker struct {
	dir     string
	ids     map[string]bool
	targets []string
	count   map[atom.Atom]int
	level   int // of the last heading
	faults  []string
}

func (c *checker) fault(format string, args ...any) {
	c.faults = append(c.faults, fmt.Sprintf(format, args...))
}

func (c *checker) visit(n *html.Node) {
	if n.Type == html.ElementNode {
		c.count[n.DataAtom]++
		c.attributes(n)
		c.element(n)
	}
	if n.Type == html.TextNode && n.Parent.DataAtom == atom.Style && (strings.Contains(n.Data, "url(") || strings.Contains(n.Data, "@import")) {
		c.fault("the style loads something")
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		c.visit(child)
	}
}

func (c *checker) attributes(n *html.Node) {
	for _, a := range n.Attr {
		switch {
		case a.Key == "id":
			if c.ids[a.Val] {
				c.fault("id %q twice", a.Val)
			}
			c.ids[a.Val] = true
		case a.Key == "aria-labelledby" || a.Key == "aria-describedby":
			c.targets = append(c.targets, strings.Fields(a.Val)...)
		case strings.HasPrefix(a.Key, "on"):
			c.fault("%s of %s runs something", a.Key, n.Data)
		case a.Key == "href" && n.DataAtom == atom.A:
			c.link(n, a.Val)
		case (a.Key == "src" || a.Key == "href" || a.Key == "srcset" || a.Key == "data") && !strings.HasPrefix(a.Val, "#") && !strings.HasPrefix(a.Val, "data:image/"):
			c.fault("%s loads %s", n.Data, a.Val)
		case strings.Contains(a.Val, "url(") && !strings.Contains(a.Val, "url(#"):
			c.fault("%s of %s loads %s", a.Key, n.Data, a.Val)
		}
	}
}

// link checks where a link goes: links are for the reader to follow, and nothing
// that the page loads.
func (c *checker) link(n *html.Node, href string) {
	if words(n) == "" && attribute(n, "aria-label") == "" {
		c.fault("link without words to %s", href)
	}
	switch target, ok := strings.CutPrefix(href, "#"); {
	case ok:
		c.targets = append(c.targets, target)
	case strings.HasPrefix(href, "https://") || strings.HasPrefix(href, "http://"):
	default:
		if _, err := os.Stat(filepath.Join(c.dir, href)); err != nil {
			c.fault("link to %s, which there is not", href)
		}
	}
}

func (c *checker) element(n *html.Node) {
	switch n.DataAtom {
	case atom.Script, atom.Iframe, atom.Object, atom.Embed, atom.Link, atom.Base, atom.Form:
		c.fault("element %s", n.Data)
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		level := int(n.Data[1] - '0')
		if level > c.level+1 {
			c.fault("%s after h%d: %s", n.Data, c.level, words(n))
		}
		if words(n) == "" {
			c.fault("%s without words", n.Data)
		}
		c.level = level
	case atom.Table:
		if caption := find(n, atom.Caption); caption == nil || words(caption) == "" {
			c.fault("table without caption")
		}
	case atom.Th:
		if s := attribute(n, "scope"); s != "col" && s != "row" {
			c.fault("head without scope: %s", words(n))
		}
		if words(n) == "" {
			c.fault("head without words")
		}
	case atom.Tr:
		if n.Parent.DataAtom == atom.Tbody && attribute(n, "id") == "" {
			c.fault("row without id: %s", words(n))
		}
	case atom.Img:
		if attribute(n, "alt") == "" {
			c.fault("image without alt")
		}
	case atom.Svg:
		title, desc := false, false
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			title = title || child.Data == "title" && words(child) != ""
			desc = desc || child.Data == "desc" && words(child) != ""
		}
		if attribute(n, "role") != "img" || attribute(n, "aria-labelledby") == "" || !title || !desc {
			c.fault("svg without role, title or desc")
		}
	}
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func find(n *html.Node, a atom.Atom) *html.Node {
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if child.DataAtom == a {
			return child
		}
	}
	return nil
}

// words is the text below a node.
func words(n *html.Node) string {
	var b strings.Builder
	var visit func(*html.Node)
	visit = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			visit(child)
		}
	}
	visit(n)
	return strings.TrimSpace(b.String())
}
