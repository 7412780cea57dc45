package dump

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// maxThreads bounds the hardware threads of a core: POWER8 to POWER10 have 8.
const maxThreads = 8

// cpuTable turns the rows of lscpu -e or -p into Facts.
type cpuTable struct {
	*problems
	name string
	t    *table
	f    *Facts
	rows []cpuRow
}

// cpuRow is one CPU of the table.
type cpuRow struct {
	cpu    int
	line   int
	cells  tableRow
	caches map[string]string // name of a cache, such as L1D, to its number
	core   string            // drawer, book, socket and core
}

func readCPUTable(name string, format Format, t *table) (*Facts, error) {
	f := &Facts{Sources: []Source{{name, format}}}
	if !slices.Contains(t.columns, "CPU") {
		// Rows of lscpu -e=LIST without CPU: only their number is of use.
		f.Counts.CPUs = new(len(t.rows))
		f.note(name+":1", "there is no column CPU, so nothing can be placed; run lscpu -e without a list of columns")
		return f.finish()
	}
	c := &cpuTable{&problems{}, name, t, f, nil}
	c.cpus()
	if err := c.err(); err != nil {
		return nil, err
	}
	c.cores()
	c.places()
	c.caches()
	if err := c.err(); err != nil {
		return nil, err
	}
	return f.finish()
}

func (c *cpuTable) at(line int) string { return fmt.Sprintf("%s:%d", c.name, line) }

// cpus reads number, state and frequencies of every row.
func (c *cpuTable) cpus() {
	seen := make(map[int]bool)
	coresTold := slices.ContainsFunc(c.t.rows, func(r tableRow) bool { return r.cell("CORE") != "" })
	for _, row := range c.t.rows {
		id, err := parseCPU(row.cell("CPU"))
		if err != nil {
			c.add(c.at(row.line), "%v", err)
			continue
		}
		if seen[id] {
			c.add(c.at(row.line), "CPU %d occurs twice, keep one row", id)
			continue
		}
		seen[id] = true
		cpu := CPU{ID: id, State: Unknown}
		if cell := row.cell("ONLINE"); cell != "" {
			if on, ok := parseBool(cell); !ok {
				c.f.note(c.at(row.line), "%q in the column ONLINE is not known to mean yes or no", short(cell))
			} else if on {
				cpu.State = Online
			} else {
				cpu.State = Offline
			}
		} else if row.cell("CORE") != "" {
			cpu.State = Online // offline CPUs have no core
		} else if coresTold {
			cpu.State = Hidden
		}
		for _, m := range []struct {
			column string
			mhz    **float64
		}{{"MAXMHZ", &cpu.MaxMHz}, {"MINMHZ", &cpu.MinMHz}, {"MHZ", &cpu.CurrentMHz}} {
			if text := row.cell(m.column); text != "" {
				if *m.mhz, err = parseMHz(text); err != nil {
					c.add(c.at(row.line), "%s: %v", m.column, err)
				}
			}
		}
		c.f.CPUs = append(c.f.CPUs, cpu)
		if cpu.State != Offline && cpu.State != Hidden {
			c.rows = append(c.rows, cpuRow{cpu: id, line: row.line, cells: row, caches: c.cacheIDs(row)})
		}
	}
	slices.SortFunc(c.f.CPUs, func(a, b CPU) int { return a.ID - b.ID })
	slices.SortStableFunc(c.rows, func(a, b cpuRow) int { return a.cpu - b.cpu })
}

// cacheIDs reads the columns of caches: one column each in -p, or one with
// several joined by colons in -e.
func (c *cpuTable) cacheIDs(row tableRow) map[string]string {
	ids := make(map[string]string)
	for _, column := range c.t.columns {
		cell := row.cell(column)
		if !cacheColumn.MatchString(column) || cell == "" {
			continue
		}
		names, cells := strings.Split(column, ":"), strings.Split(cell, ":")
		if len(names) != len(cells) {
			c.add(c.at(row.line), "the cell %q has %d caches for the %d of the column, copy the whole line", short(cell), len(cells), len(names))
			continue
		}
		for i, id := range cells {
			if id != "" && id != "-" {
				ids[names[i]] = id
			}
		}
	}
	return ids
}

