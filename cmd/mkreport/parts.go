package main

import (
	"fmt"

	"github.com/schedlab/schedlab/reports"
	"github.com/schedlab/schedlab/topology"
)

// partsOf draws and lays out what a report takes from other packages.
func partsOf(r result) (reports.Parts, error) {
	p := reports.Parts{
		Machine: machineLine(r.machine),
		Command: r.command,
	}
	var err error
	if p.Table, err = simulatedTable(r.Outcome); err != nil {
		return p, fmt.Errorf("%s: simulated table: %w", r.Study.ID, err)
	}
	if p.PublishedTable, err = publishedTable(r.Study); err != nil {
		return p, fmt.Errorf("%s: published table: %w", r.Study.ID, err)
	}
	if p.Plots, err = plots(r.Outcome); err != nil {
		return p, fmt.Errorf("%s: %w", r.Study.ID, err)
	}
	return p, nil
}

// machineLine says in a few words what a machine is.
func machineLine(m *topology.Machine) string {
	return fmt.Sprintf("%s, %s, %s, %s",
		count(m.Sockets(), "socket"), count(m.Cores(), "core"), count(len(m.OnlineCPUs()), "CPU"), count(m.Nodes(), "node"))
}

// count is "1 node" or "2 nodes".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
