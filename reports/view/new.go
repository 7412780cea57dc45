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

// New works out what a report on o says.
func New(o *study.Outcome, p Parts) (*Report, error) {
	if o == nil || o.Study == nil {
		return nil, errors.New("view: the outcome names no study; fill Outcome.Study")
	}
	s, rows, counts := o.Study, rowsOf(o), Tally(o)
	r := &Report{
		Study: s, Outcome: o,
		Ran:    ranFacts(o, rows, p),
		Counts: countSentence(counts), Failures: failureSentence(rows), Null: nullSentence(rows),
		ClaimCounts:  claimSentence(o),
		Quick:        o.Plan.Mode == study.ModeQuick,
		SetsUsed:     setsUsed(o),
		Compared:     counts,
		Rule:         study.Rule(),
		Starred:      slices.ContainsFunc(rows, func(r row) bool { return r.star }),
		AssumedNoise: slices.ContainsFunc(rows, func(r row) bool { return r.cell.Noise.Assumed }),
		Command:      p.Command,
		DirectSum:    directSentence(named(rows)), Identical: identicalSentence(rows),
		Control:   controlSentence(named(rows)),
		Ablations: ablations(o), AblationDocs: ablationDocs(o),
		Sensitivity: sensitivity(o),
		Constants:   constants(s), ConstantDocs: constantDocs(s),
		Fit: fitSentence(o), BaseError: baseErrorSentence(o),
		Ensemble: ensembleSentence(o),
		Claims:   claims(o), NotModelled: s.NotModelled,
		Provenance: provenance(o), Warnings: o.Warnings,
		Here:      newHere(o, rows, p.Here),
		Histories: histories(o),
	}
	for i := range s.Tables {
		section := newSection(o, &s.Tables[i], p)
		r.Sections = append(r.Sections, section)
		r.Plots = append(r.Plots, section.Plots...)
	}
	r.Topics = r.Sections
	if len(s.Tables) > 1 {
		r.Topics = []*Section{newTopics(o, named(rows))}
	}
	if err := checkPlots(r.Plots); err != nil {
		return nil, err
	}
	for _, c := range counts {
		r.Glossary = append(r.Glossary, Fact{string(c.Verdict), c.Meaning})
	}
	if missing := namesOf(rows, func(r row) bool { return !r.run && r.verdict == study.NotRun }); len(missing) > 0 {
		r.Missing = upper(namedRows(missing))
	}
	if r.Command == "" {
		r.Command = command(o)
	}
	r.Completing = r.Command
	if r.Quick && o.HaveRuns == o.WantRuns {
		full := strings.Replace(r.Command, "--"+study.ModeQuick, "--"+study.ModeFull, 1)
		r.Completing = strings.TrimSuffix(full, fmt.Sprintf(" -n %d", o.Plan.N)) // which is the quick one's
	}
	for _, s := range r.Sections {
		s.command = r.Command
	}
	r.caption()
	if s.Post.Link != "" {
		r.Trailers = []Fact{{"Link", s.Post.Link}}
	}
	r.Brief = newBrief(r, rows, p)
	return r, r.fillWords()
}

// newSection works out what a report says of one table.
func newSection(o *study.Outcome, t *study.Table, p Parts) *Section {
	rows := rowsOfTable(o, t, make([]bool, len(o.Cells)))
	parts := p.Tables[t.ID]
	s := &Section{
		Table: t, Note: stop(upper(t.Note)), Sign: signSentence(t),
		Quotes:          quotes(rows),
		PublishedTable:  strings.Trim(parts.PublishedTable, "\n"),
		Comparison:      comparison(t, rows),
		Intervals:       intervals(t, rows),
		Reasons:         reasons(rows),
		Findings:        findings(rows),
		NoiseSources:    noiseSources(rows),
		PublishedErrors: publishedErrors(rows),
		Plots:           parts.Plots,
		Direct:          direct(t, rows),
		Counters:        counters(t, rows),
		Trace:           trace(t, rows),
		Spreads:         spreads(t, rows),
		Controls:        controls(t, rows),
		BaseErrors:      baseErrors(t, o.Study.Calibration, rows), Again: againSentence(t),
		Evidence: evidence(o, t.ID),
		BySet:    bySet(t, rows), Deciding: deciding(rows),
		Warmup: warmupSentence(rows), MoreRuns: moreRunsSentence(rows),
		evidence: o.Evidence,
		rows:     rows, study: o.Study, sensitivity: o.Sensitivity,
	}
	// Without a style of the author's there is nothing to quote.
	s.AuthorTable = strings.Trim(parts.Table, "\n")
	s.Comparison = withHere(s.Comparison, t, rows, p.Here)
	if s.Beside = t.Dialect == "mmtests"; s.Beside {
		s.AuthorTable = authorTable(t, rows, parts.Table)
	}
	if len(o.Study.Tables) > 1 {
		s.Heading = heading(t)
		s.Ran = tableFacts(o, t, p)
	}
	return s
}

// newTopics is what a report says of the rows of all tables together.
func newTopics(o *study.Outcome, rows []row) *Section {
	t := &study.Table{RowName: "row"}
	return &Section{
		Table:        t,
		Intervals:    intervals(t, rows),
		NoiseSources: noiseSources(rows),
		Direct:       direct(t, rows),
		Counters:     counters(t, rows),
		Trace:        trace(t, rows),
		Spreads:      spreads(t, rows),
		Controls:     controls(t, rows),
		BaseErrors:   baseErrors(t, o.Study.Calibration, rows),
		BySet:        bySet(t, rows), Deciding: deciding(rows),
		Warmup: warmupSentence(rows), MoreRuns: moreRunsSentence(rows),
	}
}

// heading names a table among others.
func heading(t *study.Table) string {
	name := t.Benchmark
	if name == "" {
		name = t.Workload
	}
	return name + " on " + t.Machine + " (" + t.ID + ")"
}

// quotes are the words of the post that claims among the rows stand for.
func quotes(rows []row) []Fact {
	var out []Fact
	for _, r := range rows {
		if r.published != nil && r.published.Text != "" {
			out = append(out, Fact{r.key, `"` + r.published.Text + `"`})
		}
	}
	return out
}

// publishedErrors are the slips of the post.
func publishedErrors(rows []row) []Fact {
	var out []Fact
	for _, r := range rows {
		if r.published != nil && r.published.PublishedError != "" {
			out = append(out, Fact{r.key, stop(r.published.PublishedError)})
		}
	}
	return out
}

// authorTable is the table in the author's style. A table that does not show
// the rows line by line is followed by one that does.
func authorTable(t *study.Table, rows []row, author string) string {
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

// findings are what is known of why rows do not agree, and from what.
func findings(rows []row) []Fact {
	var order []study.Finding
	keys := make(map[string][]string)
	for _, r := range rows {
		for _, f := range r.cell.Findings {
			if keys[f.Reason] == nil {
				order = append(order, f)
			}
			keys[f.Reason] = append(keys[f.Reason], r.key)
		}
	}
	out := make([]Fact, len(order))
	for i, f := range order {
		out[i] = Fact{strings.Join(keys[f.Reason], ", "), upper(stop(f.Reason)) + " " + upper(stop(f.Evidence))}
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
		if err := CheckSVG(p.SVG); err != nil {
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
