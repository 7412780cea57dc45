package view

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
