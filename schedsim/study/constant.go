package study

import (
	"github.com/schedlab/schedlab/schedsim/workload"
)

// ID names the constant within its study: its name, after what it is restricted to.
func (c Constant) ID() string {
	switch {
	case c.Table != "":
		return c.Table + "/" + c.Name
	case c.Workload != "":
		return c.Workload + "/" + c.Name
	}
	return c.Name
}

// isFor reports whether the constant is set in runs of that table and workload:
// unless it is restricted, wherever the model has it.
func (c Constant) isFor(table, load string) bool {
	if c.Table != "" && c.Table != table || c.Workload != "" && c.Workload != load {
		return false
	}
	return costSetters[c.Name] != nil || hasParam(load, c.Name)
}

// hasParam reports whether a workload has a parameter.
func hasParam(load, name string) bool {
	spec, err := workload.Lookup(load)
	return err == nil && spec.Param(name) != nil
}

// constantsFor picks from values by ID those that runs of a table have, by name.
func constantsFor(constants []Constant, values map[string]float64, table, load string) map[string]float64 {
	out := make(map[string]float64)
	for _, c := range constants {
		if c.isFor(table, load) {
			out[c.Name] = values[c.ID()]
		}
	}
	return out
}

// constantsOf are the constants that runs of a point have. What its ablation sets as
// a parameter is no constant there.
func (s *Study) constantsOf(p *point, values map[string]float64) map[string]float64 {
	out := constantsFor(s.Constants, values, p.table, p.setup.Workload)
	if p.ablation >= 0 {
		for name := range s.Ablations[p.ablation].Params {
			delete(out, name)
		}
	}
	return out
}

// valuesOf are the constants' values by ID.
func valuesOf(constants []Constant) map[string]float64 {
	values := make(map[string]float64, len(constants))
	for _, c := range constants {
		values[c.ID()] = c.Value
	}
	return values
}

// Constant returns the constant with that ID, or nil.
func (s *Study) Constant(id string) *Constant {
	for i := range s.Constants {
		if s.Constants[i].ID() == id {
			return &s.Constants[i]
		}
	}
	return nil
}

// constantSets returns the values of every constant, by ID, for the first n sets
// of the ensemble, or the study's own values as the only set.
func (s *Study) constantSets(n int) []map[string]float64 {
	n = min(n, len(s.Ensemble.Sets))
	if n <= 0 {
		return []map[string]float64{valuesOf(s.Constants)}
	}
	sets := make([]map[string]float64, n)
	for k := range sets {
		sets[k] = valuesOf(s.Constants)
		for j, id := range s.Ensemble.Names {
			sets[k][id] = s.Ensemble.Sets[k][j]
		}
	}
	return sets
}
