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

	// Setup is what its tables run where they say nothing else.
	Setup `yaml:",inline"`
	// PostMachine names the machines of the post where the study is run on
	// another one; see On.
	PostMachine string            `yaml:"-"`
	model       *topology.Machine // what it is run on then

	Tables []Table `yaml:"tables"`
	// Claims are statements in prose on several rows; those on one row, with or
	// without a figure, are rows themselves.
	Claims []Claim `yaml:"claims"`
	// Ablations are reruns with a mechanism switched off.
	Ablations []Ablation `yaml:"ablations"`
	// Histories are reruns of rows from other pasts.
	Histories []Histories `yaml:"histories"`
	// Pictures are stretches of runs that a report shows.
	Pictures  []Picture  `yaml:"pictures"`
	Constants []Constant `yaml:"constants"`
	// Calibration records how the fitted constants came about. It is read
	// from the study's model file, as is Ensemble; see UpdateFile.
	Calibration Calibration `yaml:"-"`
	// Ensemble holds the constant sets that reproduce the base column
	// within its noise, frozen before the first patched run with them.
	Ensemble Ensemble `yaml:"-"`
	// Plans say how much to run; see Plan.
	Plans Plans `yaml:"plans"`
	// Findings are what is known of why cells do not come out as published.
	Findings []Finding `yaml:"findings"`
	// NotModelled is printed in every report.
	NotModelled []string `yaml:"not_modelled"`
}

