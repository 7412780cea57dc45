package schedsim

import (
	"slices"
	"strings"
)

// The tables of this file and of mechanisms_*.go say which mechanisms of the
// kernel the model has, under the kernel's names, in which form each version has
// them, where they are, and what is simplified. docs/model.md is made of them.

// Forms says in which form each version has a mechanism: a short word for each of
// v3.10, v4.18, v5.9, v5.10, v6.1 and v6.12. Two words are special: "-", the kernel
// of that version does not have it, and "left out", it has it and the model has not.
type Forms [6]string

// FormVersions names the versions that Forms are of, in that order.
func FormVersions() []string {
	var names []string
	for _, v := range versions {
		names = append(names, v.name)
	}
	return names
}

const (
	notThere    = "-"        // the kernel of that version does not have it
	notModelled = "left out" // that kernel has it, the model has not
)

// Mechanism is one that the model has in some version.
type Mechanism struct {
	Part string
	Name string // the kernel's function or concept
	Form Forms
	// Where it is, the entry first.
	Where []Place
	// Simplified says what is not as in the kernel, and why; empty if nothing is
	// known to be.
	Simplified string
}

// Place is a function of this package, a method or not.
type Place struct{ File, Func string }

// String returns "ttwu.go: tryToWakeUp".
func (p Place) String() string { return p.File + ": " + p.Func }

// Omission is something that a reader of kernel/sched would look for and that the
// model does not have.
type Omission struct{ Part, What, Why string }

// The parts, in the order of the page.
const (
	partClasses   = "classes"
	partCFS       = "fair (CFS)"
	partEEVDF     = "EEVDF"
	partGroups    = "groups"
	partLoad      = "load tracking"
	partWakeup    = "wakeup"
	partFork      = "fork and exec"
	partBalance   = "load balance"
	partNUMA      = "NUMA balancing"
	partFrequency = "frequency, idle, tick"
	partHardware  = "hardware"
)

// MechanismParts lists the parts that mechanisms are in.
func MechanismParts() []string {
	return []string{
		partClasses, partCFS, partEEVDF, partGroups, partLoad, partWakeup, partFork,
		partBalance, partNUMA, partFrequency, partHardware,
	}
}

// Mechanisms lists what the model has, part by part.
func Mechanisms() []Mechanism {
	all := slices.Concat(
		classMechanisms(), fairMechanisms(), eevdfMechanisms(), groupMechanisms(), trackingMechanisms(),
		wakeupMechanisms(), forkMechanisms(), balanceMechanisms(), numaMechanisms(),
		frequencyMechanisms(), hardwareMechanisms(),
	)
	parts := MechanismParts()
	slices.SortStableFunc(all, func(a, b Mechanism) int {
		return slices.Index(parts, a.Part) - slices.Index(parts, b.Part)
	})
	return all
}

// LeftOut lists what the model does not have, part by part.
func LeftOut() []Omission {
	return slices.Concat(
		classOmissions(), fairOmissions(), eevdfOmissions(), groupOmissions(), trackingOmissions(),
		wakeupOmissions(), forkOmissions(), balanceOmissions(), numaOmissions(),
		frequencyOmissions(), hardwareOmissions(),
	)
}

// same is the form of a mechanism that all versions have alike.
func same(form string) Forms { return Forms{form, form, form, form, form, form} }

// row is a mechanism as the tables write it. where names files, each followed by
// functions in it: "rt.go enqueueTaskRT dequeueTaskRT rt_push.go pullRT".
type row struct {
	name       string
	form       Forms
	where      string
	simplified string
}

func mechanismsOf(part string, rows []row) []Mechanism {
	list := make([]Mechanism, 0, len(rows))
	for _, r := range rows {
		m := Mechanism{Part: part, Name: r.name, Form: r.form, Simplified: r.simplified}
		file := ""
		for _, word := range strings.Fields(r.where) {
			if strings.HasSuffix(word, ".go") {
				file = word
				continue
			}
			m.Where = append(m.Where, Place{file, word})
		}
		list = append(list, m)
	}
	return list
}

// omissionsOf makes omissions of pairs of what and why.
func omissionsOf(part string, pairs [][2]string) []Omission {
	list := make([]Omission, 0, len(pairs))
	for _, p := range pairs {
		list = append(list, Omission{part, p[0], p[1]})
	}
	return list
}

// VersionInfo is a kernel version that the model has.
type VersionInfo struct {
	Name string
	// Modelled is how many of the mechanisms listed here the version has in the
	// model, and LeftOut names those that only its kernel has.
	Modelled int
	LeftOut  []string
	// Patches are the names of those that apply to it, in the order of Patches.
	Patches []string
}

// VersionInfos describes the versions, in the order of Versions.
func VersionInfos() []VersionInfo {
	var list []VersionInfo
	all := Mechanisms()
	for _, v := range slices.Concat(versions, candidates) {
		info := VersionInfo{Name: v.name, Patches: patchesFor(v.kernel(1))}
		i := slices.Index(FormVersions(), releaseOf(v.name))
		for _, m := range all {
			switch m.Form[i] {
			case notThere:
			case notModelled:
				info.LeftOut = append(info.LeftOut, m.Name)
			default:
				info.Modelled++
			}
		}
		list = append(list, info)
	}
	return list
}

func patchesFor(k Kernel) []string {
	var names []string
	for _, p := range Patches() {
		if k.With(p).Err() == nil {
			names = append(names, p.Name)
		}
	}
	return names
}

// Versions names the versions that the patch applies to, oldest first: those from
// From to To that have the decisions that it replaces.
func (p *Patch) Versions() []string {
	var names []string
	for _, v := range VersionInfos() {
		if slices.Contains(v.Patches, p.Name) {
			names = append(names, v.Name)
		}
	}
	return names
}
