package reports

import (
	"math"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/schedlab/schedlab/schedsim/study"
)

// Frame returns the simulated runs of an outcome as one tidy frame: a row for
// each test case, arm and run.
//
//	study, machine  what was rerun, and on what
//	row, arm        the test case, and "base" or "patched"
//	run             from 0, in the order of the runs; run i of both arms has
//	                the same random numbers
//	throughput      figure of merit of the run, in unit
//	unit
//	published       the published number of that row and arm, in unit
//	socket0_share   mean share of runnable tasks on socket 0
//
// A number that was not measured is NaN and a text that is not known is "",
// never 0. A cell without runs has no row here; [Cells] has one for it. Before
// taking a mean, mind that one NaN makes gota's Mean, Median and Sum NaN, and
// its Min and Max depend on where it stands.
func Frame(o *study.Outcome) dataframe.DataFrame {
	var f runFrame
	if o != nil {
		for i := range o.Cells {
			c := &o.Cells[i]
			f.add(c, "base", c.Published.Base, &c.Base)
			f.add(c, "patched", c.Published.Patched, &c.Patched)
		}
	}
	return dataframe.New(
		series.New(f.study, series.String, "study"),
		series.New(f.machine, series.String, "machine"),
		series.New(f.row, series.String, "row"),
		series.New(f.arm, series.String, "arm"),
		series.New(f.run, series.Int, "run"),
		series.New(f.throughput, series.Float, "throughput"),
		series.New(f.unit, series.String, "unit"),
		series.New(f.published, series.Float, "published"),
		series.New(f.socketShare, series.Float, "socket0_share"),
	)
}

// A runFrame is the columns of Frame. Whole columns are handed to gota,
// because it is slow at appending rows and turns other number types than int
// and float64 into NaN without an error.
type runFrame struct {
	study, machine, row, arm, unit     []string
	run                                []int
	throughput, published, socketShare []float64
}

// add appends the runs of one arm.
func (f *runFrame) add(c *study.Cell, arm string, published study.Number, a *study.Arm) {
	for run, v := range a.Values {
		share := math.NaN()
		if run < len(a.SocketShare) {
			share = a.SocketShare[run]
		}
		f.study = append(f.study, c.Study)
		f.machine = append(f.machine, c.Machine)
		f.row = append(f.row, c.Row)
		f.arm = append(f.arm, arm)
		f.run = append(f.run, run)
		f.throughput = append(f.throughput, v)
		f.unit = append(f.unit, c.Unit)
		f.published = append(f.published, float64(published))
		f.socketShare = append(f.socketShare, share)
	}
}

// Cells returns an outcome as a frame with a row for each published cell: what
// was published and what was simulated side by side, and the verdict.
//
//	study, table, machine, row, metric, unit, better
//	published_base, published_patched    in unit
//	published_pct, noise_pct             percent; noise is a half-width
//	noise_source, noise_assumed
//	simulated_base, simulated_patched    in unit
//	simulated_pct, ci_low, ci_high       percent, 95 % interval
//	n, ensemble                          paired runs, constant sets
//	base_p10, base_median, base_p90      over runs, in unit
//	patched_p10, patched_median, patched_p90
//	base_error_pct                       simulated against published base
//	control_pct, control_low, control_high  base against base
//	verdict, reason
//	agreement, deciding_constant         share of sets with that verdict
//
// A number that was not measured is NaN and a text that is not known is "",
// never 0; n and ensemble count, so 0 there is a count.
func Cells(o *study.Outcome) dataframe.DataFrame {
	var f cellFrame
	if o != nil {
		for i := range o.Cells {
			f.add(&o.Cells[i])
		}
	}
	return dataframe.New(
		series.New(f.study, series.String, "study"),
		series.New(f.table, series.String, "table"),
		series.New(f.machine, series.String, "machine"),
		series.New(f.row, series.String, "row"),
		series.New(f.metric, series.String, "metric"),
		series.New(f.unit, series.String, "unit"),
		series.New(f.better, series.String, "better"),
		series.New(f.published.base, series.Float, "published_base"),
		series.New(f.published.patched, series.Float, "published_patched"),
		series.New(f.published.pct, series.Float, "published_pct"),
		series.New(f.noise, series.Float, "noise_pct"),
		series.New(f.noiseSource, series.String, "noise_source"),
		series.New(f.noiseAssumed, series.Bool, "noise_assumed"),
		series.New(f.simulated.base, series.Float, "simulated_base"),
		series.New(f.simulated.patched, series.Float, "simulated_patched"),
		series.New(f.simulated.pct, series.Float, "simulated_pct"),
		series.New(f.ciLow, series.Float, "ci_low"),
		series.New(f.ciHigh, series.Float, "ci_high"),
		series.New(f.n, series.Int, "n"),
		series.New(f.ensemble, series.Int, "ensemble"),
		series.New(f.base.p10, series.Float, "base_p10"),
		series.New(f.base.median, series.Float, "base_median"),
		series.New(f.base.p90, series.Float, "base_p90"),
		series.New(f.patched.p10, series.Float, "patched_p10"),
		series.New(f.patched.median, series.Float, "patched_median"),
		series.New(f.patched.p90, series.Float, "patched_p90"),
		series.New(f.baseError, series.Float, "base_error_pct"),
		series.New(f.control, series.Float, "control_pct"),
		series.New(f.controlLow, series.Float, "control_low"),
		series.New(f.controlHigh, series.Float, "control_high"),
		series.New(f.verdict, series.String, "verdict"),
		series.New(f.reason, series.String, "reason"),
		series.New(f.agreement, series.Float, "agreement"),
		series.New(f.deciding, series.String, "deciding_constant"),
	)
}

