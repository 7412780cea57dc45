package post_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/schedlab/schedlab/reports/post"
)

func TestASCII(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "a\tb\nc", "a\tb\nc"},
		{"names", "Jiří Žižka, Müller, Łukasz, Søren, Weiß", "Jiri Zizka, Muller, Lukasz, Soren, Weiss"},
		{"signs", "±2 %, 3×4, 5 µs, 5 μs, ≥1, “x” – y…", "+-2 %, 3x4, 5 us, 5 us, >=1, \"x\" - y..."},
		{"blank that holds", "95\u00a0%", "95 %"},
		{"no spelling", "漢a", "?a"},
		{"control", "a\x00b\x7fc", "a b c"},
		{"invalid", "a\xffb", "a?b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := post.ASCII(tt.in); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestLint(t *testing.T) {
	long := strings.Repeat("word ", 16) + "end" // 83 columns
	for _, tt := range []struct{ name, in, want string }{
		{"clean", "All is well.\n", ""},
		{"75 columns", strings.Repeat("abcd ", 14) + "abcde\n", ""},
		{"76 columns", strings.Repeat("abcd ", 14) + "abcdef\n", "1:width"},
		{"wide prose", long + "\n", "1:width"},
		{"wide code", "    " + long + "\n", ""},
		{"wide table", "a  " + long + "\n", ""},
		{"table of 100 columns", "a  " + strings.Repeat("b ", 48) + "c\n", ""},
		{"table with bars", "| " + strings.Repeat("b | ", 22) + "\n", "1:trailing"},
		{"table of 101 columns", "a  " + strings.Repeat("b ", 48) + "cc\n", "1:width"},
		{"code of a single word", "    " + strings.Repeat("x", 120) + "\n", ""},
		{"wide quotation", "> " + long + "\n", ""},
		{"wide tag", "Reported-by: " + long + "\n", ""},
		{"one long word", strings.Repeat("x", 90) + "\n", ""},
		{"not ascii", "ok\n2 µs\n", "2:ascii"},
		{"trailing blank", "a \nb\n", "1:trailing"},
		{"carriage return", "a\r\n", "1:trailing"},
		{"tab in prose", "a\tb\n", "1:tab"},
		{"separator", "a\n---\nb\n", "2:patch"},
		{"diff", "diff --git a/x b/x\n", "1:patch"},
		{"old file", "--- a/x\n", "1:patch"},
		{"hunk", "@@ -1 +1 @@\n", "1:patch"},
		{"mbox", "From x Mon Jan  2 15:04:05 2006\n", "1:patch"},
		{"From in prose", "From here on it is slow.\n", ""},
		{"underline", "Title\n=====\n", ""},
		{"no newline", "a", "1:end"},
		{"empty line at the end", "a\n\n", "2:end"},
		{"empty", "", "1:end"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, p := range post.Lint(tt.in) {
				got = append(got, fmt.Sprintf("%d:%s", p.Line, p.Rule))
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("got %q, want %q", s, tt.want)
			}
		})
	}
}

func ExampleWrap() {
	fmt.Println(post.Wrap("Rows wait for the lock for 12 µs on average, which is more than they spend under it.", "* ", "  "))
	// Output:
	// * Rows wait for the lock for 12 us on average, which is more than they
	//   spend under it.
}

func ExampleLint() {
	for _, p := range post.Lint("It takes 3 µs.\n---\n") {
		fmt.Println(p)
	}
	// Output:
	// 1: ascii: 'µ' in column 12; spell it in ASCII
	// 2: patch: begins with "---", which git takes for part of a patch; indent it
}

// Whatever is wrapped comes out in ASCII, within the width and with its words.
func FuzzWrap(f *testing.F) {
	f.Add("short", "* ")
	f.Add(strings.Repeat("some words and ", 20)+strings.Repeat("x", 100), "")
	f.Add("µ\u00a0ß\x00漢 \t\n x", "> ")
	f.Fuzz(func(t *testing.T, s, first string) {
		if len(first) > 10 || post.ASCII(first) != first || strings.ContainsAny(first, "\n\t") {
			t.Skip()
		}
		got := post.Wrap(s, first, "")
		if strings.Join(strings.Fields(strings.TrimPrefix(got, first)), " ") != strings.Join(strings.Fields(post.ASCII(s)), " ") {
			t.Errorf("Wrap(%q) lost words: %q", s, got)
		}
		for _, l := range strings.Split(got, "\n") {
			if len(l) > post.Width && strings.Contains(strings.TrimPrefix(l, first), " ") {
				t.Errorf("%d columns: %q", len(l), l)
			}
			if strings.TrimRight(l, " ") != l {
				t.Errorf("blanks at the end: %q", l)
			}
		}
	})
}

func FuzzLint(f *testing.F) {
	f.Add("a\n---\n µ\r\n\n")
	f.Add("\r")
	f.Fuzz(func(t *testing.T, s string) {
		for _, p := range post.Lint(s) {
			if p.Line < 1 || p.Line > strings.Count(s, "\n")+1 {
				t.Errorf("line %d of %q", p.Line, s)
			}
		}
	})
}
