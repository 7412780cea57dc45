package author

import (
	"errors"

	"github.com/schedlab/schedlab/schedsim/study"
)

// A Figure is one measured on two kernels.
type Figure struct {
	Key, Unit, Better string
	Base, Patched     Runs
}

// Runs are those of one kernel: single ones, or mean and standard deviation of runs
// that are not known one by one.
type Runs struct {
	Values       []float64
	Mean, Stddev float64
}

// Measured lays figures of a real machine out in a style, without a mark; base and
// patched head the columns. An [UnfitError] says that the style has no place for
// them.
func Measured(style, base, patched string, figures []Figure) (string, error) {
	if len(figures) == 0 {
		return "", errors.New("author: no figures to make a table of")
	}
	t := &study.Table{
		ID: "measured", Benchmark: "measured", Unit: figures[0].Unit, RowName: "case",
		BaseLabel: [2]string{"", word(base)}, PatchedLabel: [2]string{"", word(patched)},
	}
	var rows []row
	for _, f := range figures {
		rows = append(rows, row{
			key: f.Key, unit: f.Unit, better: direction(f.Better), measured: true,
			base: f.Base.arm(), patched: f.Patched.arm(),
		})
	}
	out, err := tables(style, t, rows, "")
	if err != nil {
		return "", err
	}
	text, err := written(out)
	if err == nil && text == "" {
		err = &UnfitError{style, t.ID, "the files tell no single runs, of which it has the extremes"}
	}
	return text, err
}

func (r Runs) arm() arm { return arm{runs: r.Values, mean: r.Mean, sd: r.Stddev} }
