package view

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/schedlab/schedlab/schedsim/study"
)

// Brief is what of a report a mail has room for: what was run, the tables, how they
// compare, what carries the effect, what is left out and how to run it again. All
// of its evidence is in the other forms.
type Brief struct {
	Ran    []Fact
	Tables []BriefTable
	// Reasons say why rows do not agree, those with one reason together.
	Reasons []string
	// Findings are what is known of why rows do not agree, in a few words.
	Findings []string
	// Unmodelled are the rows that the model leaves out, by reason; NotRun is the
	// sentence on those for want of runs.
	Unmodelled []string
	NotRun     string
	Slips      []string // of the post
	Notes      []string // on the tables
	// Counters are those of the rows that change most.
	Counters  Table
	Ablations Table
	Checks    []string
	// Claims are those of the post in prose, with what came of them in short.
	Claims     []Claim
	Provenance []Fact
}

// A BriefTable is one table of a post, or the claims that are in none.
type BriefTable struct {
	Heading string // empty of the only one
	Author  string // the simulated columns in its author's style; may be empty
	Summary Table
}

// Limits of a mail.
const (
	briefNames     = 3   // rows named where many are meant
	briefCounters  = 3   // rows whose counters are shown
	briefAblations = 12  // rows of ablations
	briefHash      = 16  // digits
	briefWidth     = 100 // columns of a table
)

func newBrief(r *Report, rows []row, p Parts) Brief {
	o := r.Outcome
	several := len(o.Study.Tables) > 1
	shared := common(o.Study)
	b := Brief{Ran: briefFacts(r, rows), Ablations: r.Ablations, Slips: slips(r)}
	var claims []row
	for _, s := range r.Sections {
		inTable := rowsIn(rows, s.Table)
		ran := ranOnly(inTable)
		if len(ran) == 0 {
			continue
		}
		if several && s.Note != "" {
			b.Notes = addNote(b.Notes, s.Table.ID, s.Note)
		}
		author := strings.Trim(p.Tables[s.Table.ID].Table, "\n")
		if author == "" && several {
			claims = append(claims, ran...)
			continue
		}
		t := BriefTable{Author: author, Summary: summary(s.Table, ran)}
		if several {
			t.Heading = briefHeading(s.Table, p, shared)
		} else if s.Note != "" {
			b.Notes = append(b.Notes, s.Note)
		}
		b.Tables = append(b.Tables, t)
	}
	if len(claims) > 0 {
		t := BriefTable{Summary: summary(&study.Table{RowName: "table/row"}, named(claims))}
		if len(b.Tables) > 0 {
			t.Heading = "What the post says in prose"
		}
		b.Tables = append(b.Tables, t)
	}
	b.Reasons = briefReasons(rows)
	b.Findings = briefFindings(rows)
	b.Unmodelled = unmodelledRows(rows)
	if names := namesOf(rows, func(r row) bool { return r.verdict == study.NotRun }); len(names) > 0 {
		b.NotRun = fmt.Sprintf("Not run, and left out above: %s.", fewNames(names, "row"))
	}
	b.Counters = counters(&study.Table{RowName: rowNameOf(o.Study)}, mostChanged(rows, several)).
		fit(briefWidth, "core search", "scanned per", "involuntary")
	b.Ablations = b.Ablations.fit(briefWidth, "pairs")
	if len(b.Ablations.Rows) > briefAblations {
		b.Ablations = Table{}
		b.Checks = append(b.Checks, ablationSentence(o))
	}
	if r.Control != "" {
		b.Checks = append(b.Checks, "Base against base, under other seeds: "+r.Control)
	}
	for _, h := range r.Histories {
		b.Checks = append(b.Checks, fmt.Sprintf("Row %s from other pasts: %s", h.Row, h.Finding))
	}
	for _, s := range []string{briefEnsemble(r), r.BaseError} {
		if s != "" {
			b.Checks = append(b.Checks, s)
		}
	}
	for _, c := range r.Claims {
		// The figures of the rows stand in the tables.
		if verdict, rest, ok := strings.Cut(c.Ruling, "; "); ok {
			if i := strings.LastIndex(rest, ": "); i >= 0 {
				c.Ruling = verdict + ": " + rest[i+2:]
			}
		}
		b.Claims = append(b.Claims, c)
	}
	b.Provenance = briefProvenance(r.Provenance)
	return b
}

// rowNameOf heads rows of all tables.
func rowNameOf(s *study.Study) string {
	if len(s.Tables) == 1 {
		return s.Tables[0].RowName
	}
	return "table/row"
}

func rowsIn(rows []row, t *study.Table) []row {
	var out []row
	for _, r := range rows {
		if r.table == t {
			out = append(out, r)
		}
	}
	return out
}

func ranOnly(rows []row) []row {
	return slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return !r.run })
}

