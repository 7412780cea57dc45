package dump

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// restrict keeps the CPUs that have a place in the merged Facts.
func (m *merger) restrict(groups []Group) []Group {
	var out []Group
	for _, g := range groups {
		if g.CPUs = g.CPUs.Intersect(m.placed); len(g.CPUs) > 0 {
			out = append(out, g)
		}
	}
	return out
}

// cover returns all CPUs in the groups.
func cover(groups []Group) CPUSet {
	var all CPUSet
	for _, g := range groups {
		all = append(all, g.CPUs...)
	}
	return newCPUSet(all)
}

// agree tells whether two partitions are alike where both say something.
func agree(a, b []Group) bool {
	common := cover(a).Intersect(cover(b))
	return slices.Equal(setsOf(a, common), setsOf(b, common))
}

func setsOf(groups []Group, within CPUSet) []string {
	var sets []string
	for _, g := range groups {
		if set := g.CPUs.Intersect(within); len(set) > 0 {
			sets = append(sets, set.String())
		}
	}
	slices.Sort(sets)
	return sets
}

// candidate is one input's partition of the CPUs.
type candidate struct {
	from   *Facts
	groups []Group
}

// best sorts the candidates: those that cover all CPUs first, then by trust.
func (m *merger) best(list []candidate, order []class) []candidate {
	slices.SortStableFunc(list, func(a, b candidate) int {
		x, y := 0, 0
		if len(cover(a.groups)) < len(m.placed) {
			x = 1
		}
		if len(cover(b.groups)) < len(m.placed) {
			y = 1
		}
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(rank(a.from, order), rank(b.from, order)))
	})
	return list
}

// choose takes the best candidate and records those that differ from it.
func (m *merger) choose(field string, list []candidate, order []class) (candidate, bool) {
	list = m.best(list, order)
	if len(list) == 0 {
		return candidate{}, false
	}
	for _, other := range list[1:] {
		if !agree(list[0].groups, other.groups) {
			m.conflict(field, list[0].from, sayGroups(list[0].groups), other.from, sayGroups(other.groups))
		}
	}
	return list[0], true
}

func sayGroups(groups []Group) string {
	return fmt.Sprintf("%d (%s)", len(groups), short(joinSets(groups)))
}

// partitions joins cores, sockets and so on. What sysfs does not tell, lscpu
// cannot know, as it reads sysfs: without core_siblings it counts every core of
// a POWER7 as a socket.
func (m *merger) partitions() {
	sysfs := slices.ContainsFunc(m.in, func(f *Facts) bool { return rank(f, []class{fromSysfs}) == 0 && f.Cores != nil })
	for i, out := range m.out.partitions() {
		var list []candidate
		told := slices.ContainsFunc(m.in, func(f *Facts) bool {
			return rank(f, []class{fromSysfs}) == 0 && *f.partitions()[i].groups != nil
		})
		for _, f := range m.in {
			if sysfs && !told && rank(f, []class{fromTable}) == 0 {
				continue
			}
			if groups := m.restrict(*f.partitions()[i].groups); groups != nil {
				list = append(list, candidate{f, groups})
			}
		}
		if c, ok := m.choose(out.name+"s", list, trustPlaces); ok {
			*out.groups = c.groups
		}
	}
}

// caches joins caches level by level: the places from one input, the sizes
// possibly from another.
func (m *merger) caches() {
	type key struct {
		level int
		typ   CacheType
	}
	byKey := make(map[key]map[*Facts][]Cache)
	var keys []key
	for _, f := range m.in {
		for _, c := range f.Caches {
			k := key{c.Level, m.cacheType(f, c)}
			if byKey[k] == nil {
				byKey[k] = make(map[*Facts][]Cache)
				keys = append(keys, k)
			}
			c.Type = k.typ
			if c.Instances != nil {
				c.Instances = m.restrict(c.Instances)
				if c.Instances == nil {
					continue // all of its CPUs are offline
				}
			}
			byKey[k][f] = append(byKey[k][f], c)
		}
	}
	for _, k := range keys {
		m.out.Caches = append(m.out.Caches, m.cache(Cache{Level: k.level, Type: k.typ}.Name(), byKey[k])...)
	}
	sortCaches(m.out.Caches)
}

