package main

import (
	"math"
	"strconv"
	"strings"

	"github.com/schedlab/schedlab/schedsim/study"
	"github.com/schedlab/schedlab/schedsim/workload"
)

const workloadsHelp = `List the workloads, each with the studies that run it and its parameters: the
default, the unit, the bounds, and where the default is from. The JSON has what
each parameter stands for.`

// listedParam is a parameter of a workload in the JSON list. A default that is
// null has to be given.
type listedParam struct {
	Name    string   `json:"name"`
	Unit    string   `json:"unit"`
	Doc     string   `json:"doc"`
	Default any      `json:"default"`
	Low     *float64 `json:"low"`
	High    *float64 `json:"high"`
	Words   []string `json:"words,omitempty"`
	Kind    string   `json:"kind"`
	Source  string   `json:"source"`
}

func listWorkloads() (listing, error) {
	type item struct {
		Name    string        `json:"name"`
		Doc     string        `json:"doc"`
		Studies []string      `json:"studies"`
		Params  []listedParam `json:"params"`
	}
	by, err := studiesByWorkload()
	if err != nil {
		return listing{}, err
	}
	l := listing{heads: []string{"workload", "parameter", "default", "unit", "bounds", "kind", "what it is"}, titled: true}
	var items []item
	for _, s := range workload.Specs() {
		studies := append([]string{}, by[s.Name]...)
		what := s.Doc
		if len(studies) > 0 {
			what += " (" + strings.Join(studies, ", ") + ")"
		}
		l.rows = append(l.rows, []string{s.Name, "", "", "", "", "", what})
		it := item{Name: s.Name, Doc: s.Doc, Studies: studies, Params: []listedParam{}}
		for _, p := range s.Params {
			lp := listedParam{Name: p.Name, Unit: p.Unit, Doc: p.Doc, Words: p.Words, Kind: p.Kind, Source: p.Source}
			value, bounds := "must be given", ""
			switch {
			case p.Text:
				value, lp.Default = p.TextDefault, p.TextDefault
				bounds = strings.Join(p.Words, "|")
			case !math.IsNaN(p.Default):
				value, lp.Default = strconv.FormatFloat(p.Default, 'g', -1, 64), p.Default
			}
			if !p.Text && (p.Low != 0 || p.High != 0) {
				lp.Low, lp.High = &p.Low, &p.High
				bounds = strconv.FormatFloat(p.Low, 'g', -1, 64) + " to " + strconv.FormatFloat(p.High, 'g', -1, 64)
			}
			it.Params = append(it.Params, lp)
			l.rows = append(l.rows, []string{s.Name, p.Name, value, p.Unit, bounds, p.Kind, p.Doc})
		}
		items = append(items, it)
	}
	l.items = items
	return l, nil
}

// studiesByWorkload are the ids of the studies that run each workload.
func studiesByWorkload() (map[string][]string, error) {
	by := make(map[string][]string)
	for _, id := range study.IDs() {
		s, err := study.Load(id)
		if err != nil {
			return nil, err
		}
		for _, w := range s.Workloads() {
			by[w] = append(by[w], id)
		}
	}
	return by, nil
}