// A cellFrame is the columns of Cells.
type cellFrame struct {
	study, table, machine, row, metric, unit, better []string
	published, simulated                             effectColumns
	noise                                            []float64
	noiseSource                                      []string
	noiseAssumed                                     []bool
	ciLow, ciHigh                                    []float64
	n, ensemble                                      []int
	base, patched                                    spreadColumns
	baseError, control, controlLow, controlHigh      []float64
	verdict, reason                                  []string
	agreement                                        []float64
	deciding                                         []string
}

// add appends a cell.
func (f *cellFrame) add(c *study.Cell) {
	f.study = append(f.study, c.Study)
	f.table = append(f.table, c.Table)
	f.machine = append(f.machine, c.Machine)
	f.row = append(f.row, c.Row)
	f.metric = append(f.metric, c.Metric)
	f.unit = append(f.unit, c.Unit)
	f.better = append(f.better, c.Better)
	f.published.add(c.Published, true)
	f.noise = append(f.noise, c.Noise.Pct)
	f.noiseSource = append(f.noiseSource, c.Noise.Source)
	f.noiseAssumed = append(f.noiseAssumed, c.Noise.Assumed)
	ran := c.Simulated.N > 0
	f.simulated.add(c.Simulated.Effect, ran)
	f.ciLow = append(f.ciLow, measured(c.Simulated.CILow, ran))
	f.ciHigh = append(f.ciHigh, measured(c.Simulated.CIHigh, ran))
	f.n = append(f.n, c.Simulated.N)
	f.ensemble = append(f.ensemble, c.Simulated.Ensemble)
	f.base.add(&c.Base)
	f.patched.add(&c.Patched)
	f.baseError = append(f.baseError, measured(c.BaseErrorPct, ran))
	f.control = append(f.control, float64(c.ControlPct))
	f.controlLow = append(f.controlLow, float64(c.ControlCILow))
	f.controlHigh = append(f.controlHigh, float64(c.ControlCIHigh))
	f.verdict = append(f.verdict, string(c.Verdict))
	f.reason = append(f.reason, c.Reason)
	f.agreement = append(f.agreement, measured(c.Agreement, ran))
	f.deciding = append(f.deciding, c.DecidingConstant)
}

// effectColumns are the columns of two values and the change between them.
type effectColumns struct{ base, patched, pct []float64 }

// add appends an effect, NaN where it was not taken.
func (e *effectColumns) add(v study.Effect, taken bool) {
	e.base = append(e.base, measured(v.Base, taken))
	e.patched = append(e.patched, measured(v.Patched, taken))
	e.pct = append(e.pct, measured(v.Pct, taken))
}

// spreadColumns are the columns of an arm's spread over runs.
type spreadColumns struct{ p10, median, p90 []float64 }

// add appends the spread of an arm, NaN for an arm without runs.
func (s *spreadColumns) add(a *study.Arm) {
	ran := len(a.Values) > 0
	s.p10 = append(s.p10, measured(a.Spread.P10, ran))
	s.median = append(s.median, measured(a.Spread.Median, ran))
	s.p90 = append(s.p90, measured(a.Spread.P90, ran))
}

// measured returns n, or NaN when there were no runs to measure it in: the
// fields of a cell that nobody filled in are 0, not NotMeasured.
func measured(n study.Number, ran bool) float64 {
	if !ran {
		return math.NaN()
	}
	return float64(n)
}
