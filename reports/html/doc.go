// Package html makes one self-contained page of a report's Markdown: style and
// drawings are inside it, nothing is loaded, and it follows the reader's choice
// of light or dark. Tables scroll on narrow screens; verdicts are text first
// and colour second.
//
// It also writes the index page over several studies.
package html
