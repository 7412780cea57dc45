package view

import (
	"fmt"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/study"
)

// armsOf yields both arms of a row with their names.
func armsOf(c study.Cell) [2]struct {
	name string
	arm  study.Arm
} {
	return [2]struct {
		name string
		arm  study.Arm
	}{{"base", c.Base}, {"patched", c.Patched}}
}

// counters is what the scheduler did, a line an arm.
func counters(t *study.Table, rows []row) Table {
	out := Table{Cols: []Col{
		text(rowName(t)), text("arm"),
		num("switches\n/s"), num("involuntary\n/s"), num("moved by\nwakeup/s"), num("moved by\nbalance/s"),
		num("core search\nfailed/s"), num("scanned per\nwakeup"), num("idle while\noverloaded"),
	}}
	for _, r := range rows {
		if !r.run {
			out.Rows = append(out.Rows, absent(r.key, len(out.Cols)))
			continue
		}
		for i, a := range armsOf(r.cell) {
			k := a.arm.Counters
			sec := float64(a.arm.SimulatedNS) / 1e9
			out.Rows = append(out.Rows, []string{
				keyOnce(r.key, i), a.name,
				rate(k.VoluntarySwitches+k.InvoluntarySwitch, sec),
				rate(k.InvoluntarySwitch, sec),
				rate(k.WakeupsSameLLC+k.WakeupsRemote, sec),
				rate(k.LBMigrations, sec),
				rate(k.IdleCoreFailed, sec),
				Fixed(ratio(float64(k.CPUsScanned), float64(k.Wakeups)), 2),
				// CPU-ns over ns: how many CPUs on average.
				Fixed(ratio(float64(k.IdleOverloadedNS), float64(a.arm.SimulatedNS)), 2),
			})
		}
	}
	return out
}

// direct is how often the changed line acted. Arms that evaluated no other
// version are left out.
func direct(t *study.Table, rows []row) Table {
	out := Table{Cols: []Col{
		text(rowName(t)), text("arm that ran"),
		num("decisions\n/s"), num("differed\n/s"), num("\nshare"), num("other CPU\n/s"), num("\nshare"),
	}}
	for _, r := range rows {
		shown := 0
		for _, a := range armsOf(r.cell) {
			k := a.arm.Counters
			if !r.run || k.ShadowDecisions == 0 {
				continue
			}
			sec := float64(a.arm.SimulatedNS) / 1e9
			out.Rows = append(out.Rows, []string{
				keyOnce(r.key, shown), a.name,
				rate(k.ShadowDecisions, sec),
				rate(k.ShadowDiffers, sec), percent(k.ShadowDiffers, k.ShadowDecisions),
				rate(k.ShadowOther, sec), percent(k.ShadowOther, k.ShadowDecisions),
			})
			shown++
		}
		if shown == 0 {
			out.Rows = append(out.Rows, absent(r.key, len(out.Cols)))
		}
	}
	if allAbsent(out) {
		out.Rows = nil
	}
	return out
}

// directSentence sums the direct counts of the base arm, or of the patched arm
// where only that has them, and names the row where the line acted most.
func directSentence(rows []row) string {
	name, most, mostRate := "", "", 0.0
	var sum schedsim.Counters
	for i, arm := range []string{"base", "patched"} {
		if name != "" {
			break
		}
		for _, r := range rows {
			a := armsOf(r.cell)[i].arm
			if !r.run || a.Counters.ShadowDecisions == 0 {
				continue
			}
			name = arm
			sum.ShadowDecisions += a.Counters.ShadowDecisions
			sum.ShadowDiffers += a.Counters.ShadowDiffers
			sum.ShadowOther += a.Counters.ShadowOther
			if a.SimulatedNS > 0 {
				if f := float64(a.Counters.ShadowDiffers) / (float64(a.SimulatedNS) / 1e9); f > mostRate {
					most, mostRate = r.key, f
				}
			}
		}
	}
	if name == "" {
		return ""
	}
	s := fmt.Sprintf("Over all rows of the %s arm, %s of %s decisions differed (%s), and %s would have sent the task to another CPU (%s).",
		name, SI(float64(sum.ShadowDiffers)), SI(float64(sum.ShadowDecisions)), percent(sum.ShadowDiffers, sum.ShadowDecisions),
		SI(float64(sum.ShadowOther)), percent(sum.ShadowOther, sum.ShadowDecisions))
	if most != "" {
		s += fmt.Sprintf(" The line acted most in row %s: %s times a second.", most, SI(mostRate))
	}
	return s
}

// identicalSentence names rows in which the patch changed no figure at all.
func identicalSentence(rows []row) string {
	keys := keysOf(rows, row.identical)
	if len(keys) == 0 {
		return ""
	}
	return "In " + namedRows(keys) + " every patched run gave the very figure of its base run."
}

// rate is n per second of simulated time.
func rate(n int64, sec float64) string {
	if sec == 0 {
		return Missing
	}
	return SI(float64(n) / sec)
}

// percent is a/b in percent with three digits.
func percent(a, b int64) string {
	if b == 0 {
		return Missing
	}
	return SI(100*float64(a)/float64(b)) + " %"
}

// keyOnce leaves the key out of the second line about a row.
func keyOnce(key string, line int) string {
	if line > 0 {
		return ""
	}
	return key
}

// absent is a line for a row without figures.
func absent(key string, cols int) []string {
	line := make([]string, cols)
	line[0] = key
	for i := 1; i < cols; i++ {
		line[i] = Missing
	}
	return line
}

func allAbsent(t Table) bool {
	for _, r := range t.Rows {
		if r[1] != Missing {
			return false
		}
	}
	return true
}
