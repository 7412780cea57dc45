package view

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/schedlab/schedlab/schedsim/study"
)

// An Origin is how the figures of one row came about.
type Origin struct {
	// Key names the row in its table, Summary is its figures and verdict in a line.
	Key, Summary string
	Verdict      study.Verdict
	Facts        []Fact
	Runs         Table // one line a pair; empty if none was run
	// Rerun makes the same runs, Trace shows the decisions of one like them.
	Rerun, Trace string
}

// Origins says of each row of the section how its figures came about: what was
// published and with what noise, every pair of runs with its seed and records, and
// what it hangs on. It is made when asked for, since the names of records take some
// time.
func (s *Section) Origins() ([]Origin, error) {
	var out []Origin
	for _, r := range s.rows {
		runs, err := runsOf(r)
		if err != nil {
			return nil, err
		}
		runs.name("runs/"+r.name, "Runs behind row "+r.name)
		o := Origin{
			Key: r.key, Verdict: r.verdict, Runs: runs,
			Summary: "published " + percentText(r) + ", simulated " + Signed(r.cell.Simulated.Pct, 2) + pctSign(r.cell.Simulated.Pct),
			Facts:   originFacts(s, r),
		}
		if r.run {
			o.Rerun = s.command
			o.Trace = fmt.Sprintf("mkreport trace %s --seed %d", quoted(s.study.ID+"/"+r.name), seedOf(r))
		}
		out = append(out, o)
	}
	return out, nil
}

// percentText is the published effect with its unit, which a claim has not.
func percentText(r row) string {
	s := starred(r)
	if r.cell.Expect != "" || s == Missing {
		return s
	}
	if s, ok := strings.CutSuffix(s, "*"); ok {
		return s + " %*"
	}
	return s + " %"
}

func pctSign(n study.Number) string {
	if !n.Measured() {
		return ""
	}
	return " %"
}

func seedOf(r row) uint64 {
	if len(r.cell.Pairs) == 0 {
		return 1
	}
	return r.cell.Pairs[0].Base.Seed
}

// originFacts is everything about a row but its runs.
func originFacts(s *Section, r row) []Fact {
	c, dec := r.cell, r.decimals()
	unit := c.Unit
	if unit == "" && r.table != nil {
		unit = r.table.Unit
	}
	published := "no figures: the post says " + starred(r)
	if c.Published.Base.Measured() {
		published = fmt.Sprintf("%s and %s %s", Fixed(c.Published.Base, dec), Fixed(c.Published.Patched, dec), unit)
		if c.Published.Pct.Measured() {
			published += ", " + percentText(r)
		}
	} else if c.Published.Pct.Measured() {
		published = percentText(r)
	}
	if r.published != nil && r.published.Text != "" {
		published += `: "` + r.published.Text + `"`
	}
	facts := []Fact{
		{"Published", published + "; " + s.study.Post.Date + ", <" + s.study.Post.MessageID + ">"},
		{"Noise", noiseText(c.Noise)},
	}
	if r.run {
		simulated := fmt.Sprintf("%s and %s %s, %s %%, 95 %% interval %s, of %s on %s",
			Fixed(c.Simulated.Base, dec), Fixed(c.Simulated.Patched, dec), unit, Signed(c.Simulated.Pct, 2), interval(r),
			counted(c.Simulated.N, "pair"), counted(max(c.Simulated.Ensemble, 1), "constant set"))
		facts = append(facts, Fact{"Simulated", simulated})
		if c.Agreement.Measured() {
			facts = append(facts, Fact{"Sets that agree", share(r, c.Agreement)})
		}
	}
	verdict := string(r.verdict)
	if c.Reason != "" {
		verdict += "; " + stop(c.Reason)
	}
	for _, f := range c.Findings {
		verdict += " Known of why: " + stop(f.Reason)
	}
	facts = append(facts, Fact{"Verdict", verdict})
	if hangs := hangsOn(s, r); hangs != "" {
		facts = append(facts, Fact{"Hangs on", hangs})
	}
	if k := c.Base.Counters; k.ShadowDecisions > 0 {
		facts = append(facts, Fact{"The changed line", fmt.Sprintf("decided otherwise in %s of %s decisions of the base runs (%s)",
			SI(float64(k.ShadowDiffers)), SI(float64(k.ShadowDecisions)), percent(k.ShadowDiffers, k.ShadowDecisions))})
	}
	if len(c.Pairs) > 0 {
		k := c.Pairs[0].Base
		facts = append(facts, Fact{"Simulated time", fmt.Sprintf("a run: aged %v, warm-up %v, measured %v", k.Age, k.Warmup, k.Measure)})
		if len(k.Constants) > 0 {
			facts = append(facts, Fact{"Constants", constantsText(k.Constants, c.Pairs)})
		}
	}
	return facts
}

