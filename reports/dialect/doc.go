// Package dialect reads and writes the tables that scheduler developers put in
// their mails, in the layout of the program that printed them.
//
// A [Table] is the one result model: kernels are columns, rows are statistics,
// numbers are kept as the exact digits that were printed. Reading a table and
// writing it back gives the same bytes; where an author edited the table by
// hand, [Table.Deviations] says which line differs from what the program would
// have printed.
//
// So far there is one dialect, mmtests ([ParseMMTests], [Table.WriteMMTests],
// [FindMMTests]): the output of compare-kernels.sh as Mel Gorman and others
// post it. The layout follows the program's behaviour (mmtests,
// https://github.com/gormanm/mmtests, files bin/lib/MMTests/Compare.pm,
// PrintGeneric.pm and Stat.pm); no code of it is used.
//
// Left out: MIME (decode a quoted-printable or base64 mail first), the ratio
// tables of compare-mmtests.pl --print-ratio, and any judgement of what a
// difference means. [Table.Check] recomputes what the table itself claims.
package dialect