// briefFacts are those of the report, in short: which table was warmed up for how
// long is in the others.
func briefFacts(r *Report, rows []row) []Fact {
	facts := slices.Clone(r.Ran)
	if len(r.Study.Tables) == 1 {
		return facts
	}
	var out []Fact
	for _, f := range facts {
		switch f.Label {
		case "Simulated":
			parts := strings.Split(f.Text, "; ")
			f.Text = parts[len(parts)-1] + "; by table in the whole report"
		case "Runs":
			if set := strings.Trim(setText(common(r.Study)), " ()"); set != "" {
				out = append(out, Fact{"System", set})
			}
		}
		out = append(out, f)
	}
	return out
}

// briefHeading names a table, its machine, what it sets and its direction.
func briefHeading(t *study.Table, p Parts, shared map[string]string) string {
	s := heading(t)
	if m := p.Machines[t.Machine]; m != "" {
		s += ": " + m
	}
	if set := strings.Trim(setText(own(t, shared)), " ()"); set != "" {
		s += "; " + set
	}
	if t.Better != "" && !slices.ContainsFunc(t.Rows, func(r study.Row) bool { return r.Better != "" && r.Better != t.Better }) {
		s += "; " + t.Better + " is better"
	}
	return s
}

// summary is each row's published effect beside the simulated one.
func summary(t *study.Table, rows []row) Table {
	out := Table{Cols: []Col{
		text(rowName(t)), num("published\n% and noise"), num("simulated\n[*] %"), num("95 %\ninterval"), text("\nverdict"),
	}}
	for _, r := range rows {
		c := r.cell
		out.Rows = append(out.Rows, []string{r.key, starred(r) + " " + noise(c.Noise), Signed(c.Simulated.Pct, 2), interval(r), string(r.verdict)})
	}
	return out
}

// fewNames names some of many: "row a", "rows a, b and 14 more".
func fewNames(names []string, noun string) string {
	switch n := len(names); {
	case n == 1:
		return noun + " " + names[0]
	case n > briefNames+1:
		return fmt.Sprintf("%ss %s and %d more", noun, strings.Join(names[:briefNames], ", "), n-briefNames)
	}
	return noun + "s " + list(names)
}

// slips are the errors of the post, named by row.
func slips(r *Report) []string {
	var out []string
	for _, s := range r.Sections {
		for _, f := range s.PublishedErrors {
			out = append(out, f.Label+": "+f.Text)
		}
	}
	return out
}

// addNote adds a note on a table, or the table to the others with that note.
func addNote(notes []string, id, note string) []string {
	for i, n := range notes {
		if ids, text, _ := strings.Cut(n, ": "); text == note {
			notes[i] = ids + ", " + id + ": " + note
			return notes
		}
	}
	return append(notes, id+": "+note)
}

// mostChanged are the rows whose figure the patch changes most.
func mostChanged(rows []row, several bool) []row {
	out := slices.DeleteFunc(ranOnly(rows), func(r row) bool { return r.identical() || r.cell.Simulated.Pct == 0 })
	slices.SortStableFunc(out, func(a, b row) int {
		x, y := math.Abs(float64(a.cell.Simulated.Pct)), math.Abs(float64(b.cell.Simulated.Pct))
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	// Rows that are figures of the same runs have the same counters.
	var distinct []row
	for _, r := range out {
		if !slices.ContainsFunc(distinct, func(d row) bool {
			return d.cell.Base.Counters == r.cell.Base.Counters && d.cell.Patched.Counters == r.cell.Patched.Counters
		}) {
			distinct = append(distinct, r)
		}
	}
	distinct = distinct[:min(len(distinct), briefCounters)]
	if several {
		return named(distinct)
	}
	return distinct
}

// ablationSentence counts ablations that are too many to list.
func ablationSentence(o *study.Outcome) string {
	good := 0
	for _, a := range o.Ablations {
		if WordsOf(a.Verdict).Agrees {
			good++
		}
	}
	return fmt.Sprintf("With the mechanism switched off that the post names, %d of %d rows come out as they then must.", good, len(o.Ablations))
}

// briefProvenance shortens hashes.
func briefProvenance(facts []Fact) []Fact {
	out := slices.Clone(facts)
	for i := range out {
		words := strings.Fields(out[i].Text)
		for k, w := range words {
			w, comma := strings.CutSuffix(w, ";")
			if sum := strings.TrimPrefix(w, "sha256:"); len(sum) == 64 && strings.Trim(sum, "0123456789abcdef") == "" {
				words[k] = w[:len(w)-len(sum)] + sum[:briefHash]
				if comma {
					words[k] += ";"
				}
			}
		}
		out[i].Text = strings.Join(words, " ")
	}
	return out
}

// Undecided reports whether some cell has that verdict.
func (r *Report) Undecided() bool {
	return slices.ContainsFunc(r.Compared, func(c Count) bool { return c.Verdict == study.Undecided })
}

// briefEnsemble is how many sets of constants there are, and since when.
func briefEnsemble(r *Report) string {
	e := r.Study.Ensemble
	if len(e.Sets) == 0 {
		return r.Ensemble
	}
	s := fmt.Sprintf("%d of %s of constants that were drawn fit the base column", len(e.Sets), counted(e.Draws, "set"))
	if e.Date != "" {
		s += " and were frozen on " + e.Date
	}
	return s + fmt.Sprintf(", before the first patched run with them; these runs used %d.", r.SetsUsed)
}
