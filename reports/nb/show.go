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
	mimeText     = "text/plain"
	mimeHTML     = "text/html"
	mimeMarkdown = "text/markdown"
	mimeSVG      = "image/svg+xml"
	mimePNG      = "image/png"
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

// Markdowner is a value that has a form in Markdown. A notebook with it renders
// to Markdown as it is meant; front ends that can show HTML prefer that.
type Markdowner interface {
	Markdown() string
}

// Show displays each value in the notebook cell that calls it, in all the
// forms that the value has: text always, HTML of an [HTMLer], Markdown of a
// [Markdowner], SVG of an [SVGer], PNG of a [PNGer]. Whoever reads the notebook
// picks the best form that they can show: many show neither SVG nor HTML of a
// notebook that came from somebody else, so that figures should be PNGers too.
//
// These are shown in their own way:
//
//   - tables: a view.Table, a frame of gota (the middle of a long one is left
//     out), a table of package dialect in its author's style;
//   - a *topology.Machine: a drawing, and the summary of lscpu and numactl;
//   - a *study.Study: what was published; a *study.Outcome, several of them, or
//     []study.LedgerCell: the ledger with its verdicts;
//   - a *reports.WriteUp: the whole report of a study;
//   - a schedsim.Result: the figures of the run.
//
// What the program printed before stays above, and when Show returns the
// display is in the notebook, whatever the program does next. Outside a
// notebook Show prints the text to standard output.
//
// Show panics if a value cannot be shown or the kernel cannot be reached: a
// cell that lost a figure must fail and not look complete. [ShowTo] returns the
// error instead.
func Show(values ...any) {
	if err := ShowTo(os.Stdout, values...); err != nil {
		panic(err)
	}
}

// ShowTo is [Show] for programs that may run outside a notebook: there the text
// goes to w. It stops at the first value that cannot be shown and returns the
// error, which names its type.
func ShowTo(w io.Writer, values ...any) error {
	for _, v := range values {
		bundle, err := Bundle(v)
		if err != nil {
			return err
		}
		if !gonbui.IsNotebook {
			if _, err := fmt.Fprintln(w, bundle[mimeText]); err != nil {
				return fmt.Errorf("nb: show: %w", err)
			}
			continue
		}
		if err := put(bundle, ""); err != nil {
			return err
		}
	}
	return nil
}

// put puts a bundle into the cell, in place of the one that was displayed
// under the same id before, if an id is given.
func put(bundle map[string]any, id string) error {
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
	gonbui.SendData(&protocol.DisplayData{Data: data, DisplayID: id})
	if err := gonbui.Error(); err != nil {
		return fmt.Errorf("nb: show: %w", err)
	}
	gonbui.Sync()
	return nil
}

// Bundle returns the forms of a value by MIME type: "text/plain" always, and
// "text/html", "text/markdown", "image/svg+xml" (all strings) and "image/png"
// (bytes) where the value has them. It fails if the value cannot be drawn.
func Bundle(v any) (map[string]any, error) {
	value, err := shown(v)
	if err != nil {
		return nil, err
	}
	bundle := map[string]any{mimeText: textOf(value)}
	if h, ok := value.(HTMLer); ok {
		bundle[mimeHTML] = h.HTML()
	}
	if m, ok := value.(Markdowner); ok {
		bundle[mimeMarkdown] = m.Markdown()
	}
	if s, ok := value.(SVGer); ok {
		var b bytes.Buffer
		if err := s.WriteSVG(&b); err != nil {
			return nil, fmt.Errorf("nb: cannot draw a %T as SVG: %w", v, err)
		}
		bundle[mimeSVG] = b.String()
	}
	if p, ok := value.(PNGer); ok {
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
	case HTMLer, Markdowner, SVGer, PNGer:
		return fmt.Sprintf("<%T>", v)
	}
	return fmt.Sprintf("%+v", v)
}
