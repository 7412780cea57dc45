package topology

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
)

func load(t testing.TB, id string) *Machine {
	t.Helper()
	m, err := Load(id)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// cslText is the text of csl-2s-80.
func cslText(t testing.TB) string {
	t.Helper()
	data, err := os.ReadFile("machines/csl-2s-80.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// edit replaces the one place in a text that has old.
func edit(t *testing.T, text, old, new string) string {
	t.Helper()
	if n := strings.Count(text, old); n != 1 {
		t.Fatalf("%q occurs %d times, want once", old, n)
	}
	return strings.Replace(text, old, new, 1)
}

// renumbered is csl-2s-80 under another numbering.
func renumbered(t *testing.T, scheme, siblings, node0, node1 string) *Machine {
	t.Helper()
	text := edit(t, cslText(t), "scheme: threads_last", "scheme: "+scheme)
	text = edit(t, text, `siblings_of_cpu0: "0,40"`, `siblings_of_cpu0: "`+siblings+`"`)
	text = edit(t, text, `- "0-19,40-59"`, `- "`+node0+`"`)
	text = edit(t, text, `- "20-39,60-79"`, `- "`+node1+`"`)
	m, err := Parse("renumbered.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestCatalog(t *testing.T) {
	ids := Catalog()
	if !slices.IsSorted(ids) || !slices.Contains(ids, "csl-2s-80") {
		t.Fatalf("catalogue %v", ids)
	}
	for _, id := range ids {
		t.Run(id, func(t *testing.T) {
			m := load(t, id)
			for _, q := range m.Quantities() {
				if _, ok := m.Sources[q.Source]; !ok || q.Unit == "" || q.Kind == "" {
					t.Errorf("%s: %+v", q.Name, q.Quantity)
				}
			}
			if err := m.WriteText(new(bytes.Buffer)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestLoadUnknown(t *testing.T) {
	_, err := Load("cls-2s-80")
	if err == nil || !strings.HasPrefix(err.Error(), `topology: no machine "cls-2s-80", use csl-2s-80`) {
		t.Errorf("error %v", err)
	}
}

func TestLoadCopies(t *testing.T) {
	a, b := load(t, "csl-2s-80"), load(t, "csl-2s-80")
	a.Distances[0][1] = 99
	a.CPUs[0].Node = 1
	if b.Distances[0][1] != 21 || b.CPUs[0].Node != 0 {
		t.Error("a change of one loaded machine changed another")
	}
}

func TestNearest(t *testing.T) {
	ids := []string{"bdx-ex-4s", "csl-2s-80", "snb-ep-2s", "snb-ep-4s", "spr-2s-224"}
	tests := []struct {
		name string
		want []string
	}{
		{"snb-ep", []string{"snb-ep-2s", "snb-ep-4s"}},
		{"CSL-2S-80", []string{"csl-2s-80"}},
		{"cls-2s-80", []string{"csl-2s-80"}},
		{"csl", []string{"csl-2s-80"}},
		{"xeon", ids},
		{"", ids},
	}
	for _, test := range tests {
		if got := nearest(test.name, ids); !slices.Equal(got, test.want) {
			t.Errorf("nearest to %s: %v, want %v", test.name, got, test.want)
		}
	}
	if got := nearest("x", nil); len(got) != 0 {
		t.Errorf("nearest of nothing: %v", got)
	}
}

func TestEditDistance(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"kitten", "sitting", 3},
		{"csl-2s-80", "cls-2s-80", 2}, {"Abc", "aBC", 0},
	}
	for _, test := range tests {
		if got := editDistance(test.a, test.b); got != test.want {
			t.Errorf("editDistance(%q, %q) = %d, want %d", test.a, test.b, got, test.want)
		}
	}
}

func TestHash(t *testing.T) {
	text := cslText(t)
	hash := func(text string) string {
		m, err := Parse("hash.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return m.Hash()
	}
	base := hash(text)
	if len(base) != 64 || base != load(t, "csl-2s-80").Hash() {
		t.Errorf("hash %q of the file, %q of the catalogue", base, load(t, "csl-2s-80").Hash())
	}
	if hash("# another comment\n"+text) != base {
		t.Error("a comment changed the hash")
	}
	for _, change := range [][2]string{
		{"value: 1200,", "value: 1201,"},
		{"{active_cores: 12, value: 3400}", "{active_cores: 12, value: 3300}"},
		{"uncertainty: 6,", "uncertainty: 7,"},
	} {
		if hash(edit(t, text, change[0], change[1])) == base {
			t.Errorf("%q to %q left the hash as it was", change[0], change[1])
		}
	}
}
