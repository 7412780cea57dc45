package scenario

import (
	"math"
	"slices"
	"strings"
)

// Quantity is what is compared of an outcome.
type Quantity struct {
	// Name is what and, after a slash, of which tasks: "share/t_hog". Tasks that
	// do the same thing are taken together; see Task.Role.
	Name string
	// Values has one value a boot or run.
	Values []float64
}

// Tolerance is by how much the range of the boots is widened: by a part of its ends,
// and by an absolute value. Three boots do not show the whole spread, and the
// emulator's host disturbs them; switches and migrations of a few a second are noise
// of the kernel threads.
type Tolerance struct{ Part, Abs float64 }

// tolerances are those of all scenarios.
var tolerances = map[string]Tolerance{
	"share":              {0, 0.02}, // of a CPU: 2 points
	"spread":             {0, 0.02}, // standard deviation of the share over equal tasks
	"involuntary":        {0.15, 1}, // switches a second and task
	"voluntary":          {0.15, 1},
	"involuntary-a-turn": {0.15, 0.02},
	"voluntary-a-turn":   {0.15, 0.02},
	"migrations":         {0.50, 1}, // a second, all tasks
	"load":               {0.03, 1},
	"runnable":           {0.03, 1},
	"util":               {0.03, 1},
	"previous":           {0, 0.05}, // parts of all wakeups
	"sibling":            {0, 0.05},
	"socket":             {0, 0.05},
	"other":              {0, 0.05},
	"pulls":              {0, 0.05}, // part of the attempts of wake_affine
}

// fewWakeups is how many wakeups a boot must have shown for their places to be
// compared.
const fewWakeups = 100

// fewTurns is how often a task must have done its operations for its switches to be
// counted a turn.
const fewTurns = 20

// settled are the scenarios whose load averages do not hang on the instant at which
// they end, and which of them.
var settled = map[string][]string{
	"pelt-ramp":     {"load", "runnable", "util"},
	"pelt-periodic": {"util"},
	"nice-shares":   {"load"},
	"nice-apart":    {"load"},
	"slice-two":     {"load"},
	"slice-eight":   {"load"},
}

// quantities returns what is compared of outcomes of a scenario, in a fixed order;
// see says what of it the boots show.
//
// Switches are counted a second. Of tasks that do something in turns, on machines
// with more CPUs than the host, they are counted a turn: how many turns there are a
// second is the host's.
func quantities(sc *Scenario, outcomes []Outcome, see shown) []Quantity {
	var list []Quantity
	add := func(name string, value func(o *Outcome) float64) {
		q := Quantity{Name: name}
		for i := range outcomes {
			q.Values = append(q.Values, value(&outcomes[i]))
		}
		list = append(list, q)
	}
	free := false
	var roles []string
	of := sc.roles()
	size := map[string]int{}
	for i := range sc.Tasks {
		t := &sc.Tasks[i]
		free = free || len(t.CPUs) != 1
		r := of[t.Name]
		if size[r]++; size[r] == 1 {
			roles = append(roles, r)
		}
	}
	over := func(o *Outcome, r string, value func(t *TaskOutcome) float64) (mean, sd float64) {
		return over(o, func(name string) bool { return of[name] == r }, value)
	}
	turns := func(r string) bool {
		return see.turns && !slices.ContainsFunc(outcomes, func(o Outcome) bool {
			n, _ := over(&o, r, func(t *TaskOutcome) float64 { return float64(t.Iterations) })
			return n < fewTurns
		})
	}
	share := func(t *TaskOutcome) float64 { return t.CPU.Seconds() / t.Wall.Seconds() }
	for _, r := range roles {
		mean := func(value func(t *TaskOutcome) float64) func(o *Outcome) float64 {
			return func(o *Outcome) float64 { m, _ := over(o, r, value); return m }
		}
		add("share/"+r, mean(share))
		if size[r] > 2 || strings.Contains(r, "+") {
			add("spread/"+r, func(o *Outcome) float64 { _, sd := over(o, r, share); return sd })
		}
		if turns(r) {
			add("involuntary-a-turn/"+r, mean(func(t *TaskOutcome) float64 { return float64(t.Involuntary) / float64(t.Iterations) }))
			add("voluntary-a-turn/"+r, mean(func(t *TaskOutcome) float64 { return float64(t.Voluntary) / float64(t.Iterations) }))
		} else {
			add("involuntary/"+r, mean(func(t *TaskOutcome) float64 { return float64(t.Involuntary) / t.Wall.Seconds() }))
			add("voluntary/"+r, mean(func(t *TaskOutcome) float64 { return float64(t.Voluntary) / t.Wall.Seconds() }))
		}
		for _, a := range settled[sc.Name] {
			add(a+"/"+r, mean(func(t *TaskOutcome) float64 {
				return float64(map[string]int64{"load": t.Load, "runnable": t.Runnable, "util": t.Util}[a])
			}))
		}
	}
	if !free {
		return list
	}
	add("migrations", func(o *Outcome) float64 { return float64(o.Migrations) / o.Wall.Seconds() })
	if see.pulls {
		add("pulls", func(o *Outcome) float64 { return float64(o.Pulls) / float64(max(o.Attempts, 1)) })
	}
	if !see.places {
		return list
	}
	part := func(of func(p *Placement) int64) func(o *Outcome) float64 {
		return func(o *Outcome) float64 { return float64(of(&o.Placement)) / float64(max(o.Placement.Wakeups, 1)) }
	}
	add("previous", part(func(p *Placement) int64 { return p.Previous }))
	add("sibling", part(func(p *Placement) int64 { return p.Sibling }))
	add("socket", part(func(p *Placement) int64 { return p.Socket }))
	add("other", part(func(p *Placement) int64 { return p.Other }))
	return list
}

// shown says of which quantities the boots of a scenario show enough.
type shown struct{ places, pulls, turns bool }

func whatBootsShow(boots []Outcome, cpus int) shown {
	few := func(of func(o *Outcome) int64) bool {
		return slices.ContainsFunc(boots, func(o Outcome) bool { return of(&o) < fewWakeups })
	}
	return shown{
		places: !few(func(o *Outcome) int64 { return o.Placement.Wakeups }),
		pulls:  !few(func(o *Outcome) int64 { return o.Attempts }),
		turns:  cpus > hostCPUs,
	}
}

// over returns mean and standard deviation of a value over the tasks that are in.
func over(o *Outcome, in func(name string) bool, value func(t *TaskOutcome) float64) (mean, sd float64) {
	var n, sum, sq float64
	for i := range o.Tasks {
		if t := &o.Tasks[i]; in(t.Name) {
			v := value(t)
			n, sum, sq = n+1, sum+v, sq+v*v
		}
	}
	mean = sum / n
	return mean, math.Sqrt(max(sq/n-mean*mean, 0))
}

// within reports whether v lies in the widened range of values.
func (tol Tolerance) within(v float64, values []float64) bool {
	lo, hi := minMax(values)
	return v >= lo/(1+tol.Part)-tol.Abs && v <= hi*(1+tol.Part)+tol.Abs
}

// kind is the part of a quantity's name that says what it is.
func (q *Quantity) kind() string {
	k, _, _ := strings.Cut(q.Name, "/")
	return k
}

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

func minMax(v []float64) (lo, hi float64) { return slices.Min(v), slices.Max(v) }
