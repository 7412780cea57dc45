package author

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/schedlab/schedlab/reports/dialect"
	"github.com/schedlab/schedlab/schedsim/study"
)

// heads are the names of the two columns.
func heads(t *study.Table, mark string) []dialect.Kernel {
	k := []dialect.Kernel{{Label: t.BaseLabel}, {Label: t.PatchedLabel}}
	for i, name := range []string{"base", "patched"} {
		if k[i].Name() == "" {
			k[i].Label[1] = name
		}
		line := 1
		if k[i].Label[1] == "" {
			// A single line of heading is the second one.
			k[i].Label[0], k[i].Label[1] = "", k[i].Label[0]
		}
		k[i].Label[line] += mark
	}
	return k
}

var blanks = regexp.MustCompile(`\s+`)

// word is a heading without blanks, for the styles that a blank ends it in.
func word(s string) string { return blanks.ReplaceAllString(s, "_") }

// oneWord are heads without blanks.
func oneWord(k []dialect.Kernel) []dialect.Kernel {
	out := slices.Clone(k)
	for i := range out {
		out[i] = dialect.Kernel{Label: [2]string{"", word(strings.ReplaceAll(k[i].Name(), "-", "/"))}}
		if !strings.Contains(k[i].Label[0], "/") && k[i].Label[0] == "" {
			out[i].Label[1] = word(k[i].Label[1])
		}
	}
	return out
}

// tables lays rows out in a style; it may take several tables.
func tables(style string, t *study.Table, rows []row, mark string) ([]*dialect.Table, error) {
	k := heads(t, mark)
	if name, ok := strings.CutSuffix(style, "="); ok {
		return []*dialect.Table{pairs(name, k, rows)}, nil
	}
	switch style {
	case MMTests:
		table, err := mmtests(t, k, rows)
		return []*dialect.Table{table}, err
	case Robot:
		return []*dialect.Table{robot(k, rows)}, nil
	case PlusMinus:
		table := &dialect.Table{Kernels: oneWord(k), Form: &dialect.PlusMinus{}}
		for _, r := range rows {
			table.Rows = append(table.Rows, dialect.NewPlusMinusRow(word(r.key), r.means(), r.stddevs()))
		}
		return []*dialect.Table{table}, nil
	case JVMS, June:
		return []*dialect.Table{jvms(style, t, k, rows)}, nil
	case Count:
		return counts(rows, mark), nil
	case AutoNUMA:
		return autonuma(t, rows, mark)
	case Plain:
		return []*dialect.Table{plain(k, rows)}, nil
	case BasePatch:
		return []*dialect.Table{basePatch(k, rows, mark)}, nil
	case Hyperfine:
		return hyperfine(t, k, rows)
	case PctImp:
		return ratios(dialect.PctImp, t, k, rows), nil
	case Spread:
		return ratios(dialect.SpreadPct, t, k, rows), nil
	case Schedtest:
		return ratios(dialect.Compare, t, k, rows), nil
	}
	return nil, fmt.Errorf("author: no style %q; there are %s", style, strings.Join(Styles(), ", "))
}

// mmtests has the harmonic mean where higher is better and the arithmetic mean
// where lower is. The columns have the report's means.
func mmtests(t *study.Table, k []dialect.Kernel, rows []row) (*dialect.Table, error) {
	table := &dialect.Table{Kernels: slices.Clone(k)}
	for i := range k {
		table.Kernels[i].Label = [2]string{word(k[i].Label[0]), word(k[i].Label[1])}
		for _, label := range table.Kernels[i].Label {
			// A column is as wide as a value and its percentage.
			table.Layout.FieldWidth = max(table.Layout.FieldWidth, 12, len(label)+1-len(" (   0.00%)"))
		}
	}
	for _, r := range rows {
		stat := "Amean"
		if r.better == dialect.Higher {
			stat = "Hmean"
		}
		table.Rows = append(table.Rows, dialect.NewRow(stat, word(r.key), r.better, 2, r.means(), nil))
	}
	return table, nil
}

// robot has the base's commit and the patched one; its list of commits says that
// both are simulated.
func robot(k []dialect.Kernel, rows []row) *dialect.Table {
	table := &dialect.Table{}
	form := &dialect.LKP{}
	const digits = 12 // that fit into the column with a mark
	for _, kernel := range k {
		name := kernel.Name()
		id, subject, _ := strings.Cut(strings.Replace(name, "-(", " (", 1), " ")
		mark := ""
		if strings.HasSuffix(name, Mark) {
			mark, id, subject = Mark, strings.TrimSuffix(id, Mark), strings.TrimSuffix(subject, Mark)
		}
		id = id[:min(len(id), digits)]
		form.Commits = append(form.Commits, dialect.Commit{ID: id + mark, Subject: strings.Trim(subject, "()")})
		table.Kernels = append(table.Kernels, dialect.Kernel{Label: [2]string{id + mark, ""}})
	}
	table.Form = form
	for _, r := range rows {
		table.Rows = append(table.Rows, dialect.NewLKPRow(word(r.key), r.means(), r.stddevs()))
	}
	return table
}

