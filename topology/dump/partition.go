package dump

import (
	"cmp"
	"fmt"
	"slices"
)

// partition collects CPUs by a key, in the order in which the keys appear.
type partition struct {
	index  map[string]int
	groups []Group
}

// add puts a CPU into the group of key.
func (p *partition) add(key string, id *int, cpu int, at string) {
	if p.index == nil {
		p.index = make(map[string]int)
	}
	i, ok := p.index[key]
	if !ok {
		i = len(p.groups)
		p.index[key] = i
		p.groups = append(p.groups, Group{ID: id, At: at})
	}
	p.groups[i].CPUs = append(p.groups[i].CPUs, cpu)
}

// sorted returns the groups in the order of their first CPUs, nil if none.
func (p *partition) sorted() []Group {
	for i := range p.groups {
		p.groups[i].CPUs = newCPUSet(p.groups[i].CPUs)
	}
	sortGroups(p.groups)
	return p.groups
}

func sortGroups(groups []Group) {
	slices.SortStableFunc(groups, func(a, b Group) int { return slices.Compare(a.CPUs, b.CPUs) })
}

// sortCaches orders caches by level, type, and size.
func sortCaches(caches []Cache) {
	rank := map[CacheType]int{Data: 1, Instruction: 2, Unified: 3}
	slices.SortStableFunc(caches, func(a, b Cache) int {
		var x, y int64
		if a.Size != nil {
			x = *a.Size
		}
		if b.Size != nil {
			y = *b.Size
		}
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(rank[a.Type], rank[b.Type]), cmp.Compare(y, x))
	})
}

// cacheTable collects cache instances into kinds of one level, type and size.
type cacheTable struct {
	index  map[string]int
	caches []Cache
	seen   map[string]bool
}

// add records one instance. Seeing the same instance again changes nothing.
func (t *cacheTable) add(level int, typ CacheType, size *int64, g Group) {
	if t.index == nil {
		t.index = make(map[string]int)
		t.seen = make(map[string]bool)
	}
	kind := fmt.Sprintf("%d %s ?", level, typ)
	if size != nil {
		kind = fmt.Sprintf("%d %s %d", level, typ, *size)
	}
	i, ok := t.index[kind]
	if !ok {
		i = len(t.caches)
		t.index[kind] = i
		t.caches = append(t.caches, Cache{Level: level, Type: typ, Size: size, At: g.At})
	}
	one := kind + " " + g.CPUs.String()
	if len(g.CPUs) == 0 || t.seen[one] {
		return
	}
	t.seen[one] = true
	t.caches[i].Instances = append(t.caches[i].Instances, g)
}

// sorted returns the kinds, smallest level first, with their counts.
func (t *cacheTable) sorted() []Cache {
	for i := range t.caches {
		c := &t.caches[i]
		if c.Instances == nil {
			continue
		}
		sortGroups(c.Instances)
		c.Count = new(len(c.Instances))
		if c.Size != nil {
			c.Total = new(*c.Size * int64(len(c.Instances)))
		}
	}
	sortCaches(t.caches)
	return t.caches
}
