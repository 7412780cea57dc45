package study

import (
	"maps"
	"slices"
	"strings"
)

// over returns the setup with what it leaves open taken from below.
func (s Setup) over(below Setup) Setup {
	out := s
	inherit(&out.Machine, below.Machine)
	inherit(&out.Kernel, below.Kernel)
	inherit(&out.Workload, below.Workload)
	if out.KernelPatches == nil {
		out.KernelPatches = below.KernelPatches
	}
	if out.Patch == "" && out.Patches == nil {
		out.Patch, out.Patches = below.Patch, below.Patches
	}
	if out.Reverse == nil {
		out.Reverse = below.Reverse
	}
	out.Params = merged(below.Params, s.Params)
	out.System = merged(below.System, s.System)
	return out
}

func inherit(field *string, below string) {
	if *field == "" {
		*field = below
	}
}

// merged returns a with the entries of b on top; neither changes.
func merged(a, b map[string]string) map[string]string {
	if len(a) == 0 && len(b) == 0 {
		return nil
	}
	out := maps.Clone(a)
	if out == nil {
		out = make(map[string]string, len(b))
	}
	maps.Copy(out, b)
	return out
}

// PatchNames are the patches that the patched column adds, in their order.
func (s Setup) PatchNames() []string {
	if s.Patch != "" {
		return []string{s.Patch}
	}
	return s.Patches
}

// Reversed reports whether the base column is the one with the patches.
func (s Setup) Reversed() bool { return s.Reverse != nil && *s.Reverse }

// PatchText names the patches, and says if the base column is the one with them.
func (s Setup) PatchText() string {
	text := strings.Join(s.PatchNames(), " + ")
	if s.Reversed() {
		text += " (the base column has it)"
	}
	return text
}

// KernelText names the kernel with the patches that both columns have.
func (s Setup) KernelText() string {
	return strings.Join(append([]string{s.Kernel}, s.KernelPatches...), " + ")
}

// Table returns the table with that id, or nil.
func (s *Study) Table(id string) *Table {
	for i := range s.Tables {
		if s.Tables[i].ID == id {
			return &s.Tables[i]
		}
	}
	return nil
}

// Row returns the row with that key, or nil.
func (t *Table) Row(key string) *Row {
	for i := range t.Rows {
		if t.Rows[i].Key == key {
			return &t.Rows[i]
		}
	}
	return nil
}

// RowName names a row within the study: its key, after the table's id where there
// are several tables.
func (s *Study) RowName(table, key string) string {
	if len(s.Tables) == 1 {
		return key
	}
	return table + "/" + key
}

// FindRow returns the row of a name as of RowName, or nil.
func (s *Study) FindRow(name string) (*Table, *Row) {
	for i := range s.Tables {
		t := &s.Tables[i]
		for j := range t.Rows {
			if s.RowName(t.ID, t.Rows[j].Key) == name || t.ID+"/"+t.Rows[j].Key == name {
				return t, &t.Rows[j]
			}
		}
	}
	return nil, nil
}

// rowNames are the rows of all tables, named as by RowName.
func (s *Study) rowNames() []string {
	var out []string
	for i := range s.Tables {
		for _, r := range s.Tables[i].Rows {
			out = append(out, s.RowName(s.Tables[i].ID, r.Key))
		}
	}
	return out
}

// distinct lists what the tables have, each once, in their order.
func (s *Study) distinct(of func(*Table) string) []string {
	var out []string
	for i := range s.Tables {
		if v := of(&s.Tables[i]); v != "" && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// Machines lists the machines of the study's tables.
func (s *Study) Machines() []string {
	return s.distinct(func(t *Table) string { return t.Machine })
}

// Kernels lists the kernels of its tables, with the patches that both columns have.
func (s *Study) Kernels() []string {
	return s.distinct(func(t *Table) string { return t.KernelText() })
}

// PatchTexts lists what the patched columns of its tables add.
func (s *Study) PatchTexts() []string {
	return s.distinct(func(t *Table) string { return t.PatchText() })
}

// Workloads lists the workloads of its tables.
func (s *Study) Workloads() []string {
	return s.distinct(func(t *Table) string { return t.Workload })
}

// rows counts the rows of all tables.
func (s *Study) rows() int {
	n := 0
	for i := range s.Tables {
		n += len(s.Tables[i].Rows)
	}
	return n
}

// setupOf is what the runs of a row simulate: the table's setup with the row's own
// parameters and settings.
func (t *Table) setupOf(r *Row) Setup {
	out := t.Setup
	own := r.Params
	if t.RowParam != "" {
		own = merged(map[string]string{t.RowParam: r.Key}, r.Params)
	}
	out.Params = merged(t.Params, own)
	out.System = merged(t.System, r.System)
	return out
}

// MetricOf is the figure of a run that the row has.
func (t *Table) MetricOf(r *Row) string {
	switch {
	case r.Metric != "":
		return r.Metric
	case t.Metric != "":
		return t.Metric
	}
	return throughput
}

// UnitOf and BetterOf are the row's own, or the table's.
func (t *Table) UnitOf(r *Row) string {
	if r.Unit != "" {
		return r.Unit
	}
	return t.Unit
}

// BetterOf is which way the row improves.
func (t *Table) BetterOf(r *Row) string {
	if r.Better != "" {
		return r.Better
	}
	return t.Better
}

// IsClaim reports whether the row is a statement in prose, with or without
// figures, and not a row of a table.
func (r *Row) IsClaim() bool { return r.Text != "" || r.Expect != "" || r.Printed.Range() }
