package view

// Missing stands in every table for a figure that was not measured.
const Missing = "-"

// A Col is the head of one column. Head may hold newlines, which only the
// plain-text form keeps.
type Col struct {
	Head string
	Num  bool // figures: aligned to the right
}

// A Table is rows of finished text under heads. The first cell of a row names it;
// where it is empty, the row goes on with what the one above it names.
type Table struct {
	// ID is unique within the report, and stays as long as the study's tables do:
	// links to rows begin with it. Caption says what the table shows.
	ID, Caption string
	Cols        []Col
	Rows        [][]string
}

// Empty reports whether t has nothing to show.
func (t Table) Empty() bool { return len(t.Rows) == 0 }

func text(head string) Col { return Col{Head: head} }
func num(head string) Col  { return Col{Head: head, Num: true} }

// A Fact is a labelled line.
type Fact struct {
	Label, Text string
}
