// Package dialect reads and writes the tables that scheduler developers put in
// their mails, in the layout of the program that printed them.
//
// A [Table] is the one result model: kernels are columns, rows are statistics,
// numbers are kept as the exact digits that were printed. Reading a table and
// writing it back gives the same bytes; where an author edited the table by
// hand, [Table.Deviations] says which line differs from what the program would
// have printed.
//
// The styles are mmtests ([ParseMMTests], [FindMMTests]: the output of
// compare-kernels.sh as Mel Gorman and others post it), and those that have a
// [Form]: the 0-day robot's comparisons ([LKP]), mean+-stddev ([PlusMinus]),
// "name=value" ([Pairs]), Srikar Dronamraju's columns ([Columns], [AutoNUMA]), Aaron
// Lu's base and patch lines ([Blocks]) and plain rows with a change ([Plain]).
// [Find] finds all of them in a text, and [Table.Write] writes each in its style.
// Layouts follow the programs' behaviour (mmtests,
// https://github.com/gormanm/mmtests, files bin/lib/MMTests/Compare.pm,
// PrintGeneric.pm and Stat.pm; lkp-tests, lib/compare.rb); no code of them is
// used.
//
// Left out: MIME (package mail decodes), the ratio
// tables of compare-mmtests.pl --print-ratio, and any judgement of what a
// difference means. Package lint recomputes what a table itself claims.
package dialect
