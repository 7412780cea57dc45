package dialect

import "strings"

// A Table is a table of results: one column a kernel, the first of them the
// baseline, one row a statistic of one test case.
type Table struct {
	// Caption is the line above the header, such as "tbench4 Throughput";
	// empty when there is none.
	Caption string
	Kernels []Kernel
	Rows    []Row
	// Layout holds the widths of mmtests. Zero values are the program's
	// defaults.
	Layout Layout
	// Form is the style of the table, and what that style has beside rows:
	// *LKP, *Columns, ...; nil for mmtests.
	Form Form

	// File is where the table was read from, for messages; empty for a
	// table made from numbers.
	File string
	// Deviations are the lines that the program would have printed in
	// another way. Only a parser sets them.
	Deviations []Deviation
}

// A Kernel heads one column with two lines of text.
type Kernel struct {
	// Label is the first and second header line: "5.10.0-rc6" and
	// "schedstat". An empty first label in every column means that the
	// header has one line.
	Label [2]string
}

// A Row is one line of numbers.
type Row struct {
	Stat  string // "Hmean", "Amean", "Stddev", "Duration", ...
	Key   string // the test case: "64", "tput-16", "ep.D"
	Cells []Cell // one a kernel
	Line  int    // line in Table.File, from 1; 0 when not read from a file
}

// A Cell is one kernel's number in a row.
type Cell struct {
	Value Decimal
	// Pct is the difference to the baseline in percent, positive for
	// better; the empty Decimal in a table without comparison.
	Pct Decimal
	// Star is set when the program held the difference for significant.
	Star bool
	// Spread is the standard deviation beside the value, in the dialect's own
	// unit: percent of the value for the test robot, the value's unit in a
	// table of mean+-stddev. Empty where none is printed.
	Spread Decimal
	// Absolute is set where Pct is a plain difference: the robot's metrics
	// that are percentages.
	Absolute bool
	// Of is the number of runs where Value counts failures of them; else
	// empty.
	Of Decimal
}

// Layout is the column widths of a table, in bytes.
type Layout struct {
	Indent     int // blanks before each line
	StatWidth  int // statistic name, 0 for 9 ("BHmean-50") or the longest
	KeyWidth   int // test case, 0 for the longest
	FieldWidth int // value, 0 for 12
	// NoCompare is set for tables of plain numbers, such as the Duration
	// block: values have no percentage beside them.
	NoCompare bool
}

// A Deviation is a line that the program prints otherwise, which shows that
// somebody edited the table or that a mailer damaged it.
type Deviation struct {
	Line int    // from 1
	Got  string // as read
	Want string // as the program prints it
}

// Better says in which direction a statistic improves.
type Better int

// The directions. Unknown is for statistics such as Min whose direction
// depends on what is measured.
const (
	Unknown Better = iota
	Higher
	Lower
)

// String returns "higher", "lower" or "unknown".
func (b Better) String() string {
	switch b {
	case Higher:
		return "higher"
	case Lower:
		return "lower"
	}
	return "unknown"
}

// BetterOf returns the direction that the name of an mmtests statistic
// implies: the program takes the harmonic mean where higher is better and the
// arithmetic mean where lower is, and less spread is always better.
func BetterOf(stat string) Better {
	for _, name := range []string{"Hmean", "BHmean", "SubHmean"} {
		if strings.HasPrefix(stat, name) {
			return Higher
		}
	}
	for _, name := range []string{"Amean", "BAmean", "SubAmean",
		"Stddev", "HStddev", "CoeffVar", "HCoeffVar"} {
		if strings.HasPrefix(stat, name) {
			return Lower
		}
	}
	return Unknown
}

// SplitName splits the name of a test run into the two header lines: up to the
// first dash, or after "-rcN" where that follows, and the rest. The program
// cuts a -rc10 in two and repeats a name without dash on both lines; SplitName
// keeps the number whole and gives such a name the second line only.
func SplitName(name string) Kernel {
	dash := strings.IndexByte(name, '-')
	if dash < 0 {
		return Kernel{Label: [2]string{"", name}}
	}
	cut := dash
	if rest := name[dash:]; strings.HasPrefix(rest, "-rc") {
		digits := len("-rc")
		for digits < len(rest) && '0' <= rest[digits] && rest[digits] <= '9' {
			digits++
		}
		if digits > len("-rc") && (digits == len(rest) || rest[digits] == '-') {
			cut = dash + digits
		}
	}
	if cut == len(name) {
		return Kernel{Label: [2]string{name, ""}}
	}
	return Kernel{Label: [2]string{name[:cut], name[cut+1:]}}
}

// Name joins the two header lines again.
func (k Kernel) Name() string {
	switch {
	case k.Label[0] == "":
		return k.Label[1]
	case k.Label[1] == "":
		return k.Label[0]
	}
	return k.Label[0] + "-" + k.Label[1]
}

// Row returns the row with that statistic and test case, or nil.
func (t *Table) Row(stat, key string) *Row {
	for i := range t.Rows {
		if t.Rows[i].Stat == stat && t.Rows[i].Key == key {
			return &t.Rows[i]
		}
	}
	return nil
}
