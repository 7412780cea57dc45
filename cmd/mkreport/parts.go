package main

import (
	"fmt"

	"github.com/schedlab/schedlab/reports"
	"github.com/schedlab/schedlab/reports/author"
	"github.com/schedlab/schedlab/reports/picture"
	"github.com/schedlab/schedlab/topology"
)

// partsOf lays out what a report takes from other packages, tables in the style dialect
// or, if it is empty, in their authors', and draws what it shows.
func (a *app) partsOf(r result, dialect string, drawn bool) (reports.Parts, error) {
	p := reports.Parts{
		Machines: make(map[string]string),
		Tables:   make(map[string]reports.TableParts),
		Command:  r.command,
		Here:     r.measured,
	}
	for id, m := range r.machines {
		p.Machines[id] = machineLine(m)
	}
	for i := range r.Study.Tables {
		t := &r.Study.Tables[i]
		var parts reports.TableParts
		var err error
		if parts.Table, err = a.simulatedTable(r.Outcome, t, dialect); err != nil {
			return p, fmt.Errorf("%s: simulated table %s: %w", r.Study.ID, t.ID, err)
		}
		if parts.PublishedTable, err = author.Published(t); err != nil {
			return p, fmt.Errorf("%s: published table %s: %w", r.Study.ID, t.ID, err)
		}
		if drawn {
			if parts.Plots, err = picture.Table(r.Outcome, t, r.measured); err != nil {
				return p, fmt.Errorf("%s: table %s: %w", r.Study.ID, t.ID, err)
			}
			more, err := a.pictures(r, t)
			if err != nil {
				return p, fmt.Errorf("%s: pictures of table %s: %w", r.Study.ID, t.ID, err)
			}
			parts.Plots = append(parts.Plots, more...)
		}
		p.Tables[t.ID] = parts
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
