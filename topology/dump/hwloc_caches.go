package dump

import (
	"strconv"
	"strings"
)

// caches reads the caches of the CPUs.
func (h *hwloc) caches() {
	var t cacheTable
	for _, o := range h.objects {
		level, typ, ok := h.cacheKind(o)
		if !ok {
			continue
		}
		at := h.at(o.element)
		// A cache in front of memory is none of the CPU: KNL reports its
		// MCDRAM so. Version 2 also has a type for it, MemCache.
		if o.attr["subtype"] == "MemorySideCache" {
			h.f.note(at, "the %s is a cache in front of memory and is left out", o.kind)
			continue
		}
		var bytes *int64
		if text := o.attr["cache_size"]; text != "" && text != "0" {
			n, err := strconv.ParseInt(text, 10, 64)
			if err != nil || n < 0 || n > 1<<50 {
				h.add(at, "cache_size %q is no number of bytes, correct it", short(text))
				continue
			}
			bytes = &n
		}
		if set, ok := h.members(o); ok && len(set) > 0 {
			t.add(level, typ, bytes, Group{ID: h.index(o), CPUs: set, At: at})
		}
	}
	h.f.Caches = t.sorted()
}

// cacheKind tells level and type of a cache; ok is false for other objects.
func (h *hwloc) cacheKind(o *object) (level int, typ CacheType, ok bool) {
	depth := o.attr["depth"]
	switch {
	case o.kind == "Cache":
	case strings.HasPrefix(o.kind, "L") && strings.HasSuffix(o.kind, "Cache") && len(o.kind) >= len("L1Cache"):
		depth = o.kind[1:2]
	default:
		return 0, "", false
	}
	level, err := strconv.Atoi(depth)
	if err != nil || level < 1 || level > 9 {
		h.add(h.at(o.element), "the %s has the level %q, give one from 1 to 9", o.kind, short(depth))
		return 0, "", false
	}
	switch o.attr["cache_type"] {
	case "0":
		typ = Unified
	case "1":
		typ = Data
	case "2":
		typ = Instruction
	case "":
		// hwloc 1.0 has no types.
	default:
		h.add(h.at(o.element), "cache_type %q is not known, give 0, 1 or 2", short(o.attr["cache_type"]))
		return 0, "", false
	}
	return level, typ, true
}

// kinds reads the kinds of cores, and the frequencies that come with them.
func (h *hwloc) kinds() {
	var types []CoreType
	telling := false
	for _, e := range h.root.children {
		if e.name != "cpukind" {
			continue
		}
		set, ok := h.set(e, "cpuset")
		if !ok {
			continue
		}
		infos := e.infos()
		t := CoreType{Name: infos["CoreType"], CPUs: set.Intersect(h.placed), At: h.at(e)}
		if text := e.attr["forced_efficiency"]; text != "" && text != "-1" {
			if n, err := parseCount(text); err == nil {
				t.Efficiency = &n
			}
		}
		if n, err := parseCount(infos["LinuxCapacity"]); err == nil && n > 0 {
			t.Capacity = &n
		}
		t.MaxMHz, _ = parseMHz(infos["FrequencyMaxMHz"])
		t.BaseMHz, _ = parseMHz(infos["FrequencyBaseMHz"])
		for _, id := range t.CPUs {
			c := h.f.cpu(id)
			c.MaxMHz, c.BaseMHz, c.Capacity = t.MaxMHz, t.BaseMHz, t.Capacity
		}
		telling = telling || t.Name != "" || t.Efficiency != nil || t.Capacity != nil || t.BaseMHz != nil
		if len(t.CPUs) > 0 {
			types = append(types, t)
		}
	}
	if len(types) < 2 {
		return
	}
	if !telling {
		h.f.note(types[0].At, "the kinds of CPUs differ in nothing but their highest frequency, so they are favoured cores and no types (hwloc issue 634)")
		return
	}
	h.f.CoreTypes = types
}
