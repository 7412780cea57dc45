package view

import "regexp"

// noiseSources groups the rows by where their noise is from.
func noiseSources(rows []row) []Fact {
	var out []Fact
	keys := map[string][]string{}
	for _, r := range rows {
		src := r.cell.Noise.Source
		if src == "" {
			src = "no source given"
		}
		if keys[src] == nil {
			out = append(out, Fact{Text: src})
		}
		keys[src] = append(keys[src], r.key)
	}
	for i, f := range out {
		out[i].Label = upper(namedRows(keys[f.Text]))
		if len(keys[f.Text]) == len(rows) {
			out[i].Label = "All rows"
		}
		out[i].Text = stop(f.Text)
	}
	return out
}

// figure matches what differs between sources that say the same of several rows.
var figure = regexp.MustCompile(`[0-9][0-9.]*`)

// noiseKinds groups sources that differ in their figures only, and quotes one of
// each group, for forms in which a line a row is too much.
func noiseKinds(rows []row) []Fact {
	type kind struct {
		keys  []string
		first row
		vary  bool // the sources are not all the same to the digit
	}
	var kinds []*kind
	index := map[string]*kind{}
	for _, r := range rows {
		name := figure.ReplaceAllString(r.cell.Noise.Source, "0")
		k := index[name]
		if k == nil {
			k = &kind{first: r}
			index[name] = k
			kinds = append(kinds, k)
		}
		k.keys = append(k.keys, r.key)
		k.vary = k.vary || r.cell.Noise.Source != k.first.cell.Noise.Source
	}
	var out []Fact
	for _, k := range kinds {
		src := k.first.cell.Noise.Source
		if src == "" {
			src = "no source given"
		}
		if k.vary {
			src = "such as row " + k.first.key + ": " + src
		}
		out = append(out, Fact{upper(namedRows(k.keys)), stop(src)})
	}
	return out
}
