package scenario

import (
	"slices"
	"strings"
)

// roles returns what is compared together, by the names of the tasks: tasks whose
// names differ in digits at their end only, and tasks that a file describes alike.
// Nothing but their names tells the latter apart, so which of them has the better
// place is an accident: of three hogs on two CPUs one may have a CPU of its own for
// good, in one boot this and in the next that. Their role is called a+b.
func (sc *Scenario) roles() map[string]string {
	of := make(map[string]string, len(sc.Tasks))
	taken := map[string]bool{}
	for i := range sc.Tasks {
		t := &sc.Tasks[i]
		r := t.Role()
		if taken[r] {
			continue
		}
		taken[r] = true
		alike := []string{r}
		for j := i + 1; j < len(sc.Tasks); j++ {
			u := &sc.Tasks[j]
			if q := u.Role(); !taken[q] && sc.single(r) && sc.single(q) && t.alike(u) {
				taken[q] = true
				alike = append(alike, q)
			}
		}
		for j := range sc.Tasks {
			if u := &sc.Tasks[j]; slices.Contains(alike, u.Role()) {
				of[u.Name] = strings.Join(alike, "+")
			}
		}
	}
	return of
}

// single reports whether one task has a role.
func (sc *Scenario) single(r string) bool {
	n := 0
	for i := range sc.Tasks {
		if sc.Tasks[i].Role() == r {
			n++
		}
	}
	return n == 1
}

// alike reports whether two tasks differ in their names only.
func (t *Task) alike(u *Task) bool {
	return t.Nice == u.Nice && t.Start == u.Start && t.Once == u.Once &&
		slices.Equal(t.CPUs, u.CPUs) && slices.Equal(t.Ops, u.Ops)
}
