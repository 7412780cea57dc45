package study

import "time"

// Number is a figure that may be missing. Missing is NotMeasured, never 0; in
// JSON it is null.
type Number float64

// A Study is one published post made rerunnable: what was published, on what,
// and which model constants stand for the benchmark.
type Study struct {
	ID    string // "gorman2020-idle-candidate"
	Title string // subject line of the post
	Post  Post

	Machine  string // a topology catalogue id
	Kernel   string // "v5.10"
	Patch    string // name of a schedsim patch
	Workload string // "tbench"

	Table     Table
	Claims    []Claim
	Constants []Constant
	// Calibration records how the fitted constants came about.
	Calibration Calibration
	// Ensemble holds the constant sets that reproduce the base column
	// within its noise, frozen before the first patched run.
	Ensemble Ensemble
	// NotModelled is printed in every report.
	NotModelled []string
}

// Post identifies the mail that the numbers are from.
type Post struct {
	Author, Date, Subject, MessageID, Link string
	// Quote is the paragraph of the changelog that the table supports.
	Quote string
}

// Table is the published table as data.
type Table struct {
	ID        string
	Dialect   string // "mmtests"
	Benchmark string
	Statistic string // "Hmean"
	Unit      string // "MB/sec"
	Better    string // "higher" or "lower"
	// BaseLabel and PatchedLabel are the two header lines of each column.
	BaseLabel, PatchedLabel [2]string
	RowName                 string // what the key counts: "clients"
	Rows                    []Row
}

// Row is one published row, exact to the digit.
type Row struct {
	Key           string
	Base, Patched float64
	Pct           float64 // as printed
	Significant   bool    // the author's tool starred it
	Noise         Noise
}

// Noise is what is known of a published cell's run-to-run variation.
type Noise struct {
	Pct     float64 // half-width, percent of the value
	Source  string
	Assumed bool // nothing published: the default of 2 %
}

// Claim is a statement in prose, held to the rows that it speaks of.
type Claim struct {
	Text string
	Rows []string
	// Expect is "up" (at least one row improves beyond noise), "none-or-down"
	// (no row improves beyond noise).
	Expect string
}

// Constant is one number of the model that the study sets.
type Constant struct {
	Name  string
	Unit  string
	Doc   string
	Value float64
	// Low and High are the physically plausible bounds.
	Low, High float64
	// Fitted constants are set by calibration on the base column; the
	// others are drawn over their range in the ensemble only.
	Fitted bool
	Kind   string // "measured", "vendor", "derived", "assumed"
	Source string
}

// Calibration says what the fitted constants were fitted on.
type Calibration struct {
	Optimiser string
	Date      string
	Rows      []string // keys of the base-column rows used
	// MedianAbsErrPct is the median absolute error of the base column over
	// all rows with the fitted constants, percent.
	MedianAbsErrPct Number
}

// Ensemble is a frozen list of constant sets.
type Ensemble struct {
	Draws int
	Rule  string
	Date  string
	// SHA256 of the canonical text of Sets; loading verifies it.
	SHA256 string
	// Names orders the values of each set.
	Names []string
	Sets  [][]float64
}

// Plan says how much to run.
type Plan struct {
	Mode string // "quick" or "full"
	Seed uint64
	// N is the number of runs a row, arm and constant set.
	N int
	// Sets is how many sets of the ensemble to use, first to last.
	Sets int
	// Warmup and Measure are simulated time, by row key; "" is the default.
	Warmup, Measure map[string]time.Duration
}
