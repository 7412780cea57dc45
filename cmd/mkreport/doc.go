// Mkreport reruns the benchmark tables of published scheduler patches on
// modelled machines and writes them up beside the published ones.
//
// Without arguments it runs all studies in their quick plan into out/: for each
// a Markdown document, a self-contained HTML page and a plain-text mail, an
// index page, and the ledger of verdicts on standard output. Every finished run
// is kept in a store, so that a stopped command goes on where it was, and
// reports are made from the store without simulating again.
//
// Results go to standard output; progress, notes and errors go to standard
// error. The exit status is 0 if all is done, 1 if the work failed or a check
// found something, 2 if the command line is wrong. 'mkreport help' lists the
// commands.
package main
