package nb

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// MIME types of what Show displays.
const (
	mimeText = "text/plain"
	mimeHTML = "text/html"
	mimeSVG  = "image/svg+xml"
	mimePNG  = "image/png"
)

// HTMLer is a value that has an HTML form: a fragment that is complete in
// itself and loads nothing.
type HTMLer interface {
	HTML() string
}

// SVGer is a value that can be drawn as SVG.
type SVGer interface {
	WriteSVG(w io.Writer) error
}

// PNGer is a value that can be drawn as PNG.
type PNGer interface {
	WritePNG(w io.Writer) error
}

// Show displays each value in the notebook cell that calls it, in all the
// forms that the value has: text always, HTML of an [HTMLer], SVG of an
// [SVGer], PNG of a [PNGer]. Whoever reads the notebook picks the best form
// that they can show: many show neither SVG nor HTML of a notebook that came
// from somebody else, so that figures should be PNGers too.
//
// What the program printed before stays above, and when Show returns the
// display is in the notebook, whatever the program does next. Outside a
// notebook Show prints the text to standard output.
//
// Show panics if a value cannot be drawn or the kernel cannot be reached: a
// cell that lost a figure must fail and not look complete. See [Bundle] for
// a form that returns the error.
func Show(values ...any) {
	for _, v := range values {
		if err := show(v); err != nil {
			panic(err)
		}
	}
}

func show(v any) error {
	bundle, err := Bundle(v)
	if err != nil {
		return err
	}
	if !gonbui.IsNotebook {
		_, err := fmt.Fprintln(os.Stdout, bundle[mimeText])
		return err
	}
	// gonbui owns the pipes to the kernel: displays of its own in the same
	// program and these share one stream.
	if err := gonbui.Open(); err != nil {
		return fmt.Errorf("nb: show: %w", err)
	}
	// The kernel reads printed text and displays from different pipes. Let it
	// take the text, and answer once, before it is given the display.
	drainPrinted()
	gonbui.Sync()
	data := make(map[protocol.MIMEType]any, len(bundle))
	for mime, form := range bundle {
		data[protocol.MIMEType(mime)] = form
	}
	gonbui.SendData(&protocol.DisplayData{Data: data})
	if err := gonbui.Error(); err != nil {
		return fmt.Errorf("nb: show: %w", err)
	}
	gonbui.Sync()
	return nil
}

// Bundle returns the forms of a value by MIME type: "text/plain" always, and
// "text/html", "image/svg+xml" (both strings) and "image/png" (bytes) where
// the value has them. It fails if the value cannot be drawn.
func Bundle(v any) (map[string]any, error) {
	bundle := map[string]any{mimeText: textOf(v)}
	if h, ok := v.(HTMLer); ok {
		bundle[mimeHTML] = h.HTML()
	}
	if s, ok := v.(SVGer); ok {
		var b bytes.Buffer
		if err := s.WriteSVG(&b); err != nil {
			return nil, fmt.Errorf("nb: cannot draw a %T as SVG: %w", v, err)
		}
		bundle[mimeSVG] = b.String()
	}
	if p, ok := v.(PNGer); ok {
		var b bytes.Buffer
		if err := p.WritePNG(&b); err != nil {
			return nil, fmt.Errorf("nb: cannot draw a %T as PNG: %w", v, err)
		}
		bundle[mimePNG] = b.Bytes()
	}
	return bundle, nil
}

// textOf returns the text form of a value. A value that says how it prints
// decides; another that is shown in some better form is only named, since its
// fields are no reading.
func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case fmt.Stringer, fmt.Formatter, error:
		return fmt.Sprint(v)
	case HTMLer, SVGer, PNGer:
		return fmt.Sprintf("<%T>", v)
	}
	return fmt.Sprintf("%+v", v)
}