// constantsText has the values of the first set, and which of them others have too.
func constantsText(of map[string]float64, pairs []study.Pair) string {
	var same, drawn []string
	for _, name := range slices.Sorted(maps.Keys(of)) {
		low, high := of[name], of[name]
		for _, p := range pairs {
			low, high = min(low, p.Base.Constants[name]), max(high, p.Base.Constants[name])
		}
		if low == high {
			same = append(same, name+" "+Plain(low))
		} else {
			drawn = append(drawn, name+" "+Plain(low)+" to "+Plain(high))
		}
	}
	text := strings.Join(same, ", ")
	if len(drawn) > 0 {
		if text != "" {
			text += "; "
		}
		text += "by set " + strings.Join(drawn, ", ")
	}
	return text
}

// quoted is a word of a command line.
func quoted(s string) string {
	if strings.ContainsAny(s, " \t'\"$&|;<>()*?[]~#`\\") {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return s
}

func noiseText(n study.Noise) string {
	s := "±" + Fixed(study.Number(n.Pct), 2) + " %"
	if n.Assumed {
		s += ", assumed"
	}
	if n.Source != "" {
		s += " (" + n.Source + ")"
	}
	return s
}

// hangsOn names the constants that decide the row, and where the sets differ or the
// constants were swept, what that is known from.
func hangsOn(s *Section, r row) string {
	var parts []string
	if r.cell.DecidingConstant != "" {
		parts = append(parts, r.cell.DecidingConstant+", by the constant sets")
	}
	if s.sensitivity != nil {
		i := slices.IndexFunc(s.sensitivity.Cells, func(c study.SensitivityCell) bool { return c.Table == r.cell.Table && c.Row == r.cell.Row })
		if i >= 0 {
			c := &s.sensitivity.Cells[i]
			parts = append(parts, "each constant over its range: moved by "+moves(c)+"; the verdict by "+orNone(c.HangsOn()))
		}
	}
	return list(parts)
}

// runsOf is every pair of runs of a row.
func runsOf(r row) (Table, error) {
	out := Table{Cols: []Col{
		num("run"), num("set"), num("seed"), num("base"), num("patched"), num("change %"), text("record of base"), text("record of patched"),
	}}
	dec := max(r.decimals(), 2)
	n := min(len(r.cell.Pairs), len(r.cell.Base.Values), len(r.cell.Patched.Values))
	for i, p := range r.cell.Pairs[:n] {
		base, err := record(p.Base)
		if err != nil {
			return out, err
		}
		patched, err := record(p.Patched)
		if err != nil {
			return out, err
		}
		b, v := study.Number(r.cell.Base.Values[i]), study.Number(r.cell.Patched.Values[i])
		change := study.NotMeasured
		if b != 0 {
			change = 100 * (v/b - 1)
		}
		out.Rows = append(out.Rows, []string{
			strconv.Itoa(i + 1), strconv.Itoa(p.Set + 1), strconv.FormatUint(p.Base.Seed, 10),
			Fixed(b, dec), Fixed(v, dec), Signed(change, 2), base, patched,
		})
	}
	return out, nil
}

// recordDigits are enough of a hash to find a record in a store.
const recordDigits = 12

// record names a run's file in the store: DIR/ab/abcdef...json.
func record(k study.Key) (string, error) {
	hash, err := k.Hash()
	if err != nil {
		return "", fmt.Errorf("view: %w", err)
	}
	return hash[:2] + "/" + hash[:recordDigits], nil
}
