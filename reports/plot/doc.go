// Package plot draws the figures of a report: throughput against the number of
// clients, published beside simulated ([Scaling]), figures row by row ([Groups]), the
// effect of a patch ([Effects]), single runs ([Dots]); and what happened in a run: run
// queues as a heat map ([Queues]), who ran where ([Timeline]), wakeup latencies
// ([CDF]), migrations ([Matrix]), anything over time ([Lines]). Package picture makes
// the latter of a recorded run.
//
// Input is plain numbers, so that a notebook can draw what it likes; NaN is a
// number that was not measured, and is drawn as a gap or named as missing,
// never as 0. Output is SVG for reports and notebooks ([Figure.WriteSVG]) and
// PNG for whatever cannot show SVG ([Figure.WritePNG]); the same input gives
// the same bytes.
//
// The SVG has no background and draws text and axes in currentColor, so that
// it follows the page's light or dark mode when it stands inline. Colours are
// of the Okabe-Ito palette, which readers with a colour vision deficiency can
// tell apart, and each series has its own shape beside its colour.
//
// Blue is the base kernel and vermillion the patched one, wherever there are two.
//
// Left out: drawing from study results (the caller picks the numbers) and
// interaction.
package plot
