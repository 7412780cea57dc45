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
// there are none, to be run on the machine of that name or path, or on the
// machine of the post if it is empty.
func subjects(ids []string, machine string) ([]subject, error) {
	var elsewhere *topology.Machine
	if machine != "" {
		var err error
		if elsewhere, err = openMachine(machine); err != nil {
			return nil, err
		}
	}
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
		if elsewhere != nil {
			out = append(out, subject{s.On(elsewhere), elsewhere})
			continue
		}
		m, err := topology.Load(s.Machine)
		if err != nil {
			return nil, fmt.Errorf("study %s: %w", id, err)
		}
		out = append(out, subject{s, m})
	}
	return out, nil
}

// openMachine opens a machine by name or path. An unknown name is an error of
// the command line, unlike a file that cannot be read.
func openMachine(name string) (*topology.Machine, error) {
	m, err := topology.Open(name)
	if err != nil && !topology.IsPath(name) && !slices.Contains(topology.Catalog(), name) {
		err = usageError{err}
	}
	return m, err
}

// completeStudies is the shell completion of study ids.
func completeStudies(_ *cobra.Command, given []string, _ string) ([]string, cobra.ShellCompDirective) {
	left := slices.DeleteFunc(study.IDs(), func(id string) bool { return slices.Contains(given, id) })
	return left, cobra.ShellCompDirectiveNoFileComp
}
