package article_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/schedlab/schedlab/reports/article"
	"github.com/schedlab/schedlab/reports/nb"
	"github.com/schedlab/schedlab/reports/post"
)

var update = flag.Bool("update", false, "write what the tests produce to the golden files")

// golden compares a form with testdata/NAME.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func read(t *testing.T, code article.Code) *article.Article {
	t.Helper()
	n, err := nb.ReadFile("testdata/everything.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	a, err := article.New(n, "everything", code)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestForms holds the forms against golden files, which are there to be read. The
// style sheet has a test of its own by being looked at.
func TestForms(t *testing.T) {
	for _, code := range []article.Code{article.Show, article.Fold, article.Hide} {
		t.Run(string(code), func(t *testing.T) {
			a := read(t, code)
			if a.Title() != "A notebook with everything" {
				t.Errorf("title %q", a.Title())
			}
			document, files := a.Markdown()
			golden(t, "everything."+string(code)+".md", document)
			page, err := a.HTML()
			if err != nil {
				t.Fatal(err)
			}
			golden(t, "everything."+string(code)+".body.html", body(t, page))
			golden(t, "everything."+string(code)+".txt", a.Post())

			var linked []string
			for _, f := range files {
				linked = append(linked, f.Name)
				if !bytes.Contains(document, []byte("]("+f.Name+")")) {
					t.Errorf("the document does not link to %s", f.Name)
				}
				if len(f.Data) == 0 || bytes.Contains(f.Data, []byte("script")) || bytes.Contains(f.Data, []byte("onclick")) {
					t.Errorf("%s is %s", f.Name, f.Data)
				}
			}
			if want := []string{"everything-attached-1.png", "everything-figure-1.svg", "everything-png-1.png"}; !slices.Equal(linked, want) {
				t.Errorf("files %v, want %v", linked, want)
			}
			if problems := post.Lint(string(a.Post())); len(problems) > 0 {
				t.Errorf("the post: %v", problems)
			}
		})
	}
}

// body is the page without its head.
func body(t *testing.T, page []byte) []byte {
	t.Helper()
	i := bytes.Index(page, []byte("<body>"))
	if i < 0 {
		t.Fatal("no body")
	}
	return page[i:]
}

// TestPageIsSafe reads the page as a browser does: nothing in it runs or is
// loaded, and what the notebook closed has not ended the page's own elements.
func TestPageIsSafe(t *testing.T) {
	page, err := read(t, article.Show).HTML()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	styles, policy, mains := 0, "", 0
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch n.Data {
		case "script", "iframe", "object", "embed", "form", "link", "base":
			t.Errorf("<%s> in the page", n.Data)
		case "style":
			styles++
		case "main":
			mains++
		case "meta":
			if i := slices.IndexFunc(n.Attr, func(a html.Attribute) bool { return a.Val == "Content-Security-Policy" }); i >= 0 {
				policy = n.Attr[i+1].Val
			}
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "src" && !strings.HasPrefix(a.Val, "data:image/") ||
				a.Key == "href" && !strings.HasPrefix(a.Val, "#") && !strings.HasPrefix(a.Val, "https://lore.kernel.org/") ||
				strings.Contains(a.Val, "evil.example") {
				t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
			}
		}
	}
	if styles != 1 || mains != 1 || policy != "default-src 'none'; style-src 'unsafe-inline'; img-src data:" {
		t.Errorf("%d style sheets, %d main elements, policy %q", styles, mains, policy)
	}
}

// TestUniqueIDs: two headings that are called the same can both be linked to.
func TestUniqueIDs(t *testing.T) {
	page, err := read(t, article.Hide).HTML()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`id="twice"`, `id="twice-1"`, `href="#twice"`, `href="#twice-1"`} {
		if !bytes.Contains(page, []byte(want)) {
			t.Errorf("no %s", want)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	n := &nb.Notebook{}
	for _, name := range []string{"", "a/b", `a\b`, ".hidden"} {
		if _, err := article.New(n, name, article.Show); err == nil {
			t.Errorf("the name %q is taken", name)
		}
	}
	if _, err := article.New(n, "a", "open"); err == nil || !strings.Contains(err.Error(), "show, fold, hide") {
		t.Errorf("error %v", err)
	}
}

// FuzzArticle: whatever a notebook has in text and outputs, the forms are made,
// the page is safe, and the post has nothing that a mail reader takes amiss.
func FuzzArticle(f *testing.F) {
	f.Add("# x\n\n- a\n\n  > b\n", "text/html", "<table><tr><td>")
	f.Add("<div>\n\n</div>", "image/svg+xml", "<svg/>")
	f.Add("[a]: javascript:x\n[a]", "text/markdown", "![x](attachment:y)")
	f.Add("<!-- x\n-->", "text/plain", "---\nFrom x\n\x1b[0m\r")
	f.Fuzz(func(t *testing.T, source, mime, form string) {
		n := &nb.Notebook{Cells: []*nb.Cell{
			{ID: "a", Type: nb.Markdown, Source: source},
			{ID: "b", Type: nb.Code, Source: form, Outputs: []*nb.Output{{Type: nb.DisplayData, Data: map[string]any{mime: form}}}},
		}}
		a, err := article.New(n, "fuzz", article.Fold)
		if err != nil {
			t.Fatal(err)
		}
		page, err := a.HTML()
		if err != nil {
			t.Fatal(err)
		}
		if err := checkPage(page); err != nil {
			t.Errorf("%v in\n%s", err, page)
		}
		a.Markdown()
		for _, b := range a.Post() {
			if b != '\n' && b != '\t' && (b < ' ' || b > '~') {
				t.Fatalf("byte %#x in the post", b)
			}
		}
	})
}

// checkPage returns what runs or is loaded in a page.
func checkPage(page []byte) error {
	doc, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		return err
	}
	for n := range doc.Descendants() {
		switch n.Data {
		case "script", "iframe", "object", "embed", "form", "link", "base":
			if n.Type == html.ElementNode {
				return errors.New("<" + n.Data + ">")
			}
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "src" && !strings.HasPrefix(a.Val, "data:image/") {
				return errors.New(a.Key + "=" + a.Val)
			}
		}
	}
	return nil
}
