package view

import (
	"slices"

	"github.com/schedlab/schedlab/reports/overlay"
	"github.com/schedlab/schedlab/schedsim/study"
)

// Parts are what other packages render for a report.
type Parts struct {
	// Tables are the parts of each table, by its id.
	Tables map[string]TableParts
	// Machines says in a few words what each machine is, by its id: "2 sockets, 40
	// cores, 80 CPUs, 2 nodes".
	Machines map[string]string
	// Here is what was measured on a machine of the reader's, if anything was.
	Here *overlay.Overlay
	// Command reruns the study. Without it, one is made from the plan.
	Command string
}

// TableParts are what other packages render of one table.
type TableParts struct {
	// Table is the simulated columns in the author's own style, one line a
	// row. Without it, the style of mmtests is used.
	Table string
	// PublishedTable is the table as it was posted.
	PublishedTable string
	Plots          []Plot
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

	Counts, Failures, Null string
	ClaimCounts            string // empty without claims
	Quick                  bool
	SetsUsed               int     // of the ensemble
	Compared               []Count // verdicts that occur
	Glossary               []Fact  // verdicts that occur, with their meaning
	Sections               []*Section
	// Topics are the sections, or where there are several tables one section of the
	// rows of all of them, for tables that are the better for being in one piece.
	Topics       []*Section
	Rule         string // by which a cell gets its verdict
	Starred      bool   // some published cell is starred
	AssumedNoise bool   // some noise is the default
	Missing      string // rows that were not run, named; "" if none
	Command      string
	// Completing is the command that runs what is missing: of a quick plan that is
	// whole, and leaves rows out, the one of the full plan.
	Completing string

	DirectSum, Identical string
	Control              string
	Ablations            Table
	AblationDocs         []Fact
	Sensitivity          Table // empty if it was not run
	Constants            Table
	ConstantDocs         []Fact
	Fit, BaseError       string
	Ensemble             string
	Claims               []Claim
	NotModelled          []string
	Provenance           []Fact
	Warnings             []string // of the store
	Trailers             []Fact
	Plots                []Plot // of all tables
	// Brief is the short form, for a mail.
	Brief Brief
	Here  *Here // nil if nothing was measured
	// Histories are rows from other pasts.
	Histories []History
	// Words holds the standing sentences by name, each one paragraph.
	Words map[string]string
}

// Section is what a report says of one table.
type Section struct {
	Table *study.Table
	// Heading names the table where there are several; it is empty otherwise.
	Heading string
	Ran     []Fact // of several tables
	Note    string
	Sign    string
	// Quotes are the words of the claims among the rows.
	Quotes []Fact
	// AuthorTable is the simulated table in the author's style, with the
	// published effect and the verdict beside it where the style allows. It is empty where the post's
	// style is not known.
	AuthorTable string
	// Beside: the published effects and verdicts stand beside its lines.
	Beside         bool
	PublishedTable string
	Comparison     Table
	Intervals      Table
	Reasons        []Fact
	// Findings are what is known of why rows do not agree; those with one finding
	// are together.
	Findings        []Fact
	NoiseSources    []Fact
	PublishedErrors []Fact
	Plots           []Plot

	Direct     Table
	Counters   Table
	Trace      Table // of the figures that change most
	Spreads    Table
	Controls   Table
	BaseErrors Table
	Again      string
	Evidence   Table // empty without any
	Warmup     string
	MoreRuns   string // rows with too few runs, and how many more they need
	BySet      Table
	Deciding   []Fact

	evidence    []study.EvidenceCell
	rows        []row
	study       *study.Study
	sensitivity *study.Sensitivity
	command     string
}

// HasDirect reports whether some run evaluated the replaced function in both
// versions.
func (r *Report) HasDirect() bool {
	return slices.ContainsFunc(r.Sections, func(s *Section) bool { return !s.Direct.Empty() })
}

// HasEvidence reports whether something is held out.
func (r *Report) HasEvidence() bool {
	return slices.ContainsFunc(r.Sections, func(s *Section) bool { return !s.Evidence.Empty() })
}

// HasTrace reports whether some figure changes enough to be shown.
func (r *Report) HasTrace() bool {
	return slices.ContainsFunc(r.Sections, func(s *Section) bool { return !s.Trace.Empty() })
}

// HasNoise reports whether a noise has a source to name.
func (s *Section) HasNoise() bool { return len(s.NoiseSources) > 0 }
