package article_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/schedlab/schedlab/internal/hostile"
	"github.com/schedlab/schedlab/reports/article"
	"github.com/schedlab/schedlab/reports/nb"
)

// hostileNotebook has a text wherever a notebook has text.
func hostileNotebook(text string) ([]byte, error) {
	type object = map[string]any
	output := func(mime string) object {
		return object{"output_type": "display_data", "metadata": object{}, "data": object{mime: text}}
	}
	svg := `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><title>x</title>` + text + `</svg>`
	return json.Marshal(object{
		"nbformat": 4, "nbformat_minor": 5,
		"metadata": object{"kernelspec": object{"name": "gonb", "display_name": text, "language": "go"}, "title": text},
		"cells": []object{
			{"cell_type": "markdown", "id": "a", "metadata": object{}, "source": "# Title " + text},
			{"cell_type": "markdown", "id": "b", "metadata": object{}, "source": text},
			{"cell_type": "markdown", "id": "c", "metadata": object{}, "source": "a\n\n- b " + text + "\n\n> c " + text + "\n\n| d |\n|---|\n| " + text + " |\n"},
			{"cell_type": "raw", "id": "d", "metadata": object{}, "source": text},
			{"cell_type": "code", "id": "e", "metadata": object{}, "execution_count": 1, "source": text, "outputs": []object{
				output("text/html"), output("text/markdown"), output("text/plain"), output("image/svg+xml"), output("text/latex"),
				output("image/png"), output("application/javascript"),
				{"output_type": "display_data", "metadata": object{}, "data": object{"image/svg+xml": svg}},
				{"output_type": "stream", "name": "stdout", "text": text},
				{"output_type": "stream", "name": "stderr", "text": text},
				{"output_type": "error", "ename": text, "evalue": text, "traceback": []string{text}},
			}},
		},
	})
}

// TestHostile: a page of a notebook of somebody else runs and loads nothing, nor do
// the drawings beside its Markdown.
func TestHostile(t *testing.T) {
	shown := 0
	for _, v := range hostile.Vectors {
		data, err := hostileNotebook(v.Text)
		if err != nil {
			t.Fatal(err)
		}
		n, err := nb.Parse("hostile.ipynb", data)
		if err != nil {
			t.Fatalf("%q: %v", v.Text, err)
		}
		a, err := article.New(n, "hostile", article.Show)
		if err != nil {
			t.Fatalf("%q: %v", v.Text, err)
		}
		page, err := a.HTML()
		if err != nil {
			t.Fatalf("%q: %v", v.Text, err)
		}
		if found := hostile.Page(page); len(found) > 0 {
			t.Errorf("%s %q: the page has %s", v.Class, v.Text, strings.Join(found[:min(len(found), 4)], "\n"))
		}
		if strings.Contains(string(page), "alert(1)") {
			shown++
		}
		_, files := a.Markdown()
		for _, f := range files {
			if !strings.HasSuffix(f.Name, ".svg") {
				continue
			}
			if found := hostile.Fragment(f.Data); len(found) > 0 {
				t.Errorf("%s %q: %s has %s", v.Class, v.Text, f.Name, strings.Join(found[:min(len(found), 4)], "\n"))
			}
		}
	}
	if shown < 50 {
		t.Errorf("only %d pages show the text as text", shown)
	}
}
