// Package html makes one self-contained page of a report: style, drawings and the
// patch's code are inside it, nothing is loaded and nothing runs. It follows the
// reader's choice of light or dark, and prints on A4.
//
// Tables that are wider than the page scroll in a box of their own, their first
// column staying in sight. Each row has an address (page.html#TABLE/ROW), which
// stays as long as the study's tables do, and each published row says how its
// figures came about. Verdicts are text first and colour second.
//
// It also writes the index page over several studies.
package html
