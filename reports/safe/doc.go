// Package safe makes what others wrote fit for a page of ours. Notebooks come by
// mail, and their outputs are HTML, SVG and Markdown of any origin: a page made
// of them must neither run nor load anything.
//
// [HTML] is the one way for HTML, also for that of Markdown and for drawings that
// stand in HTML; [SVG] is the one for drawings that become files or images of
// their own. Both keep what is on their lists and drop the rest. The pages have a
// content security policy besides, which forbids the same.
//
// Left out: style sheets in HTML, forms, frames, MathML.
package safe
