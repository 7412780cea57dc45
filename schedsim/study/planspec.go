package study

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The modes of a plan.
const (
	ModeQuick = "quick" // minutes on a few CPUs, for a look; its verdicts are provisional
	ModeFull  = "full"  // what a study's verdicts should be quoted from
)

// Modes are the modes in ascending order of work.
func Modes() []string { return []string{ModeQuick, ModeFull} }

// Plans say how much a study runs in each mode.
type Plans struct {
	Quick PlanSpec `yaml:"quick"`
	Full  PlanSpec `yaml:"full"`
}

// PlanSpec is a plan as a study's file has it. Times are of the form "100ms",
// by row ("table/key" or its key), by table, and "default" for the others.
type PlanSpec struct {
	N int `yaml:"n"` // runs a row, arm and constant set
	// MaxN and Budget ("2m", real time) allow for more runs of rows whose interval
	// is too wide.
	MaxN   int    `yaml:"max_n"`
	Budget string `yaml:"budget"`
	// Sets is how many sets of the ensemble are used, from the first, or
	// "all" of them.
	Sets string `yaml:"sets"`
	// ControlSets is how many of them have a control; without, all.
	ControlSets int `yaml:"control_sets"`
	// AblationSets is how many of them the ablations run with; without, 2 or
	// fewer. 0 leaves the ablations out.
	AblationSets *int `yaml:"ablation_sets"`
	// Histories is how many pairs of runs there are of each past of the study's
	// histories; without, none.
	Histories int `yaml:"histories"`
	// Skip are rows (by key, or table/key) and tables that this plan leaves out.
	Skip []string `yaml:"skip"`
	// Age is simulated first, with balance intervals shortened; see
	// schedsim.Config.
	Age     map[string]string `yaml:"age"`
	Warmup  map[string]string `yaml:"warmup"`
	Measure map[string]string `yaml:"measure"`
}

const (
	allSets    = "all"
	defaultRow = "default"
	// defaultAblationSets are enough to see whether an effect goes.
	defaultAblationSets = 2
	// defaultSeed is that of every plan, so that two runs of a study that
	// ask for nothing else share their stored runs.
	defaultSeed = 1
)

// given reports whether the study's file has the plan.
func (p PlanSpec) given() bool {
	return p.N != 0 || p.Sets != "" || p.Skip != nil || p.AblationSets != nil || p.Age != nil || p.Warmup != nil || p.Measure != nil
}

// Plan returns the study's plan of a mode, "quick" or "full", with seed 1. It is
// an error if the study has no such plan.
func (s *Study) Plan(mode string) (Plan, error) {
	var spec PlanSpec
	switch mode {
	case ModeQuick:
		spec = s.Plans.Quick
	case ModeFull:
		spec = s.Plans.Full
	default:
		return Plan{}, fmt.Errorf("study: no plan mode %q; %s", mode, suggest(mode, Modes()))
	}
	if !spec.given() {
		return Plan{}, fmt.Errorf("study: %s has no %s plan; add plans.%s to its file", s.ID, mode, mode)
	}
	p := Plan{Mode: mode, Seed: defaultSeed, N: spec.N, MaxN: spec.MaxN, Skip: spec.Skip}
	var err error
	if spec.Budget != "" {
		if p.Budget, err = time.ParseDuration(spec.Budget); err != nil {
			return Plan{}, fmt.Errorf("study: %s: plans.%s.budget: %w", s.ID, mode, err)
		}
	}
	if p.Sets, err = spec.sets(len(s.Ensemble.Sets)); err != nil {
		return Plan{}, fmt.Errorf("study: %s: plans.%s.sets: %w", s.ID, mode, err)
	}
	p.ControlSets = spec.ControlSets
	p.AblationSets = min(defaultAblationSets, max(p.Sets, 1))
	if spec.AblationSets != nil {
		p.AblationSets = min(*spec.AblationSets, max(p.Sets, 1))
	}
	p.Histories = spec.Histories
	if p.Age, err = times(spec.Age); err != nil {
		return Plan{}, fmt.Errorf("study: %s: plans.%s.age: %w", s.ID, mode, err)
	}
	if p.Warmup, err = times(spec.Warmup); err != nil {
		return Plan{}, fmt.Errorf("study: %s: plans.%s.warmup: %w", s.ID, mode, err)
	}
	if p.Measure, err = times(spec.Measure); err != nil {
		return Plan{}, fmt.Errorf("study: %s: plans.%s.measure: %w", s.ID, mode, err)
	}
	return p, nil
}

