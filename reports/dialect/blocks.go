package dialect

import (
	"fmt"
	"math"
	"regexp"
	"strings"
)

// Blocks is Aaron Lu's form: a line that names the case, and a line for each of
// base and patch with the value, its standard deviation in percent, and the
// increase or "(noise)":
//
//	group=16
//	base:    309032±5.0%
//	patch:   378337±1.3% +22.4%
type Blocks struct {
	// Mark stands behind "base" and "patch", such as "[*]" for what a footnote
	// explains.
	Mark  string
	texts []string // the lines as read: the alignment is the author's
}

// Style implements Form.
func (b *Blocks) Style() string { return "base/patch" }

func (b *Blocks) lines(t *Table) ([]string, error) {
	if len(b.texts) > 0 {
		return b.texts, nil
	}
	if len(t.Kernels) != 2 {
		return nil, fmt.Errorf("dialect: %d kernels, want base and patch", len(t.Kernels))
	}
	var lines []string
	for i, r := range t.Rows {
		if len(r.Cells) != 2 {
			return nil, fmt.Errorf("dialect: %s has %d values, want base and patch", r.Key, len(r.Cells))
		}
		if i > 0 {
			lines = append(lines, "")
		}
		base, patch := r.Cells[0], r.Cells[1]
		width := max(len(base.Value), len(patch.Value))
		change := " (noise)"
		if patch.Pct != "" {
			change = string(patch.Pct) + "%"
		}
		lines = append(lines, r.Key,
			"base"+b.Mark+":   "+padLeft(string(base.Value), width)+"±"+string(base.Spread)+"%",
			"patch"+b.Mark+":  "+padLeft(string(patch.Value), width)+"±"+string(patch.Spread)+"% "+change)
	}
	return lines, nil
}

var (
	blocksBase  = regexp.MustCompile(`^\s*base(?:\[\*\])?:\s*([0-9.]+)±\s*([0-9.]+)%\s*$`)
	blocksPatch = regexp.MustCompile(`^\s*patch(?:\[\*\])?:\s*([0-9.]+)±\s*([0-9.]+)%\s*(?:([+-][0-9.]+)%|\(noise\))?\s*$`)
)

// FindBlocks returns such tables in a text, quoted or not; blocks that follow one
// another with a blank line between are one table.
func FindBlocks(text, filename string) ([]Found, error) {
	text, _ = fromLatin1(text)
	lines, quotes := unquote(text)
	var found []Found
	for i := 0; i+1 < len(lines); i++ {
		if !strings.Contains(lines[i].text, "base") {
			continue
		}
		base, patch := blocksBase.FindStringSubmatch(lines[i].text), blocksPatch.FindStringSubmatch(lines[i+1].text)
		if base == nil || patch == nil {
			continue
		}
		key, first := "", i
		if i > 0 && !isBlank(lines[i-1].text) {
			key, first = strings.TrimSpace(lines[i-1].text), i-1
		}
		row := Row{Key: key, Line: lines[i+1].n, Cells: []Cell{
			{Value: Decimal(base[1]), Spread: Decimal(base[2])},
			{Value: Decimal(patch[1]), Spread: Decimal(patch[2]), Pct: Decimal(patch[3])},
		}}
		var f *Found
		if n := len(found); n > 0 && lines[first].n-found[n-1].Last <= 2 {
			f = &found[n-1]
		} else {
			found = append(found, Found{
				Table: &Table{File: filename, Form: &Blocks{}, Kernels: []Kernel{{Label: [2]string{"", "base"}}, {Label: [2]string{"", "patch"}}}},
				Quote: quotes[i], First: lines[first].n, Last: lines[first].n - 1,
			})
			f = &found[len(found)-1]
		}
		b := f.Table.Form.(*Blocks)
		for _, ln := range lines[f.Last : i+2] {
			b.texts = append(b.texts, ln.text)
		}
		f.Last = lines[i+1].n
		f.Table.Rows = append(f.Table.Rows, row)
		i++
	}
	return found, nil
}

// NewBlocksRow makes a row from means and standard deviations of base and patch. The
// change is left out, as "(noise)", where it is within the larger of the two.
func NewBlocksRow(key string, means, stddevs []float64) Row {
	row := Row{Key: key}
	for i, m := range means {
		prec := 0
		if m < 100 {
			prec = 2
		}
		c := Cell{Value: Fixed(m, prec), Spread: Fixed(100*stddevs[i]/m, 1)}
		change := 100 * (m - means[0]) / means[0]
		if i > 0 && math.Abs(change) > 100*max(stddevs[0]/means[0], stddevs[i]/m) {
			c.Pct = plus(Fixed(change, 1))
		}
		row.Cells = append(row.Cells, c)
	}
	return row
}
