package study

import "github.com/schedlab/schedlab/schedsim"

// Verdict is the outcome of comparing a published with a simulated effect.
type Verdict string

// The verdicts, with the rule fixed before the run; see Judge.
const (
	Reproduced    Verdict = "reproduced"     // sign and size
	Direction     Verdict = "direction"      // sign, size off
	AgreesOnNone  Verdict = "agrees on none" // neither beyond noise
	Missed        Verdict = "missed"         // published beyond noise, simulated not
	Phantom       Verdict = "phantom"        // simulated beyond noise, published not
	Contradicted  Verdict = "contradicted"   // opposite signs, both beyond noise
	Undecided     Verdict = "undecided"      // the runs cannot tell an effect from none
	Unidentified  Verdict = "unidentified"   // under 90 % of the ensemble agree
	Unfalsifiable Verdict = "unfalsifiable"  // no constant moves the cell
	NotModelled   Verdict = "not modelled"
	NotRun        Verdict = "not run" // the store has too few runs to tell
)

// Effect is a pair of columns and the percentage between them.
type Effect struct {
	Base, Patched, Pct Number
}

// Interval is a simulated effect with its uncertainty.
type Interval struct {
	Effect
	// CILow and CIHigh bound Pct: the 95 % interval of the paired
	// differences over all runs.
	CILow, CIHigh Number
	N             int // paired runs
	Ensemble      int // constant sets
}

// Spread summarises one arm of one row over histories (seeds and sets).
type Spread struct {
	Min, P10, Median, P90, Max Number
}

// Arm is one column of one row, simulated.
type Arm struct {
	Values []float64 // figure of merit of each run, in run order
	Spread Spread
	// CVPct is how much runs of one constant set differ: their standard deviation,
	// pooled over the sets, of the mean over all runs, percent. PublishedCVPct is that
	// of the runs behind the published figure. NotMeasured with less than two runs.
	CVPct, PublishedCVPct Number
	// Bimodal: the runs have more than one mode by the dip test, so that the mean
	// stands for no run. It takes eight runs to tell.
	Bimodal  bool
	Counters schedsim.Counters // summed over the runs
	// Metrics has the mean over the runs of every figure that all of them have.
	Metrics map[string]float64
	// SimulatedNS is the measured simulated time summed over the runs.
	SimulatedNS int64
	// SocketShare has one value a run: see schedsim.Result.
	SocketShare []float64
}

// Cell is one published number beside the simulated one, or a claim in prose
// beside what came out.
type Cell struct {
	Study, Table, Machine     string
	Row, Metric, Unit, Better string
	Published                 Effect
	// Expect is what a claim says that has no figure; see Row.
	Expect        string
	Noise         Noise
	Simulated     Interval
	PerSet        []Interval // the effect with each constant set, in the ensemble's order
	BaseErrorPct  Number     // simulated base against published base
	Base, Patched Arm
	// Pairs are the runs behind Simulated, in the order of the arms' values.
	Pairs []Pair
	// RunWidth is the width of the effect's interval as far as runs go, in points,
	// see PairedGroups.RunWidth; MoreRuns is about how many pairs more would bring it
	// to WidthWanted, or to a tenth of the noise, 0 if it is there.
	RunWidth Number
	MoreRuns int
	// DroppedPct is how much of the measured time was found to be warm-up, by
	// MSER-5, and left out of the figure; NotMeasured if the workload cannot tell.
	DroppedPct                  Number
	Verdict                     Verdict
	Reason                      string
	Findings                    []Finding // what is known of why it does not agree
	Agreement                   Number    // share of sets that come to Verdict
	DecidingConstant            string    // for Unidentified: what it hangs on
	ControlPct                  Number    // base against base under another seed
	ControlCILow, ControlCIHigh Number
}

// BeyondNoise reports whether something is claimed of the cell that is beyond its
// noise: what a model can be right or wrong about.
func (c *Cell) BeyondNoise() bool {
	if c.Published.Pct.Measured() {
		return beyond(c.Published, c.Noise)
	}
	return c.Expect != "" && c.Expect != expectNone
}

// ClaimCell is a claim in prose with its verdict.
type ClaimCell struct {
	Claim   Claim
	Verdict Verdict
	Reason  string
}

// Outcome is everything that one rerun of a study found.
type Outcome struct {
	Study  *Study
	Plan   Plan
	Cells  []Cell
	Claims []ClaimCell
	// Ablations are reruns with a mechanism switched off.
	Ablations []AblationCell
	// Histories are reruns of rows from other pasts, in the order of their ages.
	Histories []HistoryCell
	// Sensitivity is how the effects depend on the constants, nil if that was not
	// run in full.
	Sensitivity *Sensitivity
	// Evidence is what else is known of the base kernel, beside the model.
	Evidence []EvidenceCell
	// MedianBaseErrPct is the median absolute error of the base column.
	MedianBaseErrPct Number
	// ModelVersion and Machines, hashes by id, pin what was simulated.
	ModelVersion string
	Machines     map[string]string
	// Missing lists rows, as of Study.RowName, that the store has no pair of runs
	// for.
	Missing []string
	// HaveRuns of the WantRuns of Plan, controls included, were in the store.
	HaveRuns, WantRuns int
	// Warnings name what was found in the store and not used.
	Warnings []string
}
