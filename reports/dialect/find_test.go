package dialect

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFindInReply takes the table out of the reply that quotes it, and gets
// the bytes of the table itself.
func TestFindInReply(t *testing.T) {
	const file = "testdata/gorman2020-mail.txt"
	found, err := FindMMTests(readFile(t, file), file)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 {
		t.Fatalf("found %d tables, want 1", len(found))
	}
	f := found[0]
	if f.Quote != "> " || f.First != 5 || f.Last != 16 {
		t.Errorf("found %q at lines %d to %d, want \"> \" at 5 to 16", f.Quote, f.First, f.Last)
	}
	if diff := cmp.Diff(readFile(t, post), written(t, f.Table)); diff != "" {
		t.Errorf("(-post +written):\n%s", diff)
	}
}

func TestFind(t *testing.T) {
	const (
		header = "                          5.10.0-rc6             5.10.0-rc6\n"
		row    = "Hmean     1        500.06 (   0.00%)      505.67 *   1.12%*\n"
	)
	quote := func(mark, s string) string {
		return mark + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n"+mark) + "\n"
	}
	tests := []struct {
		name, text string
		quotes     []string
		captions   []string
	}{
		{"none", "It is 1.12% faster (on average), or 505.67 (0.2%) at best.\n", nil, nil},
		{"prose with numbers", "We measured with 5.10 and 5.11\nversion 5.10 5.11\n", nil, nil},
		{"quoted twice", quote("> > ", header+row), []string{"> > "}, []string{""}},
		{"tight quotes", quote(">> ", header+row), []string{">> "}, []string{""}},
		{"two", header + row + "\n" + quote("> ", header+row), []string{"", "> "}, []string{"", ""}},
		{"caption", "tbench4 Throughput\n" + header + row, []string{""}, []string{"tbench4 Throughput"}},
		{"paragraph", "With tbench,\nthroughput is\n" + header + row, []string{""}, []string{""}},
		{"mail line ends", strings.ReplaceAll(header+row, "\n", "\r\n"), []string{""}, []string{""}},
		{"duration after means", row + "\n" + "Duration User          1234.56     1230.00\n", []string{"", ""}, []string{"", ""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			found, err := FindMMTests(tt.text, "mail")
			if err != nil {
				t.Fatal(err)
			}
			var quotes, captions []string
			for _, f := range found {
				quotes = append(quotes, f.Quote)
				captions = append(captions, f.Table.Caption)
			}
			if diff := cmp.Diff(tt.quotes, quotes); diff != "" {
				t.Errorf("quotes (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.captions, captions); diff != "" {
				t.Errorf("captions (-want +got):\n%s", diff)
			}
		})
	}

	t.Run("damaged", func(t *testing.T) {
		text := header + row + "Hmean     2        500,06 (   0.00%)      505.67 *   1.12%*\n"
		found, err := FindMMTests("\n"+quote("> ", text), "mail")
		if err == nil || !strings.Contains(err.Error(), `mail:4: value 1: "500,06" is not a number`) {
			t.Errorf("error %v, found %d", err, len(found))
		}
	})
}

func TestWriteTo(t *testing.T) {
	table := parseString(t, readFile(t, post))
	table.Layout.Indent = 2
	var b bytes.Buffer
	if err := table.WriteMMTests(&b); err != nil {
		t.Fatal(err)
	}
	for _, s := range strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n") {
		if !strings.HasPrefix(s, "  ") {
			t.Errorf("line %q is not indented by 2", s)
		}
	}
}
