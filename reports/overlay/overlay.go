package overlay

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/schedlab/schedlab/reports/measured"
	"github.com/schedlab/schedlab/schedsim/study"
)

// Options of Join.
type Options struct {
	// Map names rows, as by study.RowName, for series: by their title as the message about one that
	// matches nothing has it, by the value of their case or command, or by their name.
	Map map[string]string
}

// An Overlay is what was measured of a study's rows.
type Overlay struct {
	Rows      []Row
	Unmatched []Unmatched
	Files     []string
}

// Unmatched is a figure that is of no row, and why.
type Unmatched struct {
	Where, Title, Reason string
}

// A Row is what was measured of one row of a study.
type Row struct {
	Table, Key    string
	Unit, Better  string
	Base, Patched Sample
	// Pct is the change from base to patched in percent. CILow and CIHigh end its 95 %
	// interval, by Welch's t of the two means; NotMeasured where the spread or the
	// number of runs of a column is not told.
	Pct, CILow, CIHigh study.Number
}

// A Sample is one column of a row, in the row's unit.
type Sample struct {
	Mean   float64 // NaN if it was not measured
	Stddev float64 // of single runs; NaN where it is not known
	N      int     // runs, 0 where it is not told
	Values []float64
	Where  string // file and line
}

// Measured reports whether there is a figure.
func (s Sample) Measured() bool { return !math.IsNaN(s.Mean) }

// Row returns what was measured of a row, or nil.
func (o *Overlay) Row(table, key string) *Row {
	if o == nil {
		return nil
	}
	for i := range o.Rows {
		if o.Rows[i].Table == table && o.Rows[i].Key == key {
			return &o.Rows[i]
		}
	}
	return nil
}

// A candidate is a figure with the row that it is of.
type candidate struct {
	series measured.Series
	arm    string
	table  *study.Table
	row    *study.Row
}

// Join finds the rows of a study that the figures of files are of. See the package's
// comment for the rule. Errors name file and line.
func Join(s *study.Study, sources []Source, opt Options) (*Overlay, error) {
	out := &Overlay{}
	var found []candidate
	used := make(map[string]bool) // of the map
	for i := range sources {
		src := &sources[i]
		if src.Table != "" && s.Table(src.Table) == nil {
			return nil, fmt.Errorf("overlay: %s: study %s has no table %q; use one of %s", src.File, s.ID, src.Table, tableNames(s))
		}
		if !slices.Contains(out.Files, src.File) {
			out.Files = append(out.Files, src.File)
		}
		arms, reasons, err := src.arms()
		if err != nil {
			return nil, err
		}
		for k, r := range src.Series {
			if reasons[k] != "" {
				out.Unmatched = append(out.Unmatched, Unmatched{at(r), figure(r), reasons[k]})
				continue
			}
			c, reason, err := find(s, src, r, opt.Map, used)
			if err != nil {
				return nil, err
			}
			if reason != "" {
				out.Unmatched = append(out.Unmatched, Unmatched{at(r), figure(r), reason})
				continue
			}
			c.arm = arms[k]
			found = append(found, c)
		}
	}
	for name := range opt.Map {
		if !used[name] {
			return nil, fmt.Errorf("overlay: no figure %q in %s to map", name, strings.Join(out.Files, ", "))
		}
	}
	fitting, err := out.fit(found)
	out.Unmatched = once(out.Unmatched)
	if err != nil {
		return nil, err
	}
	if err := out.collect(s, fitting); err != nil {
		return nil, err
	}
	if len(out.Rows) == 0 {
		return nil, fmt.Errorf("overlay: %s: no figure is of a row of %s%s; name the row with a map, SERIES=ROW", strings.Join(out.Files, ", "), s.ID, firstReason(out.Unmatched))
	}
	return out, nil
}

// once leaves out what is said twice: both columns of a line have one place and name.
func once(all []Unmatched) []Unmatched {
	var out []Unmatched
	for _, u := range all {
		if !slices.Contains(out, u) {
			out = append(out, u)
		}
	}
	return out
}

