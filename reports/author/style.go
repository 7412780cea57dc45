package author

import (
	"fmt"
	"slices"
	"strings"

	"github.com/schedlab/schedlab/reports/dialect"
	"github.com/schedlab/schedlab/schedsim/study"
)

// The styles by name, as a study's "dialect:" and mkreport's --dialect have them.
const (
	MMTests   = "mmtests"       // Mel Gorman and many others
	Robot     = "0-day"         // the kernel test robot
	PlusMinus = "mean+-stddev"  // Julia Lawall
	Pairs     = "duration="     // Alex Shi; any name may stand before the "="
	JVMS      = "jvms"          // Srikar Dronamraju, SPECjbb2005
	June      = "jvms-2018-06"  // the same, June 2018: changes cut to five characters
	Count     = "count-min-max" // Srikar Dronamraju, dbench
	AutoNUMA  = "autonuma"      // Srikar Dronamraju, numa01 to numa05: times alone
	Plain     = "plain"         // case, base, patched, %change
	BasePatch = "base/patch"    // Aaron Lu
	Hyperfine = "hyperfine"     // hyperfine --export-markdown: times alone
	PctImp    = "pct-imp"       // K Prateek Nayak
	Spread    = "+/-"           // Vincent Guittot
	Schedtest = "schedtests"    // Chen Yu
)

// Styles are the names of all styles.
func Styles() []string {
	return []string{MMTests, Robot, PlusMinus, Pairs, JVMS, June, Count, AutoNUMA, Plain, BasePatch, Hyperfine, PctImp, Spread, Schedtest}
}

// Known reports whether a style has that name.
func Known(style string) bool {
	name, ok := strings.CutSuffix(style, "=")
	return ok && name != "" && !strings.ContainsAny(name, " \t=") || slices.Contains(Styles(), style)
}

// Mark stands behind the name of each simulated column.
const Mark = "[*]"

// minSpread is the fewest runs that have a standard deviation.
const minSpread = 2

// A row is a test case with the runs of both columns.
type row struct {
	key, unit string
	better    dialect.Better
	base      arm
	patched   arm
	measured  bool // false: not run
}

// An arm is one column's runs; the mean is the report's own.
type arm struct {
	runs []float64
	mean float64
	sd   float64 // where the runs are not known one by one
}

// stddev is that of the runs, 0 where it is not known.
func (a arm) stddev() float64 {
	switch {
	case len(a.runs) == 0 && a.sd > 0:
		return a.sd
	case len(a.runs) < minSpread:
		return 0
	}
	return study.Stddev(a.runs)
}

func (r row) means() []float64   { return []float64{r.base.mean, r.patched.mean} }
func (r row) stddevs() []float64 { return []float64{r.base.stddev(), r.patched.stddev()} }
func (r row) runs() [][]float64  { return [][]float64{r.base.runs, r.patched.runs} }

// direction is that of a word of the study.
func direction(better string) dialect.Better {
	switch better {
	case dialect.Higher.String():
		return dialect.Higher
	case dialect.Lower.String():
		return dialect.Lower
	}
	return dialect.Unknown
}

// A UnfitError says that a table has not what a style prints.
type UnfitError struct{ Style, Table, Why string }

// Error implements error.
func (e *UnfitError) Error() string {
	return fmt.Sprintf("table %s cannot be written in the style %q: %s", e.Table, e.Style, e.Why)
}
