package study

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/schedlab/schedlab/schedsim"
)

// Evidence is a published figure about the base kernel that nothing was fitted
// to: a counter of the same benchmark on the same machine. It tells whether the
// mechanism runs as often in the model as it does on hardware.
type Evidence struct {
	// Name is one of EvidenceNames, or a metric of the runs; see
	// schedsim.BuiltinMetrics.
	Name string `yaml:"name"`
	// Row is the row that it is of; all of the table's if it is empty.
	Row       string  `yaml:"row"`
	Doc       string  `yaml:"doc"`
	Unit      string  `yaml:"unit"`
	Published float64 `yaml:"published"`
	Source    string  `yaml:"source"`
}

// EvidenceCell is a piece of evidence with its simulated value, over the base
// runs of its rows, each row weighted by the same time.
type EvidenceCell struct {
	Evidence
	Table     string
	Simulated Number
}

// evidenceOf computes a figure from rates of the base kernel's counters,
// summed over rows.
var evidenceOf = map[string]func(r *sisRates) float64{
	"sis_fast_success": func(r *sisRates) float64 { return 100 * (1 - r.domainSearch/r.search) },
	"sis_success":      func(r *sisRates) float64 { return 100 * (1 - r.failed/r.search) },
	"sis_scanned":      func(r *sisRates) float64 { return r.scanned / r.domainSearch },
}

// EvidenceNames lists the figures that can be computed.
func EvidenceNames() []string { return slices.Sorted(maps.Keys(evidenceOf)) }

// sisRates are what the schedstat patches of December 2020 count in
// select_idle_sibling, a second.
type sisRates struct {
	search       float64 // calls: every wakeup that chooses a CPU
	domainSearch float64 // that got past target, prev and recent_used_cpu
	scanned      float64 // runqueues looked at in them
	failed       float64 // that found no idle CPU
}

func (r *sisRates) add(c *schedsim.Counters, ns int64) {
	s := float64(ns) / 1e9
	r.search += float64(c.Wakeups-c.WakeupsOnCPU) / s
	r.domainSearch += float64(c.IdleCoreSearches-c.IdleCoreFailed+c.IdleCPUSearches) / s
	r.scanned += float64(c.CPUsScanned) / s
	r.failed += float64(c.IdleCPUFailed) / s
}

// evidence computes a table's evidence from its cells. It is NotMeasured unless
// every row that it is of has base runs: the published counters are of a sweep over
// all of them.
func evidence(t *Table, cells []Cell) []EvidenceCell {
	var out []EvidenceCell
	for _, e := range t.Evidence {
		cell := EvidenceCell{Evidence: e, Table: t.ID, Simulated: NotMeasured}
		var own []Cell
		for _, c := range cells {
			if c.Table == t.ID && (e.Row == "" || e.Row == c.Row) && c.Verdict != NotModelled {
				own = append(own, c)
			}
		}
		if f := evidenceOf[e.Name]; f != nil {
			if rates, ok := sisRatesOf(own); ok {
				cell.Simulated = Number(f(&rates))
			}
		} else {
			cell.Simulated = meanMetric(own, e.Name)
		}
		out = append(out, cell)
	}
	return out
}

// sisRatesOf sums the rates of all cells.
func sisRatesOf(cells []Cell) (rates sisRates, ok bool) {
	for i := range cells {
		c := &cells[i]
		if c.Base.SimulatedNS == 0 {
			return rates, false
		}
		rates.add(&c.Base.Counters, c.Base.SimulatedNS)
	}
	return rates, rates.search > 0
}

// meanMetric is the mean over cells of a metric's mean over base runs.
func meanMetric(cells []Cell, name string) Number {
	var means []float64
	for i := range cells {
		v, ok := cells[i].Base.Metrics[name]
		if !ok {
			return NotMeasured
		}
		means = append(means, v)
	}
	return Number(Mean(means))
}

func validateEvidence(t *Table, at string, doc *document) []error {
	var errs []error
	for i, e := range t.Evidence {
		at := fmt.Sprintf("%s.evidence[%d]", at, i)
		if evidenceOf[e.Name] == nil && !strings.ContainsAny(e.Name, "-/") {
			errs = append(errs, doc.errorf(at+".name", "no evidence %q; use a metric of the runs, or one of %s", e.Name, strings.Join(EvidenceNames(), ", ")))
		}
		if e.Source == "" || e.Unit == "" {
			errs = append(errs, doc.errorf(at, "evidence %q needs a unit and a source; say where it is published", e.Name))
		}
		if e.Row != "" && t.Row(e.Row) == nil {
			errs = append(errs, doc.errorf(at+".row", "evidence of row %q which the table does not have; correct it", e.Row))
		}
	}
	return errs
}
