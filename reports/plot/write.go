package plot

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"io"
	"regexp"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// fontStack is Liberation Sans and fonts of the same widths. Where none of
// them is there the text is still without serifs, if not as narrow.
const fontStack = "'Liberation Sans', Arial, Helvetica, sans-serif"

// WriteSVG writes the figure as one svg element, to be a file of its own or to
// stand in an HTML page. Text and axes have the colour of the text around.
func (f *Figure) WriteSVG(w io.Writer) error {
	width, height := f.size()
	c := vgsvg.New(width, height)
	f.draw(draw.New(c))
	var raw bytes.Buffer
	if _, err := c.WriteTo(&raw); err != nil {
		return fmt.Errorf("plot: %w", err)
	}
	svg, err := f.adapt(raw.String(), width, height)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, svg)
	return err
}

// adapt makes gonum's SVG fit for a page.
func (f *Figure) adapt(raw string, width, height vg.Length) (string, error) {
	_, rest, ok := strings.Cut(raw, "<svg ")
	if !ok {
		return "", fmt.Errorf("plot: gonum wrote no svg element")
	}
	_, body, ok := strings.Cut(rest, ">\n")
	if !ok {
		return "", fmt.Errorf("plot: gonum wrote no end of the svg element")
	}
	title := html.EscapeString(f.labels.Title)
	xlink := ""
	if strings.Contains(body, "xlink:href=") { // of an image
		xlink = ` xmlns:xlink="http://www.w3.org/1999/xlink"`
		body = strings.ReplaceAll(body, "data:image/jpg;base64,", "data:image/png;base64,") // what gonum writes is PNG
	}
	head := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg"%[4]s width="%[1]gpt" height="%[2]gpt" viewBox="0 0 %[1]g %[2]g"`+
		` style="max-width:100%%;height:auto" role="img" aria-label="%[3]s">`+"\n", width.Points(), height.Points(), title, xlink)
	if title != "" {
		head += "<title>" + title + "</title>\n"
	}
	body = gonumFont.ReplaceAllString(body, "font-family:"+fontStack+";")
	body = gonumInk.ReplaceAllString(body, "$1:currentColor")
	// The empty style properties that gonum writes beside it say nothing.
	body = strings.NewReplacer(
		"font-variant:normal;", "",
		// A heat map's cells are not square: without this a browser keeps the shape of
		// the raster that stands for them, and draws it too narrow.
		"<image ", `<image preserveAspectRatio="none" style="image-rendering:pixelated" `,
		"font-style:normal;", "",
		"font-weight:normal;", "",
		"fill:"+hex(faint), "fill:currentColor;fill-opacity:"+faintOpacity,
	).Replace(body)
	return head + body, nil
}

// gonumFont is how gonum names the font, with a variant that CSS has not.
var gonumFont = regexp.MustCompile(`font-family:Liberation Sans;\s*(?:font-variant:(?:none|sans);)?`)

// gonumInk is ink as gonum writes it: with an opacity below 1 each of red,
// green and blue may come out one lower.
var gonumInk = regexp.MustCompile(`(fill|stroke):#0[01]0[12]0[23]\b`)

// hex writes a colour as gonum does.
func hex(c color.NRGBA) string {
	return fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B)
}

// dotsPerInch of a PNG: sharp on a dense screen at the size of the SVG.
const dotsPerInch = 150

// WritePNG writes the figure as PNG on white.
func (f *Figure) WritePNG(w io.Writer) error {
	width, height := f.size()
	c := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dotsPerInch), vgimg.UseBackgroundColor(color.White))
	f.draw(draw.New(c))
	if _, err := (vgimg.PngCanvas{Canvas: c}).WriteTo(w); err != nil {
		return fmt.Errorf("plot: %w", err)
	}
	return nil
}
