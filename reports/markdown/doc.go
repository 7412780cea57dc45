// Package markdown writes the GitHub-flavoured Markdown form of a report. The
// HTML form is made from it. It escapes what it is given, so that a "*" or "<"
// in a mail stays one; plots are links to files beside the document, named by
// PlotFile.
package markdown
