// Package experiment asks what a patch does: it runs a kernel with and without it
// on some machines, keeps the runs, and looks into single ones.
//
// A [Setup] is what a run simulates, in words. A [Bench] runs it: [Bench.Compare]
// runs base and patched under common random numbers, with base against base as the
// control, and counts where the wakeups went; [Bench.Trace] keeps every decision of a
// stretch, with clocks and load averages sampled beside them.
//
// Nothing here is published, calibrated or judged: that is package study. The
// constants are the model's defaults, one set of them, so that an effect here is a
// look and no verdict.
package experiment
