// Package templates holds the words of the reports: what each section says
// and in which order, apart from the code that computes the figures. It
// leaves out everything that depends on data; see package view.
package templates

import "embed"

// FS holds the templates:
//
//	words.tmpl       standing sentences, shared by every form
//	report.md.tmpl   order of the Markdown form
//	post.txt.tmpl    order of the plain-text post
//	report.html.tmpl order of the HTML page
//	page.html.tmpl   frame around it
//	article.html.tmpl frame around a notebook
//	index.html.tmpl  list of studies
//	style.css.tmpl   style of both HTML pages
//
//go:embed *.tmpl
var FS embed.FS
