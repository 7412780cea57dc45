package nb_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/schedlab/schedlab/reports/nb"
)

// figure can be drawn and prints as its caption.
type figure struct {
	caption string
	err     error
}

func (f figure) String() string { return f.caption }

func (f figure) WriteSVG(w io.Writer) error {
	_, err := io.WriteString(w, "<svg></svg>")
	return err
}

func (f figure) WritePNG(w io.Writer) error {
	if f.err != nil {
		return f.err
	}
	_, err := io.WriteString(w, "\x89PNG")
	return err
}

// fragment has HTML and nothing else.
type fragment struct{ html string }

func (f fragment) HTML() string { return f.html }

func ExampleShow() {
	// Outside a notebook the text is printed. In one, the figure is shown.
	nb.Show(figure{caption: "tbench, 80 clients"}, 3.5)
	// Output:
	// tbench, 80 clients
	// 3.5
}

func ExampleExecute() {
	report, err := nb.Execute(context.Background(), "notebooks/start.ipynb", nb.Options{
		CellTimeout: time.Minute,
		Progress:    os.Stderr,
	})
	var cell *nb.CellError
	if errors.As(err, &cell) {
		fmt.Printf("code cell %d failed: %s\n", cell.Index, cell.Text)
		return
	}
	fmt.Println(len(report.Cells), "cells", err)
}

func TestBundle(t *testing.T) {
	tests := []struct {
		name  string
		value any
		want  map[string]string
	}{
		{"text", "plain", map[string]string{"text/plain": "plain"}},
		{"nil", nil, map[string]string{"text/plain": "<nil>"}},
		{"struct", struct{ A int }{1}, map[string]string{"text/plain": "{A:1}"}},
		{"error", errors.New("bad"), map[string]string{"text/plain": "bad"}},
		{"figure", figure{caption: "c"},
			map[string]string{"text/plain": "c", "image/svg+xml": "<svg></svg>", "image/png": "\x89PNG"}},
		{"html-only", fragment{"<p>"}, map[string]string{"text/plain": "<nb_test.fragment>", "text/html": "<p>"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bundle, err := nb.Bundle(tt.value)
			if err != nil {
				t.Fatal(err)
			}
			if len(bundle) != len(tt.want) {
				t.Errorf("%d forms, want %d: %v", len(bundle), len(tt.want), bundle)
			}
			for mime, want := range tt.want {
				if got := fmt.Sprintf("%s", bundle[mime]); got != want {
					t.Errorf("%s = %q, want %q", mime, got, want)
				}
			}
			if data, ok := bundle["image/png"]; ok {
				// The kernel makes base64 of bytes, and would not of text.
				if _, ok := data.([]byte); !ok {
					t.Errorf("the PNG is a %T, want bytes", data)
				}
			}
		})
	}
}

func TestShowFailsLoudly(t *testing.T) {
	broken := errors.New("no pixels")
	_, err := nb.Bundle(figure{err: broken})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "nb_test.figure as PNG") {
		t.Errorf("Bundle: error %v, want one that names the value and wraps %v", err, broken)
	}
	defer func() {
		if recover() == nil {
			t.Error("Show did not panic")
		}
	}()
	nb.Show(figure{err: broken})
}