func pairs(name string, k []dialect.Kernel, rows []row) *dialect.Table {
	form := &dialect.Pairs{}
	table := &dialect.Table{Kernels: oneWord(k), Form: form}
	runs := true // rows are the runs of one case
	for _, r := range rows {
		runs = runs && strings.HasPrefix(r.key, "run")
	}
	if runs {
		form.Name = name
	}
	for _, r := range rows {
		out := dialect.Row{Stat: word(r.key), Key: r.key}
		for _, m := range r.means() {
			prec := 0
			if m < 100 {
				prec = 2
			}
			out.Cells = append(out.Cells, dialect.Cell{Value: dialect.Fixed(m, prec)})
		}
		table.Rows = append(table.Rows, out)
	}
	return table
}

func jvms(style string, t *study.Table, k []dialect.Kernel, rows []row) *dialect.Table {
	change := "%Change"
	if style == June {
		change = "%CHANGE"
	}
	first := "JVMS"
	if t.RowName != "" {
		first = word(t.RowName)
	}
	if first == "count" || first == "Event" {
		first = "case" // those head other tables
	}
	k = oneWord(k)
	table := &dialect.Table{Kernels: k, Form: &dialect.Columns{Headings: []string{first, k[0].Name(), k[1].Name(), change}}}
	for _, r := range rows {
		table.Rows = append(table.Rows, dialect.NewCaseRow(word(r.key), r.means(), style == June))
	}
	return table
}

// counts is a table a row: its two lines are the kernels.
func counts(rows []row, mark string) []*dialect.Table {
	var out []*dialect.Table
	for _, r := range rows {
		if len(r.base.runs) == 0 || len(r.patched.runs) == 0 {
			continue
		}
		table := dialect.NewCountTable(r.runs())
		if len(rows) > 1 {
			table.Caption = r.key
		}
		h := table.Form.(*dialect.Columns).Headings
		for i := range h {
			if h[i] != "%Change" {
				h[i] += mark
			}
		}
		out = append(out, table)
	}
	return out
}

func autonuma(t *study.Table, rows []row, mark string) ([]*dialect.Table, error) {
	table := &dialect.Table{Kernels: make([]dialect.Kernel, 2), Form: &dialect.AutoNUMA{Mark: mark}}
	for _, r := range rows {
		if r.unit != "s" {
			return nil, &UnfitError{AutoNUMA, t.ID, fmt.Sprintf("it has times, and row %s is in %s", r.key, r.unit)}
		}
		if len(r.base.runs) == 0 || len(r.patched.runs) == 0 {
			continue
		}
		table.Rows = append(table.Rows, dialect.NewAutoNUMARows(word(r.key)+" Real:", r.runs())...)
	}
	return []*dialect.Table{table}, nil
}

func plain(k []dialect.Kernel, rows []row) *dialect.Table {
	table := &dialect.Table{Kernels: k, Form: &dialect.Plain{}}
	for _, r := range rows {
		table.Rows = append(table.Rows, dialect.NewPlainRow(r.key, r.means(), 2))
	}
	return table
}

func basePatch(k []dialect.Kernel, rows []row, mark string) *dialect.Table {
	table := &dialect.Table{Kernels: k, Form: &dialect.Blocks{Mark: mark}}
	for _, r := range rows {
		table.Rows = append(table.Rows, dialect.NewBlocksRow(r.key, r.means(), r.stddevs()))
	}
	return table
}

// hyperfine is a table a row, in which the two kernels are the commands.
func hyperfine(t *study.Table, k []dialect.Kernel, rows []row) ([]*dialect.Table, error) {
	var out []*dialect.Table
	for _, r := range rows {
		if r.unit != "s" {
			return nil, &UnfitError{Hyperfine, t.ID, fmt.Sprintf("it has times, and row %s is in %s", r.key, r.unit)}
		}
		if len(r.base.runs) == 0 || len(r.patched.runs) == 0 {
			continue
		}
		out = append(out, dialect.NewHyperfine([]string{r.key + " " + k[0].Name(), r.key + " " + k[1].Name()}, r.runs()))
	}
	return out, nil
}

// ratios is a table a direction: the box above it names one.
func ratios(layout dialect.RatioLayout, t *study.Table, k []dialect.Kernel, rows []row) []*dialect.Table {
	var out []*dialect.Table
	for _, better := range []dialect.Better{dialect.Higher, dialect.Lower} {
		form := &dialect.Ratios{Layout: layout}
		table := &dialect.Table{Kernels: k, Form: form}
		if layout == dialect.PctImp {
			units := "Normalized " + t.Unit
			form.Box = []dialect.Axis{
				{Name: "Test", Value: t.Benchmark}, {Name: "Units", Value: units},
				{Name: "Interpretation", Value: strings.ToUpper(better.String()[:1]) + better.String()[1:] + " is better"},
				{Name: "Statistic", Value: "AMean"},
			}
		}
		for _, r := range rows {
			if r.better != better {
				continue
			}
			key := r.key
			if layout == dialect.Compare {
				key = t.Benchmark + "\t" + r.key
			}
			table.Rows = append(table.Rows, dialect.NewRatioRow(layout, key, better, 3, r.means(), r.stddevs()))
		}
		if len(table.Rows) > 0 {
			out = append(out, table)
		}
	}
	return out
}
