package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/study"
	"github.com/schedlab/schedlab/topology"
)

// subject is a study with the machine that it is run on.
type subject struct {
	*study.Study
	machine *topology.Machine
}

// identity pins what a run of the subject simulates.
func (s subject) identity() study.Identity {
	return study.Identity{ModelVersion: schedsim.ModelVersion, MachineHash: s.machine.Hash()}
}

// subjects loads the studies of the given ids, each once, or all studies if
// there are none.
func subjects(ids []string) ([]subject, error) {
	if len(ids) == 0 {
		ids = study.IDs()
	}
	var out []subject
	for i, id := range ids {
		if slices.Index(ids, id) != i {
			continue
		}
		s, err := study.Load(id)
		if err != nil && !slices.Contains(study.IDs(), id) {
			err = usageError{err}
		}
		if err != nil {
			return nil, err
		}
		m, err := topology.Load(s.Machine)
		if err != nil {
			return nil, fmt.Errorf("study %s: %w", id, err)
		}
		out = append(out, subject{s, m})
	}
	return out, nil
}

// completeStudies is the shell completion of study ids.
func completeStudies(_ *cobra.Command, given []string, _ string) ([]string, cobra.ShellCompDirective) {
	left := slices.DeleteFunc(study.IDs(), func(id string) bool { return slices.Contains(given, id) })
	return left, cobra.ShellCompDirectiveNoFileComp
}
