// Package view turns the outcome of a study into what a report says: facts,
// tables as data and sentences, each computed from the outcome, none fixed.
// The Markdown, HTML and plain-text forms print one Report, so that they
// cannot disagree.
//
// A figure that was not measured is "-" here, never 0. The package knows
// nothing of columns, markup or files, and it judges nothing: verdicts are
// those of package study.
package view
