package measured

import (
	"math"
	"strings"

	"github.com/schedlab/schedlab/reports/dialect"
)

func knowsTable(text string) bool {
	found, _ := dialect.Find(text, "")
	return len(found) > 0
}

// readTable takes the means of a table, one series a kernel. Their number of
// runs is not told.
func readTable(text, file string) ([]Series, error) {
	found, err := dialect.Find(text, file)
	if err != nil {
		return nil, err
	}
	var all []Series
	for _, f := range found {
		for _, r := range f.Table.Rows {
			if strings.HasPrefix(r.Stat, "Stddev") || strings.HasPrefix(r.Stat, "CoeffVar") {
				continue
			}
			for k, c := range r.Cells {
				if c.Value.IsMissing() || c.Of != "" {
					continue
				}
				s := Series{Program: f.Table.Style(), Name: r.Stat, Params: map[string]string{"kernel": kernelName(f.Table, k)}, Line: r.Line}
				if f.Table.Caption != "" {
					s.Program = f.Table.Caption
				}
				if s.Name == "" {
					s.Name = r.Key
				} else if r.Key != "" {
					s.Params["case"] = r.Key
				}
				if b := dialect.BetterOf(r.Stat); f.Table.Form == nil && b != dialect.Unknown {
					s.Better = b.String()
				}
				all = append(all, ofMean(s, c.Value.Float64(), spread(f.Table, r, c, k), 0))
			}
		}
	}
	return all, nil
}

func kernelName(t *dialect.Table, k int) string {
	if name := t.Kernels[k].Name(); name != "" {
		return name
	}
	if k == 0 {
		return "base"
	}
	return "patched"
}

// spread is the standard deviation that the table prints of a value, in its unit.
func spread(t *dialect.Table, r dialect.Row, c dialect.Cell, k int) float64 {
	switch t.Form.(type) {
	case *dialect.PlusMinus:
		return c.Spread.Float64()
	case *dialect.LKP, *dialect.Blocks:
		if c.Spread != "" {
			return math.Abs(c.Value.Float64()) * c.Spread.Float64() / 100
		}
	case nil:
		if sd := t.Row("Stddev", r.Key); sd != nil && k < len(sd.Cells) && (r.Stat == "Hmean" || r.Stat == "Amean") {
			return sd.Cells[k].Value.Float64()
		}
	}
	return math.NaN()
}
