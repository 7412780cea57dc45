package dump

import (
	"fmt"
	"strconv"
	"strings"
)

// String sums the Facts up in one line, leaving out what is not known: CPUs,
// parts with their numbers of CPUs, caches as "instances x size", nodes with
// their CPUs and memory, and the distances of the first node.
func (f *Facts) String() string {
	var parts []string
	say := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if len(f.CPUs) > 0 {
		say("CPUs %s", f.placed())
		for _, state := range []State{Offline, Hidden} {
			if set := f.inState(state); len(set) > 0 {
				say("%s %s", state, set)
			}
		}
	} else if f.Counts.CPUs != nil {
		say("%d CPUs", *f.Counts.CPUs)
	}
	for _, kind := range f.partitions() {
		if groups := *kind.groups; groups != nil {
			say("%ss %s", kind.name, sizes(groups))
		}
	}
	if c := f.Counts; f.Sockets == nil && f.Cores == nil && c.Sockets != nil && c.CoresPerSocket != nil && c.ThreadsPerCore != nil {
		say("counted %d sockets x %d cores x %d threads", *c.Sockets, *c.CoresPerSocket, *c.ThreadsPerCore)
	}
	for _, c := range f.Caches {
		say("%s", c)
	}
	for _, n := range f.Nodes {
		say("%s", n)
	}
	if f.Distances != nil {
		say("distances %v", f.Distances.Values[0])
	}
	for _, t := range f.CoreTypes {
		say("type %q %s", t.Name, t.CPUs)
	}
	return strings.Join(parts, "; ")
}

// sizes writes how many CPUs the groups have: "4x2+8x1".
func sizes(groups []Group) string {
	var b strings.Builder
	for i := 0; i < len(groups); {
		j := i
		for j < len(groups) && len(groups[j].CPUs) == len(groups[i].CPUs) {
			j++
		}
		if i > 0 {
			b.WriteByte('+')
		}
		fmt.Fprintf(&b, "%dx%d", j-i, len(groups[i].CPUs))
		i = j
	}
	return b.String()
}

// String writes "L2 32x256K" and, where the sharing is known, the numbers of
// CPUs that share one.
func (c Cache) String() string {
	text := c.Name() + " "
	if c.Count != nil {
		text += strconv.Itoa(*c.Count) + "x"
	}
	switch {
	case c.Size != nil && c.Approx:
		text += "~" + strconv.FormatInt(*c.Size>>10, 10) + "K"
	case c.Size != nil:
		text += strconv.FormatInt(*c.Size>>10, 10) + "K"
	case c.Total != nil:
		text += "? of " + strconv.FormatInt(*c.Total>>10, 10) + "K"
	default:
		text += "?"
	}
	if c.Instances != nil {
		text += " for " + sizes(c.Instances)
	}
	return text
}

// String writes "node 0 0-3 8192 MiB".
func (n Node) String() string {
	text := fmt.Sprintf("node %d %s", n.ID, sayCPUList(n.CPUs))
	if n.CPUs == nil {
		text = fmt.Sprintf("node %d ?", n.ID)
	}
	if n.MemoryMiB != nil {
		text += fmt.Sprintf(" %d MiB", *n.MemoryMiB)
	}
	return text
}
