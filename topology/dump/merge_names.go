package dump

import (
	"fmt"
	"strings"
)

// names joins texts.
func (m *merger) names() {
	for _, field := range []struct {
		name string
		at   func(*Facts) *string
	}{
		{"architecture", func(f *Facts) *string { return &f.Arch }},
		{"vendor", func(f *Facts) *string { return &f.Vendor }},
		{"model", func(f *Facts) *string { return &f.Model }},
		{"family", func(f *Facts) *string { return &f.Family }},
		{"model number", func(f *Facts) *string { return &f.ModelNumber }},
		{"stepping", func(f *Facts) *string { return &f.Stepping }},
	} {
		var from *Facts
		for _, f := range m.by(trustNames) {
			have, got := field.at(m.out), *field.at(f)
			switch {
			case got == "":
			case *have == "":
				*have, from = got, f
			case !strings.EqualFold(*have, got):
				m.conflict(field.name, from, *have, f, got)
			}
		}
	}
}

// counts joins totals.
func (m *merger) counts() {
	for _, field := range []struct {
		name string
		at   func(*Counts) **int
	}{
		{"number of CPUs", func(c *Counts) **int { return &c.CPUs }},
		{"threads per core", func(c *Counts) **int { return &c.ThreadsPerCore }},
		{"cores per socket", func(c *Counts) **int { return &c.CoresPerSocket }},
		{"cores per cluster", func(c *Counts) **int { return &c.CoresPerCluster }},
		{"number of clusters", func(c *Counts) **int { return &c.Clusters }},
		{"number of sockets", func(c *Counts) **int { return &c.Sockets }},
		{"sockets per book", func(c *Counts) **int { return &c.SocketsPerBook }},
		{"number of books", func(c *Counts) **int { return &c.Books }},
		{"books per drawer", func(c *Counts) **int { return &c.BooksPerDrawer }},
		{"number of drawers", func(c *Counts) **int { return &c.Drawers }},
		{"number of nodes", func(c *Counts) **int { return &c.Nodes }},
	} {
		var from *Facts
		for _, f := range m.by(trustCounts) {
			have, got := field.at(&m.out.Counts), *field.at(&f.Counts)
			switch {
			case got == nil:
			case *have == nil:
				*have, from = got, f
			case **have != *got:
				m.conflict(field.name, from, fmt.Sprint(**have), f, fmt.Sprint(*got))
			}
		}
	}
}
