package study

import (
	"slices"
	"strings"

	"github.com/schedlab/schedlab/topology"
)

// On returns the study to be run on a machine that is not the post's: whether
// a conclusion holds there. The published columns stay what they are, so a
// verdict says whether the published effect shows on that machine too; the
// simulated base column has no published one to be held against, and neither
// have the counters that the author published.
//
// The constants of workload and kernel stay those that were fitted on the
// post's machines; what belongs to the machine comes from m. If m is the only
// machine of the post, On returns s itself.
func (s *Study) On(m *topology.Machine) *Study {
	if all := s.Machines(); len(all) == 1 && all[0] == m.ID {
		own, err := topology.Load(m.ID)
		if err == nil && own.Hash() == m.Hash() {
			return s
		}
	}
	elsewhere := *s
	elsewhere.PostMachine, elsewhere.Machine, elsewhere.model = strings.Join(s.Machines(), ", "), m.ID, m
	elsewhere.Tables = slices.Clone(s.Tables)
	for i := range elsewhere.Tables {
		elsewhere.Tables[i].Machine = m.ID
	}
	return &elsewhere
}

// Elsewhere tells whether the study is run on a machine that is not the post's.
func (s *Study) Elsewhere() bool { return s.PostMachine != "" }

// ReportID names the study's report: its id, and the machine if it is run
// elsewhere.
func (s *Study) ReportID() string {
	if s.Elsewhere() {
		return s.ID + "-on-" + s.Machine
	}
	return s.ID
}

// loadMachine returns the machine that a table is run on.
func (s *Study) loadMachine(t *Table) (*topology.Machine, error) {
	if s.model != nil {
		return s.model, nil
	}
	return topology.Load(t.Machine)
}
