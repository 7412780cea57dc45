package view

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/study"
)

// ranFacts says what was run.
func ranFacts(o *study.Outcome, rows []row, p Parts) []Fact {
	s := o.Study
	facts := []Fact{{"Post", fmt.Sprintf("%q, %s, %s", s.Post.Subject, s.Post.Author, s.Post.Date)}}
	if len(s.Tables) == 1 {
		facts = append(facts, tableFacts(o, &s.Tables[0], p)...)
	} else {
		facts = append(facts,
			Fact{"Machines", strings.Join(s.Machines(), ", ") + " (models)" + elsewhere(s)},
			Fact{"Kernels", strings.Join(s.Kernels(), ", ") + " (models of their schedulers)"},
			Fact{"Patches", strings.Join(s.PatchTexts(), "; ")},
			Fact{"Workloads", strings.Join(s.Workloads(), ", ")})
	}
	facts = append(facts,
		Fact{"Runs", runsText(o)},
		Fact{"Stored", storedText(o)},
		Fact{"Simulated", simulatedText(o.Plan, rows)},
	)
	return slices.DeleteFunc(facts, func(f Fact) bool { return f.Text == "" })
}

// tableFacts says what was run of one table.
func tableFacts(o *study.Outcome, t *study.Table, p Parts) []Fact {
	machine := t.Machine
	if m := p.Machines[t.Machine]; m != "" {
		machine += ": " + m
	}
	facts := []Fact{
		{"Machine", machine + " (a model)" + elsewhere(o.Study)},
		{"Kernel", t.KernelText() + " (a model of its scheduler)"},
		{"Patch", t.PatchText()},
		{"Workload", t.Workload + setText(t.Params) + "; " + metric(t) + better(t)},
		{"System", strings.TrimPrefix(setText(t.System), " ")},
	}
	return slices.DeleteFunc(facts, func(f Fact) bool { return f.Text == "" })
}

// setText lists what is set, by name: " (class C, hz 250)".
func setText(set map[string]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(set)) {
		parts = append(parts, name+" "+set[name])
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// elsewhere warns of a machine that is not the post's.
func elsewhere(s *study.Study) string {
	if !s.Elsewhere() {
		return ""
	}
	return fmt.Sprintf("; NOT the machine of the post, %s: a verdict says whether the published effect shows here too, "+
		"with the constants that were fitted there, and the published columns are that machine's", s.PostMachine)
}

func better(t *study.Table) string {
	if t.Better == "" {
		return ""
	}
	return ", " + t.Better + " is better"
}

// setsUsed is how many sets of the ensemble a run took; 0 stands for the
// study's own constants.
func setsUsed(o *study.Outcome) int { return min(o.Plan.Sets, len(o.Study.Ensemble.Sets)) }

// runsText is how many runs stand behind a row.
func runsText(o *study.Outcome) string {
	n, sets := o.Plan.N, setsUsed(o)
	t := counted(n*max(sets, 1), "pair") + " a row, each base and patched under one seed"
	if sets > 0 {
		t += fmt.Sprintf(" (%s on each of %s)", counted(n, "pair"), counted(sets, "constant set"))
	}
	if o.Plan.Mode != "" {
		t = o.Plan.Mode + ": " + t
	}
	return t
}

// storedText is how much of the plan had been run, which is nothing to say of a
// complete one.
func storedText(o *study.Outcome) string {
	if o.HaveRuns >= o.WantRuns {
		return ""
	}
	return fmt.Sprintf("%d of the %d runs of this plan, controls included; the figures rest on these", o.HaveRuns, o.WantRuns)
}

// simulatedText is how much time was simulated.
func simulatedText(p study.Plan, rows []row) string {
	var ns int64
	for _, r := range rows {
		if r.run {
			ns += r.cell.Base.SimulatedNS + r.cell.Patched.SimulatedNS
		}
	}
	var parts []string
	if t := spans(p.Age, rows); t != "" {
		parts = append(parts, fmt.Sprintf("aged %s, with balance intervals a %dth", t, schedsim.AgingFactor))
	}
	if t := spans(p.Warmup, rows); t != "" {
		parts = append(parts, "warm-up "+t)
	}
	if t := spans(p.Measure, rows); t != "" {
		parts = append(parts, "measured "+t)
	}
	parts = append(parts, "all measured time together "+time.Duration(ns).Round(time.Millisecond).String())
	return strings.Join(parts, "; ")
}

// spans prints a simulated time by row key, the default first.
func spans(by map[string]time.Duration, rows []row) string {
	var parts []string
	if d, ok := by[""]; ok {
		parts = append(parts, d.String()+" a run")
	}
	seen := map[string]bool{"": true}
	for _, r := range rows {
		for _, name := range []string{r.cell.Table + "/" + r.key, r.key, r.cell.Table} {
			d, ok := by[name]
			if !ok || seen[name] {
				continue
			}
			seen[name] = true
			what := "row"
			if name == r.cell.Table {
				what = "table"
			}
			parts = append(parts, fmt.Sprintf("%s in %s %s", d, what, name))
		}
	}
	return strings.Join(parts, ", ")
}

// command reruns the study as it was run, as far as flags can say it.
func command(o *study.Outcome) string {
	mode := ""
	if o.Plan.Mode != "" {
		mode = " --" + o.Plan.Mode
	}
	if o.Study.Elsewhere() {
		mode += " --machine " + o.Study.Machine
	}
	return fmt.Sprintf("mkreport run %s%s --seed %d -n %d", o.Study.ID, mode, o.Plan.Seed, o.Plan.N)
}

// provenance pins what was simulated.
func provenance(o *study.Outcome) []Fact {
	var machines []string
	for _, id := range o.Study.Machines() {
		if o.Machines[id] == "" {
			machines = append(machines, id)
		} else {
			machines = append(machines, id+", hash "+o.Machines[id])
		}
	}
	facts := []Fact{
		{"Study", o.Study.ID},
		{"Model", o.ModelVersion},
		{"Machine", strings.Join(machines, "; ")},
		{"Constant sets", hash(o.Study.Ensemble.SHA256)},
		{"Seed", fmt.Sprintf("%d; every run's seed follows from it", o.Plan.Seed)},
	}
	return slices.DeleteFunc(facts, func(f Fact) bool { return f.Text == "" })
}

func hash(sum string) string {
	if sum == "" {
		return ""
	}
	return "sha256:" + sum
}