// Setup is what the runs of a table simulate. A table inherits what it does not
// state from the study; Params and System are merged name by name, also with
// those of a row and of an ablation.
type Setup struct {
	Machine string `yaml:"machine"` // a topology catalogue id
	Kernel  string `yaml:"kernel"`  // "v5.10"
	// KernelPatches are patches that both columns have.
	KernelPatches []string `yaml:"kernel_patches"`
	// Patch, or Patches in their order, is what the patched column adds.
	Patch   string   `yaml:"patch"`
	Patches []string `yaml:"patches"`
	// Reverse: the column that the post has first is the one with the patches.
	Reverse  *bool  `yaml:"reverse"`
	Workload string `yaml:"workload"` // a name of workload.Specs
	// Params are given to the workload, System to machine and kernel; see
	// SystemSettings.
	Params map[string]string `yaml:"params"`
	System map[string]string `yaml:"system"`
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

// Table is a published table as data, or claims in prose on one machine.
type Table struct {
	ID    string `yaml:"id"`
	Setup `yaml:",inline"`
	// Dialect is the style that the table is posted in, by its name in package
	// reports/author: "mmtests", "0-day", ...; empty where no style fits.
	Dialect   string `yaml:"dialect"`
	Benchmark string `yaml:"benchmark"`
	Statistic string `yaml:"statistic"` // "Hmean" or "Amean" over runs
	Unit      string `yaml:"unit"`      // "MB/sec"
	Better    string `yaml:"better"`    // "higher" or "lower"
	// Metric is the figure of a run that the table has: "throughput" if it is
	// empty, the workload's own figure of merit; see schedsim.BuiltinMetrics.
	Metric string `yaml:"metric"`
	// PctSign is what a positive percentage means: "change", that the value
	// went up, or "gain", that it improved. Without, it is change.
	PctSign string `yaml:"pct_sign"`
	// BaseLabel and PatchedLabel are the two header lines of each column.
	BaseLabel    [2]string `yaml:"base_label"`
	PatchedLabel [2]string `yaml:"patched_label"`
	RowName      string    `yaml:"row_name"` // what the key counts: "clients"
	// RowParam is the parameter of the workload whose value is the row's key.
	RowParam string `yaml:"row_param"`
	// Again says where the base column was measured a second time; the
	// figures are in the rows. It is empty if that is known of no row.
	Again Again `yaml:"again"`
	// Spread says what the rows' base_spread and patched_spread are.
	Spread SpreadSpec `yaml:"spread"`
	// Noise is that of the rows about which nothing is known by themselves.
	Noise Noise `yaml:"noise"`
	// Note is what the reader of the report has to know of the table.
	Note string `yaml:"note"`
	Rows []Row  `yaml:"rows"`
	// Evidence is what else is published about the base kernel.
	Evidence []Evidence `yaml:"evidence"`
	// FitRows are the rows that calibration fits; the others are held out.
	FitRows []string `yaml:"fit_rows"`
}

// Again is a second, independent measurement of the base column by the same
// author on the same machine, published in another post.
type Again struct {
	Label     string `yaml:"label"` // of that column
	Date      string `yaml:"date"`  // YYYY-MM-DD
	MessageID string `yaml:"message_id"`
	Note      string `yaml:"note"` // what is known to differ
}

// SpreadSpec says what is published about the spread of single runs.
type SpreadSpec struct {
	// Kind is "stddev" (with n-1 in the denominator, in the table's unit),
	// "population-stddev" (with n) or "stddev-pct" (percent of the mean).
	Kind string `yaml:"kind"`
	// N is how many runs each column is the mean of.
	N      int    `yaml:"n"`
	Source string `yaml:"source"`
}

// Row is one published row, exact to the digit, or one claim in prose.
type Row struct {
	Key string `yaml:"key"`
	// Params and System are the row's own; see Setup.
	Params map[string]string `yaml:"params"`
	System map[string]string `yaml:"system"`
	// Metric, Unit and Better are the row's own where they differ from the
	// table's.
	Metric string `yaml:"metric"`
	Unit   string `yaml:"unit"`
	Better string `yaml:"better"`
	// Base and Patched are NotMeasured where the post has no figure.
	Base    Number `yaml:"base"`
	Patched Number `yaml:"patched"`
	// Printed is the percentage as the post has it, or a range of percentages.
	Printed Printed `yaml:"pct"`
	// Pct is the published effect, percent by which the value went up: the middle
	// of a range, and what the columns give where no percentage is printed. It is
	// NotMeasured if the post says nothing or only which way.
	Pct         Number `yaml:"-"`
	Significant bool   `yaml:"significant"` // the author's tool starred it
	// Expect is what a claim without a figure says: "up" or "down" of the value,
	// "better" or "worse", or "none".
	Expect string `yaml:"expect"`
	// Text are the words of the post that the row stands for, if it is a claim.
	Text string `yaml:"text"`
	// Again is the base cell as measured a second time, see Table.Again;
	// NotMeasured if it was not.
	Again Number `yaml:"again"`
	// BaseSpread and PatchedSpread are of the runs behind each figure, see
	// Table.Spread; N overrides that of the table.
	BaseSpread    Number `yaml:"base_spread"`
	PatchedSpread Number `yaml:"patched_spread"`
	N             int    `yaml:"n"`
	Noise         Noise  `yaml:"noise"`
	// baseNoise is that of the base cell alone, percent.
	baseNoise float64
	// PublishedError says that the row's figures do not follow from one another
	// in the post itself, and how.
	PublishedError string `yaml:"published_error"`
	// HeldOut: the row is judged, but is no part of the base column that calibration
	// sees.
	HeldOut bool `yaml:"held_out"`
	// NotModelled says why the row is not run.
	NotModelled string `yaml:"not_modelled"`
}

// Noise is what is known of a published cell's run-to-run variation. It
// applies to the effect: a published effect within it is no effect.
type Noise struct {
	Pct    float64 `yaml:"pct"` // half-width, percent of the value
	Source string  `yaml:"source"`
	// Of is what the percentage is the half-width of: "difference", of two
	// columns, which it is without, or "single", of one column, so that the
	// difference of two has the root of 2 as much.
	Of      string `yaml:"of"`
	Assumed bool   `yaml:"-"` // nothing published: the default of 2 %
}

// Claim is a statement in prose, held to the rows that it speaks of.
type Claim struct {
	Text string `yaml:"text"`
	// Table is whose rows they are; the study's only one if it is empty.
	Table string   `yaml:"table"`
	Rows  []string `yaml:"rows"`
	// Expect is "up" (at least one row improves beyond noise), "none-or-down"
	// (no row improves beyond noise).
	Expect string `yaml:"expect"`
}

// Ablation is a rerun with a mechanism switched off, of rows in which the effect
// is said to rest on it.
type Ablation struct {
	ID  string `yaml:"id"`
	Doc string `yaml:"doc"`
	// Table, or every table with such rows if it is empty, and the keys of the
	// rows; all of the table's without.
	Table string   `yaml:"table"`
	Rows  []string `yaml:"rows"`
	// Patches are applied to both columns, after those of the study, which may
	// replace what they switch off; Params and System are set.
	Patches []string          `yaml:"patches"`
	Params  map[string]string `yaml:"params"`
	System  map[string]string `yaml:"system"`
	// Against is what it is compared with: "patch", the two columns with each
	// other, both without the mechanism, or "base", the base column without the
	// mechanism with that which has it. Without, it is patch.
	Against string `yaml:"against"`
	// Expect is what must come out: "none", "up", "down", "better", "worse".
	Expect string `yaml:"expect"`
}

// Constant is one number of the model that the study sets.
type Constant struct {
	Name string `yaml:"name"`
	Unit string `yaml:"unit"`
	Doc  string `yaml:"doc"`
	// Workload or Table restrict it to tables of that workload, or to one table.
	// Without, it is set wherever the model has it.
	Workload string `yaml:"workload"`
	Table    string `yaml:"table"`
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
	Rows         []string // of the base column that were used, as of RowName
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
	// MaxN is how many runs there are at most where the interval is still too wide
	// after N; see WidthWanted. N if it is smaller.
	MaxN int
	// Budget is the real time after which no further runs beyond N are begun; 0 is
	// no limit.
	Budget time.Duration
	// Sets is how many sets of the ensemble to use, first to last; all of
	// them if it has fewer. With 0, or with an empty ensemble, the study's
	// constants are the only set.
	Sets int
	// ControlSets is how many of them have a control, all if it is 0.
	ControlSets int
	// AblationSets is how many of them the ablations use; 0 for no ablations.
	AblationSets int
	// Histories is how many pairs of runs there are of each past of Study.Histories,
	// with the first constant set; 0 for none.
	Histories int
	// Skip are rows, or tables with all of theirs, that the plan leaves out.
	Skip []string
	// Age, Warmup and Measure are simulated time, by row: "table/row", the key of
	// a row, a table's id, or "" for the others; the most specific one counts.
	// They follow one another: see schedsim.Config.
	Age, Warmup, Measure map[string]time.Duration
}
