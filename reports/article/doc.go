// Package article writes an executed notebook up as something to be read: a
// Markdown document, a page, or a plain-text post for a mailing list. Nothing is
// executed; what a cell put out is in the notebook.
//
// The notebook may be anybody's. In the page all its HTML, Markdown and drawings
// have gone through package safe: nothing runs, nothing is loaded. Pictures are
// inside of the page, beside the Markdown document, and left out of the post,
// with a note.
package article
