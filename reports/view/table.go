package view

// Missing stands in every table for a figure that was not measured.
const Missing = "-"

// A Col is the head of one column. Head may hold newlines, which only the
// plain-text form keeps.
type Col struct {
	Head string
	Num  bool // figures: aligned to the right
}

// A Table is rows of finished text under heads.
type Table struct {
	Cols []Col
	Rows [][]string
}

// Empty reports whether t has nothing to show.
func (t Table) Empty() bool { return len(t.Rows) == 0 }

func text(head string) Col { return Col{Head: head} }
func num(head string) Col  { return Col{Head: head, Num: true} }

// A Fact is a labelled line.
type Fact struct {
	Label, Text string
}
