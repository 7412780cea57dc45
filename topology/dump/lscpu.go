package dump

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// entry is a line of the summary of lscpu, from text or JSON.
type entry struct {
	line  int
	text  string // the key as printed
	key   lscpuKey
	arg   string // number of the node or name of the cache in the key
	value string
}

var (
	numberPattern    = regexp.MustCompile(`[0-9]+`)
	cacheNamePattern = regexp.MustCompile(`L([1-9])([di]?)\b`)
	cacheOnlyPattern = regexp.MustCompile(`^L([1-9])([di]?)$`)
)

// newEntry finds out which key a text is, in any language.
func newEntry(line int, text, value string) entry {
	e := entry{line: line, text: text, value: strings.TrimSpace(value)}
	text = normalKey(text)
	if key, ok := lscpuKeys[text]; ok {
		e.key = key
		return e
	}
	// In the hierarchic layout the key is the bare name of the cache.
	if cacheOnlyPattern.MatchString(text) {
		e.key, e.arg = keyCache, text
		return e
	}
	if name := cacheNamePattern.FindString(text); name != "" && lscpuKeys[strings.Replace(text, name, "%s", 1)] == keyCache {
		e.key, e.arg = keyCache, name
		return e
	}
	if n := numberPattern.FindString(text); n != "" && lscpuKeys[strings.Replace(text, n, "%d", 1)] == keyNodeCPUs {
		e.key, e.arg = keyNodeCPUs, n
	}
	return e
}

// normalKey strips the colon, which is wide in Chinese, and blanks, which are
// not always plain ones in French.
func normalKey(s string) string {
	s = collapse(strings.ReplaceAll(s, "\u00a0", " "))
	return strings.TrimRight(s, ":：︰ ")
}

// splitEntry splits a line of the text summary; ok is false for a line without
// a key, such as one that goes on with the flags.
func splitEntry(line int, text string) (e entry, ok bool) {
	i := strings.IndexAny(text, ":：︰")
	if i < 0 {
		// The Spanish keys for offline CPUs lack the colon.
		for _, key := range []lscpuKey{keyOffline, keyOfflineMask} {
			for _, word := range strings.Split(lscpuWords[key], "|") {
				if rest, found := strings.CutPrefix(strings.TrimSpace(text), word); found {
					return newEntry(line, word, rest), true
				}
			}
		}
		return entry{}, false
	}
	_, colon := utf8.DecodeRuneInString(text[i:])
	return newEntry(line, text[:i], text[i+colon:]), true
}

// isSummary tells whether entries are the summary of lscpu: other texts have
// keys such as "Model" as well.
func isSummary(entries []entry) bool {
	for _, e := range entries {
		switch e.key {
		case keyOnline, keyOnlineMask, keyThreads, keySocketCores, keyClusterCores, keyNodeCPUs:
			return true
		case keyCache:
			if _, err := parseSize(strings.SplitN(e.value, "(", 2)[0]); err == nil {
				return true
			}
		}
	}
	return false
}

// readLscpuJSON reads what lscpu -J prints, alone or with -e or -C.
func readLscpuJSON(name string, data []byte) (*Facts, error) {
	root, err := readJSON(name, data)
	if err != nil {
		return nil, err
	}
	at := fmt.Sprintf("%s:%d", name, root.line)
	switch {
	case root.fields["lscpu"].array != nil:
		var entries []entry
		if err := flatten(name, root.fields["lscpu"], &entries); err != nil {
			return nil, err
		}
		if !isSummary(entries) {
			return nil, fmt.Errorf("%s: no key of the summary is known, run LC_ALL=C lscpu -J", at)
		}
		return newSummary(name, LscpuJSON, entries).facts()
	case root.fields["cpus"].array != nil:
		t, err := jsonTable(name, root.fields["cpus"])
		if err != nil {
			return nil, err
		}
		return readCPUTable(name, LscpuExtJSON, t)
	case root.fields["caches"].array != nil:
		t, err := jsonTable(name, root.fields["caches"])
		if err != nil {
			return nil, err
		}
		return readCacheTable(name, LscpuCachesJSON, t)
	}
	return nil, fmt.Errorf("%s: the JSON has no list named lscpu, cpus or caches, give the output of lscpu -J, lscpu -e -J or lscpu -C -J", at)
}

// flatten turns the objects of lscpu -J, which may have children, into entries.
func flatten(name string, list jsonValue, entries *[]entry) error {
	for _, item := range list.array {
		field, ok := item.fields["field"]
		if !ok || field.text == "" {
			return fmt.Errorf("%s:%d: an object has no text named field, give the output of lscpu -J", name, item.line)
		}
		*entries = append(*entries, newEntry(field.line, field.text, item.fields["data"].text))
		if err := flatten(name, item.fields["children"], entries); err != nil {
			return err
		}
	}
	return nil
}