// cores joins the rows with one core number, if that can be.
//
// The numbers of -e and -p are per CPU type: on a machine with several types
// there is a core 0 of each, which show by not sharing their small caches. The
// numbers of -y are per socket at best.
func (c *cpuTable) cores() {
	if !slices.Contains(c.t.columns, "CORE") {
		return
	}
	var cores []Group
	members := make(map[string][]int) // to indexes in cores
	split, noSocket := false, slices.Contains(c.t.columns, "SOCKET")
	for i := range c.rows {
		r := &c.rows[i]
		id := r.cells.cell("CORE")
		if id == "" {
			continue
		}
		noSocket = noSocket && r.cells.cell("SOCKET") == ""
		r.core = strings.Join([]string{r.cells.cell("DRAWER"), r.cells.cell("BOOK"), r.cells.cell("SOCKET"), id}, "/")
		home := -1
		for _, j := range members[r.core] {
			if c.mayShareCore(cores[j].CPUs[0], r) {
				home = j
				break
			}
		}
		if home < 0 {
			split = split || len(members[r.core]) > 0
			home = len(cores)
			members[r.core] = append(members[r.core], home)
			cores = append(cores, Group{ID: c.number(r.line, "CORE", id), At: c.at(r.line)})
		}
		cores[home].CPUs = append(cores[home].CPUs, r.cpu)
	}
	for _, g := range cores {
		if len(g.CPUs) > maxThreads || len(g.CPUs) > 1 && noSocket && !c.shareSmallCache(g.CPUs) {
			c.f.note(g.At, "core %s would have the %d CPUs %s: these look like numbers of lscpu -y, run lscpu without it",
				strconv.Itoa(*g.ID), len(g.CPUs), g.CPUs)
			return
		}
	}
	if split {
		c.f.note(c.name, "CPUs with one core number share no small cache: lscpu numbers cores and sockets anew for every type of CPU (or this is lscpu -y), so its sockets are left out")
		for i := range c.t.rows {
			delete(c.t.rows[i].cells, "SOCKET")
		}
	}
	c.f.Cores = cores
}

// number reads a number in a column.
func (c *cpuTable) number(line int, column, text string) *int {
	n, err := parseCount(text)
	if err != nil {
		c.add(c.at(line), "%s: %v", column, err)
		n = 0
	}
	return &n
}

// mayShareCore tells whether a row can be a thread of the core of CPU first:
// threads share a cache of level 1 or 2, or, where no caches are told, have the
// same maximum frequency.
func (c *cpuTable) mayShareCore(first int, r *cpuRow) bool {
	i, _ := slices.BinarySearchFunc(c.rows, first, func(row cpuRow, cpu int) int { return row.cpu - cpu })
	other := c.rows[i]
	told := false
	for name, id := range r.caches {
		if name[1] > '2' || other.caches[name] == "" {
			continue
		}
		told = true
		if other.caches[name] == id {
			return true
		}
	}
	return !told && other.cells.cell("MAXMHZ") == r.cells.cell("MAXMHZ")
}

// shareSmallCache tells whether the CPUs are known to share a cache of level 1
// or 2.
func (c *cpuTable) shareSmallCache(cpus CPUSet) bool {
	for _, r := range c.rows {
		if r.cpu != cpus[0] {
			continue
		}
		for name := range r.caches {
			if name[1] <= '2' {
				return true
			}
		}
	}
	return false
}

// places reads the parts above the core.
func (c *cpuTable) places() {
	var drawers, books, sockets, clusters, nodes partition
	for _, r := range c.rows {
		at := c.at(r.line)
		path := ""
		for _, level := range []struct {
			column string
			p      *partition
		}{{"DRAWER", &drawers}, {"BOOK", &books}, {"SOCKET", &sockets}, {"CLUSTER", &clusters}} {
			id := r.cells.cell(level.column)
			if id == "" {
				continue
			}
			path += "/" + id
			level.p.add(path, c.number(r.line, level.column, id), r.cpu, at)
		}
		if id := r.cells.cell("NODE"); id != "" {
			nodes.add(id, c.number(r.line, "NODE", id), r.cpu, at)
		}
	}
	c.f.Drawers, c.f.Books = drawers.sorted(), books.sorted()
	c.f.Sockets, c.f.Clusters = sockets.sorted(), clusters.sorted()
	for _, g := range nodes.sorted() {
		c.f.Nodes = append(c.f.Nodes, Node{ID: *g.ID, CPUs: g.CPUs, At: g.At})
	}
	sortNodes(c.f.Nodes)
}

func (c *cpuTable) caches() {
	parts := make(map[string]*partition)
	for _, r := range c.rows {
		for name, id := range r.caches {
			if parts[name] == nil {
				parts[name] = &partition{}
			}
			parts[name].add(id, c.number(r.line, name, id), r.cpu, c.at(r.line))
		}
	}
	var t cacheTable
	for name, p := range parts {
		kind := namedCache(name)
		for _, g := range p.sorted() {
			t.add(kind.Level, kind.Type, nil, g)
		}
	}
	c.f.Caches = t.sorted()
}

func sortNodes(nodes []Node) {
	slices.SortStableFunc(nodes, func(a, b Node) int { return a.ID - b.ID })
}
