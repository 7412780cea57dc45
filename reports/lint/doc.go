// Package lint checks the tables in a mail, a patch or a text: it recomputes
// each percentage from the values beside it, and names what readers of
// benchmark tables fall for.
//
// A percentage is exact when the printed values give it digit for digit, within
// rounding when values that print alike could, truncated when its last digit was
// cut off, and wrong otherwise. Only wrong ones make a text fail; traps are
// remarks.
//
// What direction a percentage counts in is the style's: the test robot prints
// increases, mmtests what is better, Srikar Dronamraju's autonuma tables the
// saving relative to the new value. Where a style leaves it open, a table may
// use either, but one only.
package lint
