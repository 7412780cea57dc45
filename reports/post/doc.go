// Package post writes the plain-text form of a report, as it can be sent to a
// mailing list or put below the "---" of a patch: ASCII only, prose of at most
// 75 columns, tables as wide as they are, no line that git or a mail reader
// would take for something else. Lint checks any text for the same.
//
// It leaves out mail headers and sending.
package post

// Width is the most columns that a line of prose may have, as the kernel's
// submitting-patches.rst asks for.
const Width = 75
