package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/schedlab/schedlab/schedsim/study"
)

func loaded(t *testing.T) *study.Study {
	t.Helper()
	s, err := study.Load(tested)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// outcomeOf is an outcome with these runs in the first row and none elsewhere.
func outcomeOf(s *study.Study, base, patched []float64) *study.Outcome {
	o := &study.Outcome{Study: s, HaveRuns: 1, WantRuns: 1}
	for i, r := range s.Tables[0].Rows {
		c := study.Cell{Table: s.Tables[0].ID, Row: r.Key, Simulated: study.Interval{Effect: study.Effect{Pct: study.NotMeasured}}}
		if i == 0 {
			c.Simulated.Pct = 1
			c.Base.Values, c.Patched.Values = base, patched
		}
		o.Cells = append(o.Cells, c)
	}
	return o
}

// TestDialect: the flag's style, the author's where the figures do not fit it, and no
// other styles than there are.
func TestDialect(t *testing.T) {
	var stderr bytes.Buffer
	a := &app{stderr: &stderr}
	o := outcomeOf(loaded(t), []float64{500, 500}, []float64{510, 510})
	o.Cells[0].Simulated.Base, o.Cells[0].Simulated.Patched = 500, 510
	for i := range o.Cells[1:] {
		o.Cells[i+1].Simulated.Base, o.Cells[i+1].Simulated.Patched = study.NotMeasured, study.NotMeasured
	}
	for _, tc := range []struct{ dialect, want, note string }{
		{"", "Hmean     1        500.00 (   0.00%)      510.00 *   2.00%*", ""},
		{"0-day", "    500.00            +2.0%     510.00        1\n", ""},
		{"hyperfine", "Hmean     1 ", `table tbench cannot be written in the style "hyperfine": it has times, and row 1 is in MB/sec`},
	} {
		t.Run(tc.dialect, func(t *testing.T) {
			stderr.Reset()
			text, err := a.simulatedTable(o, &o.Study.Tables[0], tc.dialect)
			if err != nil || !strings.Contains(text, tc.want) || !strings.Contains(text, "[*] simulated on a model of csl-2s-80") {
				t.Errorf("%v\n%s", err, text)
			}
			if got := stderr.String(); (got != "") != (tc.note != "") || !strings.Contains(got, tc.note) {
				t.Errorf("said %q", got)
			}
		})
	}
	if err := checkDialect("gorman"); err == nil || !strings.Contains(err.Error(), `no dialect "gorman"; use one of mmtests, 0-day`) {
		t.Error(err)
	}
}
