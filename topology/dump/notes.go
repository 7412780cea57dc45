package dump

import (
	"fmt"
	"slices"
)

// note adds a warning about the input.
func (f *Facts) note(at, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if at != "" {
		text = at + ": " + text
	}
	if !slices.Contains(f.Notes, text) {
		f.Notes = append(f.Notes, text)
	}
}

// finish adds the notes that hold for all formats, and checks the Facts.
func (f *Facts) finish() (*Facts, error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	f.noteDistances()
	f.noteCounts()
	f.noteCoverage()
	f.noteSharing()
	return f, nil
}

func (f *Facts) noteDistances() {
	if f.Distances == nil {
		return
	}
	d := f.Distances
	for i := range d.Nodes {
		for j := range i {
			if d.Values[i][j] != d.Values[j][i] {
				f.note(d.At, "the distances are asymmetric, from node %d to %d it is %d, back %d",
					d.Nodes[j], d.Nodes[i], d.Values[j][i], d.Values[i][j])
				return
			}
		}
	}
}

// noteCounts compares totals with each other and with places. They are wrong
// often enough that a difference is no error.
func (f *Facts) noteCounts() {
	c := f.Counts
	if c.Sockets != nil && c.CoresPerSocket != nil && *c.Sockets > 1 && *c.CoresPerSocket == 1 && f.CoreTypes == nil {
		f.note(f.at(), "%d sockets of 1 core are counted: the machine is virtual, or lscpu took every core for a socket (util-linux issues 698 and 3902)",
			*c.Sockets)
	}
	if n, ok := c.product(); ok && c.CPUs != nil && n != *c.CPUs && n != len(f.placed()) && f.CoreTypes == nil {
		f.note(f.at(), "threads, cores and sockets multiply to %d, but there are %d CPUs: lscpu's totals are wrong when CPUs are offline, hidden, or of several types",
			n, *c.CPUs)
	}
	if c.Sockets != nil && f.Sockets != nil && *c.Sockets != len(f.Sockets) {
		f.note(f.at(), "%d sockets are counted but %d are listed", *c.Sockets, len(f.Sockets))
	}
}

// product multiplies the totals, if all are there.
func (c Counts) product() (int, bool) {
	if c.ThreadsPerCore == nil || c.CoresPerSocket == nil {
		return 0, false
	}
	n := *c.ThreadsPerCore * *c.CoresPerSocket
	switch {
	case c.Sockets != nil:
		return n * *c.Sockets, true
	case c.SocketsPerBook != nil && c.BooksPerDrawer != nil && c.Drawers != nil:
		return n * *c.SocketsPerBook * *c.BooksPerDrawer * *c.Drawers, true
	case c.SocketsPerBook != nil && c.Books != nil:
		return n * *c.SocketsPerBook * *c.Books, true
	}
	return 0, false
}

// noteCoverage reports CPUs that a partition leaves out.
func (f *Facts) noteCoverage() {
	all := f.placed()
	for _, kind := range f.partitions() {
		if *kind.groups == nil {
			continue
		}
		var covered []int
		for _, g := range *kind.groups {
			covered = append(covered, g.CPUs...)
		}
		if rest := all.Minus(newCPUSet(covered)); len(rest) > 0 {
			f.note(f.at(), "CPUs %s are in no %s", rest, kind.name)
		}
	}
	if f.Nodes == nil {
		return
	}
	var covered []int
	for _, n := range f.Nodes {
		if n.CPUs == nil {
			return
		}
		covered = append(covered, n.CPUs...)
	}
	if rest := all.Minus(newCPUSet(covered)); len(rest) > 0 {
		f.note(f.at(), "CPUs %s are in no node: theirs is offline, has no memory, or is outside the cgroup", rest)
	}
}

// noteSharing reports caches that are at odds with cores and sockets, but
// possible.
func (f *Facts) noteSharing() {
	socket := make(map[int]int)
	for i, g := range f.Sockets {
		for _, cpu := range g.CPUs {
			socket[cpu] = i
		}
	}
	threads := make(map[int]int)
	for _, g := range f.Cores {
		for _, cpu := range g.CPUs {
			threads[cpu] = len(g.CPUs)
		}
	}
	for _, c := range f.Caches {
		for _, g := range c.Instances {
			if len(g.CPUs) < threads[g.CPUs[0]] {
				f.note(c.At, "threads of one core have %s caches of their own: AMD modules of two integer cores have, and virtual machines", c.Name())
			}
			for _, cpu := range g.CPUs {
				if f.Sockets != nil && socket[cpu] != socket[g.CPUs[0]] {
					f.note(c.At, "one %s cache is shared by several sockets: these are clusters of one chip, which older Arm kernels took for sockets", c.Name())
					break
				}
			}
		}
	}
}
