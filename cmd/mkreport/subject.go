package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/schedlab/schedlab/schedsim/study"
	"github.com/schedlab/schedlab/topology"
)

// subject is a study with the machines that it is run on.
type subject struct {
	*study.Study
	name     string // as it was asked for: an id, or the path of a file
	machines map[string]*topology.Machine
	// elsewhere is the machine that it is run on instead of the post's, or nil.
	elsewhere *topology.Machine
	identity  study.Identity
}

// newSubject loads what a study is run on.
func newSubject(s *study.Study, elsewhere *topology.Machine) (subject, error) {
	out := subject{Study: s, machines: make(map[string]*topology.Machine)}
	if elsewhere != nil {
		out.Study, out.elsewhere = s.On(elsewhere), elsewhere
		out.machines[elsewhere.ID] = elsewhere
	} else {
		for _, id := range s.Machines() {
			m, err := topology.Load(id)
			if err != nil {
				return out, fmt.Errorf("study %s: %w", s.ID, err)
			}
			out.machines[id] = m
		}
	}
	var err error
	out.identity, err = out.Identity()
	return out, err
}

// subjects loads the studies of the given ids or files, each once, or all studies
// of the module if there are none, to be run on the machine of that name or path, or on the
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
		load := study.Load
		if topology.IsPath(id) {
			load = study.LoadFile
		}
		s, err := load(id)
		if err != nil && !topology.IsPath(id) && !slices.Contains(study.IDs(), id) {
			err = usageError{err}
		}
		if err != nil {
			return nil, err
		}
		one, err := newSubject(s, elsewhere)
		if err != nil {
			return nil, err
		}
		one.name = id
		out = append(out, one)
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
