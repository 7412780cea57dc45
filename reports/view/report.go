package view

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/schedlab/schedlab/schedsim/study"
	"github.com/schedlab/schedlab/templates"
)

// Parts are what other packages render for a report.
type Parts struct {
	// Table is the simulated columns in the author's own style, one line a
	// row. Without it, the style of mmtests is used.
	Table string
	// PublishedTable is the table as it was posted.
	PublishedTable string
	// Machine says in a few words what Study.Machine is: "2 sockets, 40
	// cores, 80 CPUs, 2 nodes".
	Machine string
	// Command reruns the study. Without it, one is made from the plan.
	Command string
	Plots   []Plot
}

// A Plot is a finished drawing.
type Plot struct {
	// Name is unique within the report and part of a file name: "effect".
	Name string
	// Title is the caption.
	Title string
	// Alt says what the drawing shows to those who cannot see it.
	Alt string
	SVG []byte
}

// Report is what every form of the write-up of one study says.
type Report struct {
	Study   *study.Study
	Outcome *study.Outcome
	Ran     []Fact

	Counts, Failures, Null, Sign string
	ClaimCounts                  string // empty without claims
	Quick                        bool
	SetsUsed                     int     // of the ensemble
	Compared                     []Count // verdicts that occur
	Glossary                     []Fact  // verdicts that occur, with their meaning
	// AuthorTable is the simulated table in the author's style with the
	// published effect and the verdict beside it.
	AuthorTable              string
	PublishedTable           string
	Comparison               Table
	Intervals                Table
	Rule                     string // by which a cell gets its verdict
	Starred                  bool   // some published cell is starred
	AssumedNoise             bool   // some noise is the default
	NoiseSources, NoiseKinds []Fact // full, and grouped
	Reasons                  []Fact
	Missing                  string // rows that were not run, named; "" if none
	Command                  string

	Counters                    Table
	Direct                      Table
	DirectSum, Identical        string
	Spreads                     Table
	Controls                    Table
	Control                     string
	Constants                   Table
	ConstantDocs, ConstantNotes []Fact
	Fit, BaseError, Again       string
	BaseErrors                  Table
	Evidence                    Table // empty without any
	Ensemble                    string
	BySet                       Table
	Deciding                    []Fact
	Claims                      []Claim
	NotModelled                 []string
	Provenance                  []Fact
	Warnings                    []string // of the store
	Trailers                    []Fact
	Plots                       []Plot
	// Words holds the standing sentences by name, each one paragraph.
	Words map[string]string
}

// New works out what a report on o says.
func New(o *study.Outcome, p Parts) (*Report, error) {
	if o == nil || o.Study == nil {
		return nil, errors.New("view: the outcome names no study; fill Outcome.Study")
	}
	if err := checkPlots(p.Plots); err != nil {
		return nil, err
	}
	s, rows, counts := o.Study, rowsOf(o), Tally(o)
	r := &Report{
		Study: s, Outcome: o,
		Ran:    ranFacts(o, rows, p),
		Counts: countSentence(counts), Failures: failureSentence(rows), Null: nullSentence(rows), Sign: signSentence(s.Table),
		ClaimCounts:    claimSentence(o),
		Quick:          o.Plan.Mode == "quick",
		SetsUsed:       setsUsed(o),
		Compared:       counts,
		PublishedTable: strings.Trim(p.PublishedTable, "\n"),
		Comparison:     comparison(s.Table, rows),
		Intervals:      intervals(s.Table, rows),
		Rule:           study.Rule(),
		Starred:        slices.ContainsFunc(rows, func(r row) bool { return r.star }),
		AssumedNoise:   slices.ContainsFunc(rows, func(r row) bool { return r.cell.Noise.Assumed }),
		NoiseSources:   noiseSources(rows), NoiseKinds: noiseKinds(rows),
		Reasons:  reasons(rows),
		Command:  p.Command,
		Counters: counters(s.Table, rows),
		Direct:   direct(s.Table, rows), DirectSum: directSentence(rows), Identical: identicalSentence(rows),
		Spreads:  spreads(s.Table, rows),
		Controls: controls(s.Table, rows), Control: controlSentence(rows),
		Constants: constants(s), ConstantDocs: constantDocs(s), ConstantNotes: constantNotes(s),
		Fit: fitSentence(o), BaseError: baseErrorSentence(o), Again: againSentence(s.Table), BaseErrors: baseErrors(s.Table, s.Calibration, rows),
		Evidence: evidence(o),
		Ensemble: ensembleSentence(o), BySet: bySet(s.Table, rows), Deciding: deciding(rows),
		Claims: claims(o), NotModelled: s.NotModelled,
		Provenance: provenance(o), Warnings: o.Warnings,
		Plots: p.Plots,
	}
	for _, c := range counts {
		r.Glossary = append(r.Glossary, Fact{string(c.Verdict), c.Meaning})
	}
	r.AuthorTable = authorTable(s.Table, rows, p.Table)
	if missing := keysOf(rows, func(r row) bool { return !r.run && r.verdict == study.NotRun }); len(missing) > 0 {
		r.Missing = upper(namedRows(missing))
	}
	if r.Command == "" {
		r.Command = command(o)
	}
	if s.Post.Link != "" {
		r.Trailers = []Fact{{"Link", s.Post.Link}}
	}
	return r, r.fillWords()
}

// authorTable is the table in the author's style. A table that does not show
// the rows line by line is followed by one that does.
func authorTable(t study.Table, rows []row, author string) string {
	if strings.TrimSpace(author) == "" {
		author = mmtests(t, rows)
	}
	out, ok := beside(strings.Trim(author, "\n"), t, rows)
	if ok {
		return out
	}
	own, _ := beside(mmtests(t, rows), t, rows)
	return out + "\n\n" + own
}

// reasons says why cells do not agree with the post. Those that do agree need
// no more than their figures.
func reasons(rows []row) []Fact {
	var out []Fact
	for _, r := range rows {
		if !r.run && r.verdict == study.NotRun || WordsOf(r.verdict).Agrees {
			continue
		}
		reason := r.cell.Reason
		if reason == "" {
			reason = "the ledger gives no reason"
		}
		out = append(out, Fact{r.key, string(r.verdict) + "; " + stop(reason)})
	}
	return out
}

// checkPlots refuses names that do not make a file name and drawings that
// would run or load something in a reader's browser.
func checkPlots(plots []Plot) error {
	seen := map[string]bool{}
	for _, p := range plots {
		if p.Name == "" || strings.Trim(p.Name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || seen[p.Name] {
			return fmt.Errorf("view: plot %q: the name is not unique or not of a-z, 0-9 and -; rename it", p.Name)
		}
		seen[p.Name] = true
		if err := checkSVG(p.SVG); err != nil {
			return fmt.Errorf("view: plot %s: %w", p.Name, err)
		}
	}
	return nil
}

// fillWords executes the standing sentences. White space in the template is
// for its reader only; each sentence becomes one line.
func (r *Report) fillWords() error {
	t, err := template.New("words").Option("missingkey=error").ParseFS(templates.FS, "words.tmpl")
	if err != nil {
		return fmt.Errorf("view: words.tmpl: %w", err)
	}
	r.Words = map[string]string{}
	for _, w := range t.Templates() {
		if w.Name() == "words" || w.Name() == "words.tmpl" {
			continue
		}
		var b strings.Builder
		if err := w.Execute(&b, r); err != nil {
			return fmt.Errorf("view: words.tmpl: %w", err)
		}
		r.Words[w.Name()] = strings.Join(strings.Fields(b.String()), " ")
	}
	return nil
}
