package study

import (
	"cmp"
	"slices"
	"time"
)

// RunGroup is the runs of a store with one study, machine, kernel and model version.
type RunGroup struct {
	Study, Machine, Kernel, ModelVersion string

	Runs           int
	Bytes          int64
	Oldest, Newest time.Time
}

// Groups sorts whole runs into groups, in the order of their names.
type Groups map[[4]string]*RunGroup

// Add counts a file if it is a whole run.
func (g Groups) Add(f *File) {
	if f.Kind != RunFile || !f.Whole {
		return
	}
	id := [4]string{f.Key.Study, f.Key.Machine, f.Key.Kernel, f.Key.ModelVersion}
	r := g[id]
	if r == nil {
		r = &RunGroup{Study: id[0], Machine: id[1], Kernel: id[2], ModelVersion: id[3], Oldest: f.Modified, Newest: f.Modified}
		g[id] = r
	}
	r.Runs++
	r.Bytes += f.Bytes
	if f.Modified.Before(r.Oldest) {
		r.Oldest = f.Modified
	}
	if f.Modified.After(r.Newest) {
		r.Newest = f.Modified
	}
}

// Sorted lists the groups.
func (g Groups) Sorted() []RunGroup {
	var out []RunGroup
	for _, r := range g {
		out = append(out, *r)
	}
	slices.SortFunc(out, func(a, b RunGroup) int {
		return cmp.Or(
			cmp.Compare(a.Study, b.Study), cmp.Compare(a.Machine, b.Machine),
			cmp.Compare(a.Kernel, b.Kernel), cmp.Compare(a.ModelVersion, b.ModelVersion))
	})
	return out
}
