package study

import (
	"fmt"
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

// Histories are reruns of a row from other pasts: its benchmark was aged for as long
// as each of Ages says before it was measured, so that forks and load balancing have
// left its tasks in other places. Where the figure hangs on that, two measurements of
// one kernel differ by as much as the pasts do.
type Histories struct {
	Table string   `yaml:"table"` // may be left out if the study has one table
	Row   string   `yaml:"row"`
	Doc   string   `yaml:"doc"`
	Ages  []string `yaml:"ages"` // such as "150ms"; see schedsim.Config.Age
}

// HistoryCell is one row from one past.
type HistoryCell struct {
	Table, Row string
	Age        time.Duration
	// Effect is that of the patch after this age, over Runs.
	Effect Interval
	Runs   []HistoryRun // pairs in the order of the runs
	// Base and Patched aggregate them.
	Base, Patched Arm
}

// HistoryRun is a pair of runs, and where their tasks were.
type HistoryRun struct {
	Base, Patched float64 // figures of merit
	// BaseShare and PatchedShare are the shares of runnable tasks on socket 0; see
	// schedsim.Result.SocketShare.
	BaseShare, PatchedShare float64
}

// historyPoints are those of a row's pasts.
func (s *Study) historyPoints(plan Plan) ([]point, error) {
	var out []point
	if plan.Histories == 0 {
		return nil, nil
	}
	for k := range s.Histories {
		h := &s.Histories[k]
		ref, ok := s.findRow(h.Table, h.Row)
		if !ok {
			return nil, fmt.Errorf("study: %s: histories of row %q which is not there; correct it", s.ID, h.Row)
		}
		t := &s.Tables[ref.table]
		for _, age := range h.Ages {
			p, err := s.pointOf(plan, t, &t.Rows[ref.row])
			if err != nil {
				return nil, err
			}
			if p.age, err = time.ParseDuration(age); err != nil {
				return nil, fmt.Errorf("study: %s: histories of row %s: %w", s.ID, h.Row, err)
			}
			p.history, p.cells = k, []cellRef{ref}
			out = append(out, p)
		}
	}
	return out, nil
}

// findRow finds a row by its key and its table's id, which may be left out if there is
// one table only.
func (s *Study) findRow(table, key string) (cellRef, bool) {
	for i := range s.Tables {
		if s.Tables[i].ID != table && (table != "" || len(s.Tables) > 1) {
			continue
		}
		for j := range s.Tables[i].Rows {
			if s.Tables[i].Rows[j].Key == key {
				return cellRef{i, j}, true
			}
		}
	}
	return cellRef{}, false
}

// buildHistory aggregates the runs of a row from one past.
func buildHistory(s *Study, p *point, stored *pointRuns) (HistoryCell, error) {
	ref := p.cells[0]
	t := &s.Tables[ref.table]
	r := &t.Rows[ref.row]
	take := figure{t.MetricOf(r), t.UnitOf(r)}
	c := HistoryCell{Table: t.ID, Row: r.Key, Age: p.age}
	pairs := stored.pairs(ArmBase, stored, ArmPatched)
	groups, err := pairs.groups(t.Statistic, take)
	if err != nil {
		return c, fmt.Errorf("study: %s row %s after %v: %w", s.ID, s.RowName(t.ID, r.Key), p.age, err)
	}
	c.Effect = groups.Overall()
	c.Base, c.Patched = pairs.arm(0, take), pairs.arm(1, take)
	for _, set := range pairs {
		for _, pair := range set {
			value := func(r *schedsim.Result) float64 {
				v, _ := figureOf(r, take.metric, take.unit) // groups has seen it
				return v
			}
			c.Runs = append(c.Runs, HistoryRun{
				Base: value(pair[0]), Patched: value(pair[1]),
				BaseShare: pair[0].SocketShare, PatchedShare: pair[1].SocketShare,
			})
		}
	}
	return c, nil
}

func validateHistories(s *Study, doc *document) []error {
	var errs []error
	for i := range s.Histories {
		h := &s.Histories[i]
		at := fmt.Sprintf("$.histories[%d]", i)
		ref, ok := s.findRow(h.Table, h.Row)
		switch {
		case !ok:
			errs = append(errs, doc.errorf(at, "histories of row %q of table %q which is not there; correct it", h.Row, h.Table))
		case s.Tables[ref.table].Rows[ref.row].NotModelled != "":
			errs = append(errs, doc.errorf(at+".row", "row %q is not modelled; take the histories out", h.Row))
		}
		if len(h.Ages) == 0 || h.Doc == "" {
			errs = append(errs, doc.errorf(at, "histories need ages and a doc; complete them"))
		}
		for j, age := range h.Ages {
			if d, err := time.ParseDuration(age); err != nil || d < 0 {
				errs = append(errs, doc.errorf(fmt.Sprintf("%s.ages[%d]", at, j), "age %q; write a time such as 150ms", age))
			}
		}
	}
	return errs
}
