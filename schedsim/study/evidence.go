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
	// Name is one of EvidenceNames.
	Name      string  `yaml:"name"`
	Doc       string  `yaml:"doc"`
	Unit      string  `yaml:"unit"`
	Published float64 `yaml:"published"`
	Source    string  `yaml:"source"`
}

// EvidenceCell is a piece of evidence with its simulated value, over the base
// runs of all rows, each row weighted by the same time.
type EvidenceCell struct {
	Evidence
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

// evidence computes the study's evidence. It is NotMeasured unless every row
// has base runs: the published counters are of a sweep over all of them.
func evidence(s *Study, cells []Cell) []EvidenceCell {
	var rates sisRates
	complete := true
	for i := range cells {
		c := &cells[i]
		if c.Base.SimulatedNS == 0 {
			complete = false
			continue
		}
		rates.add(&c.Base.Counters, c.Base.SimulatedNS)
	}
	var out []EvidenceCell
	for _, e := range s.Evidence {
		cell := EvidenceCell{Evidence: e, Simulated: NotMeasured}
		if f := evidenceOf[e.Name]; f != nil && complete && rates.search > 0 {
			cell.Simulated = Number(f(&rates))
		}
		out = append(out, cell)
	}
	return out
}

func validateEvidence(s *Study, doc *document) []error {
	var errs []error
	for i, e := range s.Evidence {
		at := fmt.Sprintf("$.evidence[%d]", i)
		if evidenceOf[e.Name] == nil {
			errs = append(errs, doc.errorf(at+".name", "no evidence %q; use one of %s", e.Name, strings.Join(EvidenceNames(), ", ")))
		}
		if e.Source == "" {
			errs = append(errs, doc.errorf(at, "evidence %q has no source; say where it is published", e.Name))
		}
	}
	return errs
}
