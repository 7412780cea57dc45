package markdown_test

import (
	"bytes"
	"html"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/schedlab/schedlab/reports/markdown"
)

func TestEscape(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"figure", "+10.00*", `+10.00\*`},
		{"interval", "[-1.00, +2.00]", "[-1.00, +2.00]"},
		{"missing", "-", `\-`},
		{"identifier", "select_idle_core", "select_idle_core"},
		{"emphasis", "_x_", `\_x\_`},
		{"pipe", "a|b", `a\|b`},
		{"tag", "<b>", `\<b>`},
		{"entity", "&lt;", "&amp;lt;"},
		{"link", "[a](b)", `[a\](b)`},
		{"list", "1. x", `1\. x`},
		{"not a list", "1.5 x", "1.5 x"},
		{"bullet", "- x", `\- x`},
		{"lines", "a\n\n# b", "a # b"},
		{"heading", "# b", `\# b`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := markdown.Escape(tt.in); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// FuzzEscape renders what was escaped: the reader must see the very text.
func FuzzEscape(f *testing.F) {
	for _, s := range []string{
		"a *b* _c_ __d__ `e` ~~f~~ <g> [h](i) ![j](k) l|m", "1) x", "- [ ] x", "***", "= =", "===", "---", "+", "> q",
		"\\", "a\\*b", "&amp; & &#35;", "```", "fake_idle_core()", "~~~", "a ~ b", "2. ", "#", "|a|", "-- x", "* * *", "~0~",
	} {
		f.Add(s)
	}
	md := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList))
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) {
			t.Skip()
		}
		want := strings.Join(strings.Fields(s), " ")
		if want == "" {
			t.Skip()
		}
		var b bytes.Buffer
		if err := md.Convert([]byte(markdown.Escape(s)), &b); err != nil {
			t.Fatal(err)
		}
		got, ok := strings.CutPrefix(strings.TrimSpace(b.String()), "<p>")
		got, ok2 := strings.CutSuffix(got, "</p>")
		if !ok || !ok2 || html.UnescapeString(got) != want {
			t.Errorf("%q is shown as %q", want, b.String())
		}
	})
}