func firstReason(all []Unmatched) string {
	if len(all) == 0 {
		return ""
	}
	return fmt.Sprintf(": %s: %s: %s", all[0].Where, all[0].Title, all[0].Reason)
}

func tableNames(s *study.Study) string {
	var names []string
	for i := range s.Tables {
		names = append(names, s.Tables[i].ID)
	}
	return strings.Join(names, ", ")
}

// find is the row of a figure.
func find(s *study.Study, src *Source, r measured.Series, named map[string]string, used map[string]bool) (candidate, string, error) {
	for _, name := range []string{title(r), r.Params[caseParam], r.Params[commandParam], r.Name} {
		to, ok := named[name]
		if name == "" || !ok {
			continue
		}
		used[name] = true
		t, row := s.FindRow(to)
		if row == nil {
			return candidate{}, "", fmt.Errorf("overlay: %s: %s is mapped to row %q, which %s has not", at(r), title(r), to, s.ID)
		}
		return candidate{series: r, table: t, row: row}, "", nil
	}
	labels := []string{src.Base, src.Patched}
	var rows []candidate
	longest := 0
	for i := range s.Tables {
		t := &s.Tables[i]
		for j := range t.Rows {
			if n := len(t.Rows[j].Key); n >= longest && matches(r, labels, t, &t.Rows[j]) {
				if n > longest {
					longest, rows = n, nil
				}
				rows = append(rows, candidate{series: r, table: t, row: &t.Rows[j]})
			}
		}
	}
	other := ""
	rows = slices.DeleteFunc(rows, func(c candidate) bool {
		switch {
		case src.Table != "" && c.table.ID != src.Table:
			other = "it is row " + c.row.Key + " of table " + c.table.ID
		case !statistic(r, c.table):
			other = fmt.Sprintf("row %s is of %s", s.RowName(c.table.ID, c.row.Key), c.table.Statistic)
		default:
			return false
		}
		return true
	})
	if len(rows) > 1 { // the unit may tell them apart
		same := slices.DeleteFunc(slices.Clone(rows), func(c candidate) bool { return c.misfit() != "" })
		if len(same) == 0 {
			same = rows[:1] // to be refused
		}
		rows = same
	}
	switch {
	case len(rows) == 1:
		return rows[0], "", nil
	case len(rows) > 1:
		var names []string
		for _, c := range rows {
			names = append(names, s.RowName(c.table.ID, c.row.Key))
		}
		return candidate{}, "", fmt.Errorf("overlay: %s: %s is of several rows: %s; say which, with table=ID after the file or with a map", at(r), title(r), strings.Join(names, ", "))
	case other != "":
		return candidate{}, other, nil
	}
	return candidate{}, "no row has that key or those parameters", nil
}

// misfit says why a figure cannot be that of its row.
func (c candidate) misfit() string {
	unit, better := c.table.UnitOf(c.row), c.table.BetterOf(c.row)
	if _, ok := convert(c.series.Unit, unit); !ok {
		return fmt.Sprintf("it is in %q, the row in %q", c.series.Unit, unit)
	}
	if c.series.Better != "" && better != "" && c.series.Better != better {
		return fmt.Sprintf("of it %s is better, of the row %s", c.series.Better, better)
	}
	return ""
}

// fit leaves out figures that are not those of their row. Where none is, they are
// refused: it is the wrong file, or the wrong unit.
func (o *Overlay) fit(found []candidate) ([]candidate, error) {
	type place struct{ file, table, row, arm string }
	placeOf := func(c candidate) place { return place{c.series.File, c.table.ID, c.row.Key, c.arm} }
	good := make(map[place]bool)
	for _, c := range found {
		good[placeOf(c)] = good[placeOf(c)] || c.misfit() == ""
	}
	var out []candidate
	for _, c := range found {
		why := c.misfit()
		switch {
		case why == "":
			out = append(out, c)
		case good[placeOf(c)]:
			o.Unmatched = append(o.Unmatched, Unmatched{at(c.series), figure(c.series), why})
		default:
			return nil, fmt.Errorf("overlay: %s: %s cannot be row %s of table %s: %s", at(c.series), title(c.series), c.row.Key, c.table.ID, why)
		}
	}
	return out, nil
}
