// Package overlay puts results that were measured on a real machine beside what a
// study published and simulated: a third column, "measured here", with its own
// spread and number of runs.
//
// A result file is read by package measured. Which column a figure is of is told by
// the file where it names kernels, or by the one who gives the file; see Source.
//
// Which row a figure is of follows from this rule, and from nothing else. A row
// matches if
//
//   - an explicit map says so (Options.Map), or else
//   - the file names the case, program or event, and that is the row's key, whole or
//     before a dot: "lu.C.x" is row lu; or
//   - the figure has the parameter that the table's rows count, and its value is the
//     key: clients=64 is row 64 of a table by clients; or
//   - it has every parameter that the row itself sets, with those values; or
//   - (hyperfine) one of its own parameters is the key, or a word of its command is,
//     without its directory, whole or before a dot.
//
// The longest key wins, over all tables: "lu.A.x" is row lu.A where the study has
// one, and not row lu. Of a table of several statistics that of the study counts. A figure that matches no row
// is named with the reason, never dropped. It is an error, with file and line, if the
// figures of a row are in a unit that cannot be converted into the row's, or if more
// is better of one and less of the other; if a figure matches several rows; or if a row has two
// figures for one column.
//
// Verdicts stay those against the published figures: nothing here changes one.
package overlay
