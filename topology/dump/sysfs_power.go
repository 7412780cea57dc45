package dump

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// kHz reads a frequency in kHz and returns MHz.
func (s *sysfs) kHz(file string) *float64 {
	n := s.number(file)
	if n == nil || *n == 0 || *n > 1e8 {
		return nil
	}
	return new(float64(*n) / 1000)
}

// frequencies reads cpufreq and the capacity of every CPU.
func (s *sysfs) frequencies() {
	var p partition
	for i := range s.f.CPUs {
		c := &s.f.CPUs[i]
		if c.State == Offline {
			continue
		}
		dir := s.cpu(c.ID, "cpufreq")
		c.MinMHz = s.kHz(dir + "/cpuinfo_min_freq")
		c.MaxMHz = s.kHz(dir + "/cpuinfo_max_freq")
		c.BaseMHz = s.kHz(dir + "/base_frequency")
		if nominal := s.number(s.cpu(c.ID, "acpi_cppc", "nominal_freq")); c.BaseMHz == nil && nominal != nil && *nominal > 0 {
			c.BaseMHz = new(float64(*nominal)) // in MHz already
		}
		c.CurrentMHz = s.kHz(dir + "/scaling_cur_freq")
		if capacity := s.number(s.cpu(c.ID, "cpu_capacity")); capacity != nil && *capacity > 0 {
			c.Capacity = capacity
		}
		driver, _ := s.text(dir + "/scaling_driver")
		governor, _ := s.text(dir + "/scaling_governor")
		if driver != "" || governor != "" {
			p.add(driver+"\n"+governor, nil, c.ID, "")
		}
		if driver == "intel_pstate" || driver == "intel_cpufreq" {
			// The driver has this file only if the hardware picks the
			// frequency.
			_, ok := s.text(dir + "/energy_performance_preference")
			s.f.HWP = &ok
		}
	}
	for _, g := range p.sorted() {
		dir := s.cpu(g.CPUs[0], "cpufreq")
		driver, _ := s.text(dir + "/scaling_driver")
		governor, _ := s.text(dir + "/scaling_governor")
		s.f.Scaling = append(s.f.Scaling, Scaling{g.CPUs, driver, governor})
	}
}

// idle reads the idle states of every CPU and joins the CPUs that have the
// same.
func (s *sysfs) idle() {
	var tables []IdleTable
	for _, cpu := range s.cpus {
		var states []IdleState
		for _, i := range s.dirs(s.cpu(cpu, "cpuidle"), stateDir) {
			dir := s.cpu(cpu, "cpuidle", fmt.Sprintf("state%d", i))
			name, ok := s.text(dir + "/name")
			if !ok {
				continue
			}
			states = append(states, IdleState{name, s.micros(dir + "/latency"), s.micros(dir + "/residency")})
		}
		if states == nil {
			continue
		}
		home := slices.IndexFunc(tables, func(t IdleTable) bool {
			return slices.EqualFunc(t.States, states, func(a, b IdleState) bool {
				return a.Name == b.Name && equal(a.ExitLatency, b.ExitLatency) && equal(a.TargetResidency, b.TargetResidency)
			})
		})
		if home < 0 {
			home = len(tables)
			tables = append(tables, IdleTable{States: states})
		}
		tables[home].CPUs = append(tables[home].CPUs, cpu)
	}
	s.f.Idle = tables
	s.f.IdleDriver, _ = s.text(s.path("cpu", "cpuidle", "current_driver"))
	if s.f.IdleDriver == "none" {
		s.f.IdleDriver = ""
	}
	for _, file := range []string{"current_governor", "current_governor_ro"} {
		if text, _ := s.text(s.path("cpu", "cpuidle", file)); text != "" && s.f.IdleGovernor == "" {
			s.f.IdleGovernor = text
		}
	}
}

func (s *sysfs) micros(file string) *int64 {
	text, ok := s.text(file)
	if !ok {
		return nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return nil
	}
	return &n
}

