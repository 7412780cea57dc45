// Package picture draws what an experiment found: the effect of a patch by machine,
// and what happened in recorded stretches of runs, as scheduler developers look at it.
// And it draws what a study found: the figures of its report (Table, Sets), and what
// notebooks show of it (Outcome, Here).
//
// Where several traces are drawn, the first is the base and has its colour, the second
// the patched kernel. CPUs are in the order of the machine, socket by socket and core
// by core, whatever their numbers are. Package plot draws; what is shown comes from
// package timeline.
package picture
