package dump

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var instancesPattern = regexp.MustCompile(`^(.*?)\s*[(（]\D*([0-9]+)\D*[)）]$`)

// caches reads the sizes. lscpu up to 2.33 prints that of one cache, "32K";
// 2.34 to 2.36 print the total, "512 KiB"; later ones add the number of
// instances, and leave it out where the size is of one cache again (the L3 and
// L4 of s390).
func (s *summary) caches() {
	counted := false
	for _, e := range s.entries {
		counted = counted || e.key == keyCache && instancesPattern.MatchString(e.value)
	}
	seen := make(map[string]bool)
	for _, e := range s.entries {
		if e.key != keyCache || e.value == "" || e.value == "-" {
			continue
		}
		if seen[e.arg] {
			s.add(s.at(e), "the %s cache occurs twice, keep one", e.arg)
			continue
		}
		seen[e.arg] = true
		c := namedCache(e.arg)
		c.At = s.at(e)
		text := e.value
		if m := instancesPattern.FindStringSubmatch(e.value); m != nil {
			n, err := strconv.Atoi(m[2])
			if err != nil || n < 1 || n > maxCPUs {
				s.add(c.At, "%q is no number of caches, give one from 1 to %d", short(m[2]), maxCPUs)
				continue
			}
			text, c.Count = m[1], &n
		}
		sz, err := parseSize(text)
		if err != nil {
			s.add(c.At, "%s: %v", normalKey(e.text), err)
			continue
		}
		s.size(&c, sz, counted)
		s.f.Caches = append(s.f.Caches, c)
	}
	sortCaches(s.f.Caches)
}

// size works out what a printed size means.
func (s *summary) size(c *Cache, sz size, counted bool) {
	if sz.bytes == 0 {
		s.add(c.At, "the %s cache has no size, correct it", c.Name())
		return
	}
	switch {
	case c.Count != nil:
		c.Total = &sz.bytes
		// The mean of all instances is the size of each if the machine has
		// one kind of core; a mean that is no whole number of KiB shows that
		// it has not, or that the total is rounded.
		one := (sz.bytes/int64(*c.Count) + 512) >> 10 << 10
		if one == 0 {
			return
		}
		c.Size = &one
		c.Approx = *c.Count > 1 && one*int64(*c.Count) != sz.bytes || *c.Count == 1 && sz.rounded
		if c.Approx {
			s.f.note(c.At, "the size of one %s cache is not certain: the total is rounded, or not all are alike; lscpu -C tells more",
				c.Name())
		}
	case counted || sz.unit && !sz.spaced:
		c.Size = &sz.bytes
		c.Approx = sz.rounded
	default:
		c.Total = &sz.bytes
		s.f.note(c.At, "%s is the total of all %s caches, whose number lscpu 2.34 to 2.36 does not print", strconv.FormatInt(sz.bytes>>10, 10)+" KiB", c.Name())
	}
}

// namedCache returns a cache of the level and type in a name such as L1d.
func namedCache(name string) Cache {
	c := Cache{Level: int(name[1] - '0'), Type: Unified}
	switch {
	case strings.HasSuffix(strings.ToLower(name), "d"):
		c.Type = Data
	case strings.HasSuffix(strings.ToLower(name), "i"):
		c.Type = Instruction
	}
	return c
}

// readCacheTable reads lscpu -C: sizes and numbers of caches, without places.
func readCacheTable(name string, format Format, t *table) (*Facts, error) {
	p := &problems{}
	f := &Facts{Sources: []Source{{name, format}}}
	seen := make(map[string]bool)
	for _, row := range t.rows {
		at := fmt.Sprintf("%s:%d", name, row.line)
		label := row.cell("NAME")
		if !cacheOnlyPattern.MatchString(label) {
			p.add(at, "%q is no name of a cache such as L1d, correct it", short(label))
			continue
		}
		if seen[label] {
			p.add(at, "the %s cache occurs twice, keep one", label)
			continue
		}
		seen[label] = true
		c := namedCache(label)
		c.At = at
		var sizes [2]size
		for i, column := range []string{"ONE-SIZE", "ALL-SIZE"} {
			text := row.cell(column)
			if text == "" {
				continue
			}
			sz, err := parseSize(text)
			if err != nil {
				p.add(at, "%s: %v", column, err)
				continue
			}
			sizes[i] = sz
		}
		one, all := sizes[0], sizes[1]
		if one.bytes > 0 {
			c.Size, c.Approx = &one.bytes, one.rounded
		}
		if all.bytes > 0 {
			c.Total = &all.bytes
		}
		if one.bytes > 0 && all.bytes >= one.bytes && all.bytes%one.bytes == 0 && !one.rounded && !all.rounded {
			c.Count = new(int(all.bytes / one.bytes))
			if *c.Count > maxCPUs {
				p.add(at, "%d %s caches are too many, correct the sizes", *c.Count, label)
			}
		}
		if n := row.cell("LEVEL"); n != "" && n != strconv.Itoa(c.Level) {
			p.add(at, "the cache %s has the level %s, correct one", label, short(n))
		}
		f.Caches = append(f.Caches, c)
	}
	if err := p.err(); err != nil {
		return nil, err
	}
	sortCaches(f.Caches)
	return f.finish()
}
