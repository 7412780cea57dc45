// Package author writes a study's tables in the styles of those who post results:
// the simulated columns, and the table as it was published.
//
// Simulated columns say so: each heads "[*]", and a line below the table says what
// that means. It leaves out the comparison of the two, which package view makes,
// and the styles themselves, which are package dialect's.
package author