// cacheType finds the type of a cache for which hwloc 1.0 gives none: that of
// the other inputs.
func (m *merger) cacheType(from *Facts, c Cache) CacheType {
	if c.Type != "" {
		return c.Type
	}
	for _, typ := range []CacheType{Unified, Data} {
		same := func(o Cache) bool { return o.Level == c.Level && o.Type == typ }
		if slices.ContainsFunc(from.Caches, same) {
			return "" // this one is another
		}
		for _, f := range m.in {
			if slices.ContainsFunc(f.Caches, same) {
				return typ
			}
		}
	}
	return ""
}

// cache joins the caches of one level and type.
func (m *merger) cache(name string, from map[*Facts][]Cache) []Cache {
	var list []candidate
	for _, f := range m.in {
		var groups []Group
		for _, c := range from[f] {
			groups = append(groups, c.Instances...)
		}
		if groups != nil {
			list = append(list, candidate{f, groups})
		}
	}
	places, havePlaces := m.choose(name+" sharing", list, trustPlaces)

	// The size is that of the first input that has an exact one.
	var sized []*Facts
	for _, f := range m.by(trustSizes) {
		if slices.ContainsFunc(from[f], func(c Cache) bool { return c.Size != nil }) {
			sized = append(sized, f)
		}
	}
	slices.SortStableFunc(sized, func(a, b *Facts) int { return cmp.Compare(approx(from[a]), approx(from[b])) })
	for i := 1; i < len(sized); i++ {
		one, other := from[sized[0]], from[sized[i]]
		if a, b := saySizes(one), saySizes(other); a != b && approx(one)+approx(other) == 0 && !sameTotal(one, other) {
			m.conflict(name+" size", sized[0], a, sized[i], b)
		}
	}
	if !havePlaces {
		return m.unplaced(sized, from)
	}
	out := slices.Clone(from[places.from])
	for i := range out {
		c := &out[i]
		c.Count = new(len(c.Instances))
		if c.Size == nil {
			m.fillSize(c, len(out) == 1, sized, from)
		}
		if c.Size != nil && !c.Approx {
			c.Total = new(*c.Size * int64(len(c.Instances)))
		}
	}
	return out
}

// approx is 1 if any of the sizes is not exact.
func approx(caches []Cache) int {
	for _, c := range caches {
		if c.Approx {
			return 1
		}
	}
	return 0
}

// sameTotal tells whether the caches have the same size together: the summary of
// lscpu has the mean of caches of several sizes.
func sameTotal(a, b []Cache) bool {
	var sums [2]int64
	for i, caches := range [][]Cache{a, b} {
		for _, c := range caches {
			if c.Total == nil {
				return false
			}
			sums[i] += *c.Total
		}
	}
	return sums[0] == sums[1]
}

func saySizes(caches []Cache) string {
	var sizes []string
	for _, c := range caches {
		if c.Size != nil {
			sizes = append(sizes, fmt.Sprintf("%d KiB", *c.Size>>10))
		}
	}
	slices.Sort(sizes)
	return strings.Join(slices.Compact(sizes), " and ")
}

// fillSize gives placed caches the size that another input tells, if that is one
// size for all.
func (m *merger) fillSize(c *Cache, alone bool, sized []*Facts, from map[*Facts][]Cache) {
	for _, f := range sized {
		if alone && len(from[f]) == 1 {
			c.Size, c.Approx = from[f][0].Size, from[f][0].Approx
			return
		}
	}
	for _, f := range m.by(trustSizes) {
		if len(from[f]) == 1 && alone && from[f][0].Total != nil {
			total, n := *from[f][0].Total, int64(len(c.Instances))
			c.Total, c.Size, c.Approx = &total, new(total/n), total%(n<<10) != 0
			return
		}
	}
}

// unplaced returns the caches of the best input where none has places.
func (m *merger) unplaced(sized []*Facts, from map[*Facts][]Cache) []Cache {
	if len(sized) == 0 {
		for _, f := range m.by(trustSizes) {
			if from[f] != nil {
				return from[f]
			}
		}
		return nil
	}
	out := slices.Clone(from[sized[0]])
	if len(out) == 1 && out[0].Count == nil {
		for _, f := range m.by(trustSizes) {
			if len(from[f]) == 1 && from[f][0].Count != nil {
				out[0].Count = from[f][0].Count
				out[0].Total = new(*out[0].Size * int64(*out[0].Count))
				break
			}
		}
	}
	return out
}