// sets is the number of sets to use of an ensemble of that size.
func (p PlanSpec) sets(size int) (int, error) {
	if p.Sets == allSets {
		return size, nil
	}
	n, err := strconv.Atoi(p.Sets)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%q is not a number of constant sets; write one of at least 1, or all", p.Sets)
	}
	return n, nil
}

// times parses simulated times; the result has "" in the place of "default".
func times(by map[string]string) (map[string]time.Duration, error) {
	out := make(map[string]time.Duration, len(by))
	for row, text := range by {
		d, err := time.ParseDuration(text)
		if err != nil || d < 0 {
			return nil, fmt.Errorf("%q of row %s is not a time; write it as 100ms or 2s", text, row)
		}
		if row == defaultRow {
			row = ""
		}
		out[row] = d
	}
	return out, nil
}

func validatePlans(s *Study, doc *document) []error {
	errs := validatePlan(s, s.Plans.Quick, "$.plans."+ModeQuick, doc)
	return append(errs, validatePlan(s, s.Plans.Full, "$.plans."+ModeFull, doc)...)
}

func validatePlan(s *Study, p PlanSpec, at string, doc *document) []error {
	if !p.given() {
		return nil
	}
	var errs []error
	if p.N < 1 {
		errs = append(errs, doc.errorf(at+".n", "plan has n: %d; run each row at least once, and twice for an interval", p.N))
	}
	if p.MaxN != 0 && p.MaxN < p.N {
		errs = append(errs, doc.errorf(at+".max_n", "max_n is %d with n: %d; give at least n, or leave it out", p.MaxN, p.N))
	}
	if d, err := time.ParseDuration(p.Budget); p.Budget != "" && (err != nil || d < 0) {
		errs = append(errs, doc.errorf(at+".budget", "budget is %q; write a time such as 90s", p.Budget))
	}
	if _, err := p.sets(0); err != nil {
		errs = append(errs, doc.errorf(at+".sets", "sets: %w", err))
	}
	if p.ControlSets < 0 {
		errs = append(errs, doc.errorf(at+".control_sets", "control_sets is %d; give at least 1, or leave it out", p.ControlSets))
	}
	if p.AblationSets != nil && *p.AblationSets < 0 {
		errs = append(errs, doc.errorf(at+".ablation_sets", "ablation_sets is %d; give at least 0", *p.AblationSets))
	}
	if p.Histories < 0 {
		errs = append(errs, doc.errorf(at+".histories", "histories is %d; give at least 1, or leave it out", p.Histories))
	}
	for i, name := range p.Skip {
		if !s.names(name) {
			errs = append(errs, doc.errorf(fmt.Sprintf("%s.skip[%d]", at, i), "no row or table %q to skip; correct it", name))
		}
	}
	// Without warm-up a run starts cold, which is a choice; without a measured
	// time there is no result.
	if p.Age != nil {
		errs = append(errs, validateTimes(s, p.Age, 0, at+".age", doc)...)
	}
	errs = append(errs, validateTimes(s, p.Warmup, 0, at+".warmup", doc)...)
	errs = append(errs, validateTimes(s, p.Measure, 1, at+".measure", doc)...)
	return errs
}

// names reports whether a plan can name rows so: by key, table, or both.
func (s *Study) names(name string) bool {
	for i := range s.Tables {
		t := &s.Tables[i]
		key, ok := strings.CutPrefix(name, t.ID+"/")
		if name == t.ID || t.Row(name) != nil || ok && t.Row(key) != nil {
			return true
		}
	}
	return false
}

// validateTimes checks simulated times, none of which may be below least.
func validateTimes(s *Study, by map[string]string, least time.Duration, at string, doc *document) []error {
	parsed, err := times(by)
	if err != nil {
		return []error{doc.errorf(at, "%w", err)}
	}
	var errs []error
	if _, ok := by[defaultRow]; !ok {
		errs = append(errs, doc.errorf(at, "%s has no default; give a time for the rows that have none of their own", at[2:]))
	}
	for _, row := range slices.Sorted(maps.Keys(parsed)) {
		if row != "" && !s.names(row) {
			errs = append(errs, doc.errorf(at, "time for row %q which the table does not have; correct it", row))
		}
		if parsed[row] < least {
			errs = append(errs, doc.errorf(at, "%s has a time of 0; give one in which something can happen", at[2:]))
		}
	}
	return errs
}
