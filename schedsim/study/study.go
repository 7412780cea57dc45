package study

import (
	"time"

	"github.com/schedlab/schedlab/topology"
)

// Number is a figure that may be missing. Missing is NotMeasured, never 0; in
// JSON it is null.
type Number float64

// A Study is one published post made rerunnable: what was published, on what,
// and which model constants stand for the benchmark.
type Study struct {
	ID    string `yaml:"id"`    // "gorman2020-idle-candidate"
	Title string `yaml:"title"` // subject line of the post
	Post  Post   `yaml:"post"`

	Machine string `yaml:"machine"` // a topology catalogue id
	// PostMachine is the machine of the post where Machine is another one; see
	// On.
	PostMachine string            `yaml:"-"`
	model       *topology.Machine // what Machine is then
	Kernel      string            `yaml:"kernel"`   // "v5.10"
	Patch       string            `yaml:"patch"`    // name of a schedsim patch
	Workload    string            `yaml:"workload"` // "tbench"

	Table Table `yaml:"table"`
	// Evidence is what else is published about the base kernel.
	Evidence []Evidence `yaml:"evidence"`
	// FitRows are the rows that calibration fits; the others are held out.
	FitRows   []string   `yaml:"fit_rows"`
	Claims    []Claim    `yaml:"claims"`
	Constants []Constant `yaml:"constants"`
	// Calibration records how the fitted constants came about. It is read
	// from the study's model file, as is Ensemble; see UpdateFile.
	Calibration Calibration `yaml:"-"`
	// Ensemble holds the constant sets that reproduce the base column
	// within its noise, frozen before the first patched run.
	Ensemble Ensemble `yaml:"-"`
	// Plans say how much to run; see Plan.
	Plans Plans `yaml:"plans"`
	// NotModelled is printed in every report.
	NotModelled []string `yaml:"not_modelled"`
}

// Post identifies the mail that the numbers are from.
type Post struct {
	Author    string `yaml:"author"`
	Date      string `yaml:"date"` // YYYY-MM-DD
	Subject   string `yaml:"subject"`
	MessageID string `yaml:"message_id"`
	Link      string `yaml:"link"`
	// QuotedIn says where else the table stands, if it was read there.
	QuotedIn string `yaml:"quoted_in"`
	// Quote is the paragraph of the changelog that the table supports.
	Quote string `yaml:"quote"`
}

// Table is the published table as data.
type Table struct {
	ID        string `yaml:"id"`
	Dialect   string `yaml:"dialect"` // "mmtests"
	Benchmark string `yaml:"benchmark"`
	Statistic string `yaml:"statistic"` // "Hmean" or "Amean"
	Unit      string `yaml:"unit"`      // "MB/sec"
	Better    string `yaml:"better"`    // "higher" or "lower"
	// BaseLabel and PatchedLabel are the two header lines of each column.
	BaseLabel    [2]string `yaml:"base_label"`
	PatchedLabel [2]string `yaml:"patched_label"`
	RowName      string    `yaml:"row_name"` // what the key counts: "clients"
	// Again says where the base column was measured a second time; the
	// figures are in the rows. It is empty if that is known of no row.
	Again Again `yaml:"again"`
	Rows  []Row `yaml:"rows"`
}

// Again is a second, independent measurement of the base column by the same
// author on the same machine, published in another post.
type Again struct {
	Label     string `yaml:"label"` // of that column
	Date      string `yaml:"date"`  // YYYY-MM-DD
	MessageID string `yaml:"message_id"`
	Note      string `yaml:"note"` // what is known to differ
}

// Row is one published row, exact to the digit.
type Row struct {
	Key         string  `yaml:"key"`
	Base        float64 `yaml:"base"`
	Patched     float64 `yaml:"patched"`
	Pct         float64 `yaml:"pct"`         // as printed; positive when the value went up
	Significant bool    `yaml:"significant"` // the author's tool starred it
	// Again is the base cell as measured a second time, see Table.Again;
	// NotMeasured if it was not.
	Again Number `yaml:"again"`
	Noise Noise  `yaml:"noise"`
}

// Noise is what is known of a published cell's run-to-run variation. It
// applies to the effect: a published effect within it is no effect.
type Noise struct {
	Pct     float64 `yaml:"pct"` // half-width, percent of the value
	Source  string  `yaml:"source"`
	Assumed bool    `yaml:"-"` // nothing published: the default of 2 %
}

// Claim is a statement in prose, held to the rows that it speaks of.
type Claim struct {
	Text string   `yaml:"text"`
	Rows []string `yaml:"rows"`
	// Expect is "up" (at least one row improves beyond noise), "none-or-down"
	// (no row improves beyond noise).
	Expect string `yaml:"expect"`
}

// Constant is one number of the model that the study sets.
type Constant struct {
	Name string `yaml:"name"`
	Unit string `yaml:"unit"`
	Doc  string `yaml:"doc"`
	// Value is the start value in the study's file, and after calibration
	// the fitted value from its model file.
	Value float64 `yaml:"value"`
	// Low and High are the physically plausible bounds.
	Low  float64 `yaml:"low"`
	High float64 `yaml:"high"`
	// Fitted constants are set by calibration on the base column; the
	// others are drawn over their range in the ensemble only.
	Fitted bool   `yaml:"fitted"`
	Kind   string `yaml:"kind"` // "measured", "vendor", "derived", "assumed"
	Source string `yaml:"source"`
}

// Calibration says what the fitted constants were fitted on.
type Calibration struct {
	Optimiser string
	Date      string
	// ModelVersion is the version of the simulator that was fitted.
	ModelVersion string
	Rows         []string // keys of the base-column rows used
	// MedianAbsErrPct is the median absolute error of the base column over
	// all rows with the fitted constants, percent.
	MedianAbsErrPct Number
}

// Ensemble is a frozen list of constant sets.
type Ensemble struct {
	Draws int
	Rule  string
	Date  string
	// SHA256 of the canonical text of Names and Sets, see Digest; loading
	// verifies it.
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
	// Sets is how many sets of the ensemble to use, first to last; all of
	// them if it has fewer. With 0, or with an empty ensemble, the study's
	// constants are the only set.
	Sets int
	// Age, Warmup and Measure are simulated time, by row key; "" is the
	// default. They follow one another: see schedsim.Config.
	Age, Warmup, Measure map[string]time.Duration
}
