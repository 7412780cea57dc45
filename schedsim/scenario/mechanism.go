package scenario

import "strings"

// NotModelled is the error of a scenario that needs what the model has not.
type NotModelled struct{ Needs []string }

func (e *NotModelled) Error() string {
	return "scenario: not modelled: needs " + strings.Join(e.Needs, ", ")
}

// needs lists what the model lacks for a scenario.
func needs(sc *Scenario) []string {
	for i := range sc.Tasks {
		t := &sc.Tasks[i]
		for _, op := range t.Ops[t.Once:] {
			if op.Kind == JoinGroup || op.Kind == Session {
				return []string{"changes of group or session while running"}
			}
		}
	}
	return nil
}
