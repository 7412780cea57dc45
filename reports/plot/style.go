package plot

import (
	"image/color"

	xfont "golang.org/x/image/font"
	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Two colours of Okabe and Ito's palette ("Color Universal Design", 2008).
// They have at least three times the contrast of white and of near-black, so
// they do on a light and on a dark page.
var (
	blue       = color.NRGBA{R: 0x00, G: 0x72, B: 0xb2, A: 0xff}
	vermillion = color.NRGBA{R: 0xd5, G: 0x5e, B: 0x00, A: 0xff}
)

// The colours of text and axes. In a PNG they are as good as black and grey;
// in an SVG WriteSVG puts the page's own colour in their place, which it
// recognises by these values.
var (
	ink   = color.NRGBA{R: 0x01, G: 0x02, B: 0x03, A: 0xff}
	faint = color.NRGBA{R: 0x5a, G: 0x5b, B: 0x5c, A: 0xff} // text that steps back
)

// faintOpacity is how much of currentColor faint text has in an SVG.
const faintOpacity = "0.68"

// see returns c with an opacity of percent.
func see(c color.NRGBA, percent uint32) color.NRGBA {
	c.A = uint8(0xff * percent / 100)
	return c
}

// Sizes, in points.
const (
	titleSize    = 12
	subtitleSize = 9.5
	labelSize    = 9.5
	tickSize     = 8.5
	margin       = 8 // around everything
)

// sans returns a text style in Liberation Sans. The font comes with gonum/plot
// and has the widths of Arial and Helvetica, so that text fits in its place
// where another of these draws it.
func sans(size vg.Length, bold bool, c color.Color) text.Style {
	f := font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
	if bold {
		f.Weight = xfont.WeightBold
	}
	return text.Style{Color: c, Font: f, Handler: gplot.DefaultTextHandler}
}

// newPlot returns an empty plot with the package's text styles and no axis
// lines; the plotters draw those that help.
func newPlot(xLabel, yLabel string) *gplot.Plot {
	p := gplot.New()
	p.BackgroundColor = nil
	for _, axis := range []*gplot.Axis{&p.X, &p.Y} {
		turn := axis.Label.TextStyle.Rotation
		axis.Label.TextStyle = sans(labelSize, false, ink)
		axis.Label.TextStyle.Rotation = turn
		axis.Label.TextStyle.XAlign = draw.XCenter
		tick := axis.Tick.Label
		axis.Tick.Label = sans(tickSize, false, ink)
		axis.Tick.Label.XAlign, axis.Tick.Label.YAlign = tick.XAlign, tick.YAlign
		axis.Tick.LineStyle = draw.LineStyle{Color: see(ink, 60), Width: 0.6}
		axis.Tick.Length = 4
		axis.LineStyle = draw.LineStyle{Color: see(ink, 60), Width: 0.8}
		axis.Padding = 3
		axis.Label.Padding = 4
	}
	p.X.Label.TextStyle.YAlign = draw.YBottom
	p.X.Label.Text, p.Y.Label.Text = xLabel, yLabel
	return p
}
