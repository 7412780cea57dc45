package diagram

import (
	"bytes"
	"image/color"
	"image/png"
	"testing"

	"github.com/schedlab/schedlab/topology"
)

// TestWritePNG looks for the colours of the boxes: what is drawn is that of the
// SVG, whose golden files fix the places.
func TestWritePNG(t *testing.T) {
	m := open(t, "csl-2s-80")
	var first, second bytes.Buffer
	for _, b := range []*bytes.Buffer{&first, &second} {
		if err := WritePNG(b, m); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("two drawings of one machine differ")
	}
	img, err := png.Decode(&first)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[color.NRGBA]int{}
	bounds := img.Bounds()
	for y := range bounds.Dy() {
		for x := range bounds.Dx() {
			seen[color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)]++
		}
	}
	for _, class := range []string{"socket", "memory", "llc"} {
		fill, _ := coloursOf("rect", class)
		if seen[fill.(color.NRGBA)] < 1000 {
			t.Errorf("the picture has %d pixels of a %s's colour", seen[fill.(color.NRGBA)], class)
		}
	}
	if dark := seen[parseColour("#1b1b1b")]; dark < 100 {
		t.Errorf("the picture has %d pixels of text", dark)
	}
}

func TestWritePNGAll(t *testing.T) {
	for _, id := range topology.Catalog() {
		t.Run(id, func(t *testing.T) {
			var b bytes.Buffer
			if err := WritePNG(&b, open(t, id)); err != nil {
				t.Fatal(err)
			}
			if _, err := png.DecodeConfig(&b); err != nil {
				t.Error(err)
			}
		})
	}
}
