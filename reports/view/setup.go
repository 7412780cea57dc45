package view

import (
	"maps"

	"github.com/schedlab/schedlab/schedsim/study"
)

// common are the settings of the system that all tables have alike.
func common(s *study.Study) map[string]string {
	if len(s.Tables) == 0 {
		return nil
	}
	all := maps.Clone(s.Tables[0].System)
	for i := range s.Tables {
		maps.DeleteFunc(all, func(name, value string) bool { return s.Tables[i].System[name] != value })
	}
	return all
}

// own are a table's parameters, and the settings of its system that other tables have
// otherwise.
func own(t *study.Table, common map[string]string) map[string]string {
	set := maps.Clone(t.Params)
	if set == nil {
		set = make(map[string]string)
	}
	for name, value := range t.System {
		if _, ok := common[name]; !ok {
			set[name] = value
		}
	}
	return set
}
