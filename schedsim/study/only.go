package study

import (
	"fmt"
	"slices"
)

// Only is the plan without all rows but those named, as by RowName or with the table's
// id alone for all of a table, and without ablations: a part of a study to look at. It
// does no runs beyond N, as how many fit a budget differs from time to time. A name that
// the study does not have is an error.
func (p Plan) Only(s *Study, names ...string) (Plan, error) {
	for _, name := range names {
		if _, r := s.FindRow(name); r == nil && s.Table(name) == nil {
			return Plan{}, fmt.Errorf("study: %s has no row or table %q", s.ID, name)
		}
	}
	p.MaxN, p.Budget, p.AblationSets = 0, 0, 0
	p.Skip = nil
	for i := range s.Tables {
		t := &s.Tables[i]
		for j := range t.Rows {
			key := t.Rows[j].Key
			if !slices.Contains(names, t.ID) && !slices.Contains(names, t.ID+"/"+key) && !slices.Contains(names, s.RowName(t.ID, key)) {
				p.Skip = append(p.Skip, t.ID+"/"+key)
			}
		}
	}
	return p, nil
}
