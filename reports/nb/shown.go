package nb

import (
	"fmt"
	"reflect"

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
//
// A whole report is not among them, see reports.WriteUp: it is made from
// templates, and a program that may execute templates keeps every method of
// every type, so that each cell would take half as long again to link.
func shown(v any) (any, error) {
	if p := reflect.ValueOf(v); p.Kind() == reflect.Pointer && p.IsNil() {
		return nil, nil
	}
	switch v := v.(type) {
	case view.Table:
		return grid{Table: v}, nil
	case *view.Table:
		return grid{Table: *v}, nil
	case dataframe.DataFrame:
		return frameGrid(v)
	case *dataframe.DataFrame:
		return frameGrid(*v)
	case *dialect.Table:
		return authorTable(v)
	case *topology.Machine:
		return machine{v}, nil
	case *study.Study:
		return postGrids(v), nil
	case *study.Outcome:
		return ledgerOf(v)
	case []*study.Outcome:
		return ledgerOf(v...)
	case []study.LedgerCell:
		return ledgerGrid(v), nil
	case schedsim.Result:
		return runGrid(&v), nil
	case *schedsim.Result:
		return runGrid(v), nil
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
