package runs

// A Description says what a column is.
type Description struct {
	Name string `json:"name"`
	Type string `json:"type"` // text, float64, int64 or bool
	Unit string `json:"unit"`
}

// Describe lists the columns.
func (t *Table) Describe() []Description {
	var out []Description
	for _, c := range t.Columns {
		d := Description{Name: c.Name, Unit: c.Unit, Type: "float64"}
		switch {
		case c.Text != nil:
			d.Type = "text"
		case c.Int != nil:
			d.Type = "int64"
		case c.Bool != nil:
			d.Type = "bool"
		}
		out = append(out, d)
	}
	return out
}
