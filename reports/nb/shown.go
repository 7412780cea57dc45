package nb

import (
	"fmt"

	"github.com/go-gota/gota/dataframe"

	"github.com/schedlab/schedlab/reports/dialect"
	"github.com/schedlab/schedlab/reports/view"
	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/study"
	"github.com/schedlab/schedlab/topology"
)

// shown returns what stands for a value in a notebook: a value that knows its
// forms for those of this project and of gota, and the value itself for any
// other. It fails for a value that holds an error instead of data.
func shown(v any) (any, error) {
	switch v := v.(type) {
	case view.Table:
		return grid{Table: v}, nil
	case *view.Table:
		if v != nil {
			return grid{Table: *v}, nil
		}
	case dataframe.DataFrame:
		return frameGrid(v)
	case *dataframe.DataFrame:
		if v != nil {
			return frameGrid(*v)
		}
	case *dialect.Table:
		if v != nil {
			return authorTable(v)
		}
	case *topology.Machine:
		if v != nil {
			return machine{v}, nil
		}
	case *study.Study:
		if v != nil {
			return postGrids(v), nil
		}
	case *study.Outcome:
		if v != nil {
			return ledgerOf(v)
		}
	case []*study.Outcome:
		return ledgerOf(v...)
	case []study.LedgerCell:
		return ledgerGrid(v), nil
	case *view.Report:
		if v != nil {
			return newReport(v)
		}
	case schedsim.Result:
		return runGrid(&v), nil
	case *schedsim.Result:
		if v != nil {
			return runGrid(v), nil
		}
	}
	return v, nil
}

// preformatted is text that keeps its lines and columns in every form.
type preformatted string

func (p preformatted) String() string { return string(p) }

// authorTable is a table in the style that its author posts in.
func authorTable(t *dialect.Table) (any, error) {
	var b lines
	if err := t.Write(&b); err != nil {
		return nil, fmt.Errorf("nb: cannot write the table: %w", err)
	}
	return preformatted(b.text()), nil
}
