package experiment

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/study"
)

// A Comparison is a patch on some setups.
type Comparison struct {
	Patch string // its name
	Rows  []Row
}

// A Row is one setup of a comparison.
type Row struct {
	Name  string // what tells it from the other rows
	Setup Setup
	Unit  string // of the figure of a run
	// Lower says that less is better: the unit is one of time.
	Lower bool
	// Base and Patched are paired by seed; Control is the base again with other
	// seeds. Each arm asks the other kernel without acting on its answers:
	// Counters.ShadowDiffers.
	Base, Patched, Control []schedsim.Result
	// Effect is the change by the patch in percent with its 95 % interval over the
	// pairs, Again that from Base to Control, which nothing but the seed makes: both
	// columns averaged as they are.
	Effect, Again study.Interval
}

// controlSeeds is the first seed of the control.
const controlSeeds = 1000

// Compare runs each setup with and without a patch, [Bench.Runs] times.
func (b *Bench) Compare(ctx context.Context, patch schedsim.Patch, setups ...Setup) (*Comparison, error) {
	if len(setups) == 0 {
		return nil, errors.New("experiment: nothing to compare on, give a setup")
	}
	if b.Runs < 2 {
		return nil, fmt.Errorf("experiment: %d runs have no interval; set Runs to 2 or more", b.Runs)
	}
	id, err := identify(patch)
	if err != nil {
		return nil, err
	}
	c := &Comparison{Patch: patch.Name, Rows: make([]Row, len(setups))}
	var jobs []job
	names := differing(setups)
	for i, s := range setups {
		row := &c.Rows[i]
		row.Name, row.Setup = names[i], s
		for _, arm := range []struct {
			name string
			seed int
			to   *[]schedsim.Result
		}{{study.ArmBase, 1, &row.Base}, {study.ArmPatched, 1, &row.Patched}, {study.ArmControl, controlSeeds, &row.Control}} {
			*arm.to = make([]schedsim.Result, b.Runs)
			for run := range b.Runs {
				j, err := jobOf(s, uint64(arm.seed+run), nil)
				if err != nil {
					return nil, err
				}
				base, patched := j.cfg.Kernel, j.cfg.Kernel.With(patch)
				if err := patched.Err(); err != nil {
					return nil, fmt.Errorf("experiment: %w", err)
				}
				j.cfg.Shadow = &patched
				if arm.name == study.ArmPatched {
					j.cfg.Kernel, j.cfg.Shadow = patched, &base
				}
				j.key.Patches, j.key.Arm, j.to = []string{id}, arm.name, &(*arm.to)[run]
				jobs = append(jobs, j)
			}
		}
	}
	if err := b.runAll(ctx, jobs); err != nil {
		return nil, err
	}
	for i := range c.Rows {
		c.Rows[i].evaluate()
	}
	return c, nil
}

// evaluate takes the row's figures from its runs.
func (r *Row) evaluate() {
	r.Unit = r.Base[0].Unit
	switch r.Unit {
	case "s", "ms", "us", "ns":
		r.Lower = true
	}
	r.Effect = study.PairedGroups{Statistic: "Amean", Base: [][]float64{figures(r.Base)}, Patched: [][]float64{figures(r.Patched)}}.Overall()
	r.Again = study.PairedGroups{Statistic: "Amean", Base: [][]float64{figures(r.Base)}, Patched: [][]float64{figures(r.Control)}}.Overall()
}

func figures(runs []schedsim.Result) []float64 {
	out := make([]float64, len(runs))
	for i, r := range runs {
		out[i] = r.Throughput
	}
	return out
}

// Change says in a word what the patch does to the row: "better" or "worse" if the
// interval leaves no change out, and the change is beyond that by which the base may
// differ from itself, else "no change seen".
func (r *Row) Change() string {
	e, pct := r.Effect, r.Effect.Pct
	if !(e.CILow > 0 && pct > r.Again.CIHigh || e.CIHigh < 0 && pct < r.Again.CILow) {
		return "no change seen"
	}
	if (pct > 0) == r.Lower {
		return "worse"
	}
	return "better"
}

// Per1000 is the mean of a counter over runs, for 1000 wakeups.
func Per1000(runs []schedsim.Result, counter func(*schedsim.Counters) int64) float64 {
	sum, wakeups := int64(0), int64(0)
	for i := range runs {
		sum += counter(&runs[i].Counters)
		wakeups += runs[i].Counters.Wakeups
	}
	if wakeups == 0 {
		return float64(study.NotMeasured)
	}
	return 1000 * float64(sum) / float64(wakeups)
}

// String says what was compared.
func (c *Comparison) String() string {
	var rows []string
	for i := range c.Rows {
		r := &c.Rows[i]
		rows = append(rows, fmt.Sprintf("%s: %+.1f %% [%+.1f, %+.1f], %s", r.Name, r.Effect.Pct, r.Effect.CILow, r.Effect.CIHigh, r.Change()))
	}
	return c.Patch + ": " + strings.Join(rows, "; ")
}