// equal compares two values that may be missing.
func equal[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// power reads whether boost and SMT are on.
func (s *sysfs) power() {
	if n := s.number(s.path("cpu", "cpufreq", "boost")); n != nil {
		s.f.Boost = new(*n != 0)
	}
	if n := s.number(s.path("cpu", "intel_pstate", "no_turbo")); n != nil {
		s.f.Boost = new(*n == 0)
	}
	if n := s.number(s.path("cpu", "smt", "active")); n != nil {
		s.f.SMT = new(*n != 0)
	}
}

// describe takes over from /proc/cpuinfo what sysfs does not have. Its notes are
// about places, which sysfs knows better.
func (s *sysfs) describe(info *Facts) {
	f := s.f
	f.Arch, f.Vendor, f.Model = info.Arch, info.Vendor, info.Model
	f.Family, f.ModelNumber, f.Stepping = info.Family, info.ModelNumber, info.Stepping
	if f.HWP == nil {
		f.HWP = info.HWP
	}
	if got := info.CPUIDs(); !slices.Equal(got, s.cpus) && len(got) > 0 {
		f.note(info.at(), "it lists the CPUs %s, but %s are online in sysfs: only the names are used", got, s.cpus)
	}
	for _, c := range info.Caches {
		if !slices.ContainsFunc(f.Caches, func(d Cache) bool { return d.Level == c.Level && d.Type == c.Type }) {
			f.Caches = append(f.Caches, c)
		}
	}
	sortCaches(f.Caches)
}

// coreTypes finds out which kinds of cores there are: Intel's from the PMUs
// cpu_core, cpu_atom and cpu_lowpower, Arm's from /proc/cpuinfo, others from
// capacities. Frequencies alone make no types: favoured cores differ in them.
func (s *sysfs) coreTypes(info *Facts) {
	types := s.pmuTypes()
	if types == nil && info != nil {
		for _, t := range info.CoreTypes {
			t.CPUs = t.CPUs.Intersect(s.cpus)
			if len(t.CPUs) > 0 {
				types = append(types, t)
			}
		}
	}
	if types == nil {
		var p partition
		for _, c := range s.f.CPUs {
			if c.Capacity != nil {
				p.add(strconv.Itoa(*c.Capacity), nil, c.ID, s.at(s.cpu(c.ID, "cpu_capacity")))
			}
		}
		for _, g := range p.sorted() {
			types = append(types, CoreType{CPUs: g.CPUs, At: g.At})
		}
	}
	if len(types) < 2 {
		return
	}
	for i := range types {
		t := &types[i]
		t.MinMHz = common(s.f, t.CPUs, func(c *CPU) *float64 { return c.MinMHz })
		t.MaxMHz = common(s.f, t.CPUs, func(c *CPU) *float64 { return c.MaxMHz })
		t.BaseMHz = common(s.f, t.CPUs, func(c *CPU) *float64 { return c.BaseMHz })
		t.Capacity = common(s.f, t.CPUs, func(c *CPU) *int { return c.Capacity })
	}
	s.f.CoreTypes = types
}

func (s *sysfs) pmuTypes() []CoreType {
	var types []CoreType
	for _, name := range s.t.list(s.base) {
		if !strings.HasPrefix(name, "cpu_") {
			continue
		}
		file := path.Join(s.base, name, "cpus")
		set, ok := s.list(file)
		if set = set.Intersect(s.cpus); ok && len(set) > 0 {
			types = append(types, CoreType{Name: name, CPUs: set, At: s.at(file)})
		}
	}
	return types
}

// common returns the value that all CPUs share, nil if they differ.
func common[T comparable](f *Facts, cpus CPUSet, value func(*CPU) *T) *T {
	var out *T
	for i, id := range cpus {
		v := value(f.cpu(id))
		if v == nil || i > 0 && *v != *out {
			return nil
		}
		out = v
	}
	return out
}
