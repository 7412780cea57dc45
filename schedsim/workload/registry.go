package workload

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/schedlab/schedlab/schedsim"
)

// Spec is a workload that can be had by its name, with parameters that have
// names: the form in which study files and the command know it.
type Spec struct {
	Name string // "tbench"
	Doc  string // one line: what the program does
	// Params are all of its parameters; a study sets some, the others keep
	// their defaults.
	Params []Param
	// New returns the workload. The values are complete and within their bounds.
	New func(v Values) (schedsim.Workload, error)
}

// Param is one parameter of a workload: a number, or one of a few words.
type Param struct {
	Name string // "work_ns", with its unit in it if it has one
	Unit string
	Doc  string
	// Default is the value of a number that is not given. NaN is a number that
	// must be given.
	Default float64
	// Low and High bound a number. Both zero: any number.
	Low, High float64
	// Text marks a word instead of a number, one of Words, or any if there are
	// none; TextDefault is what it is if it is not given.
	Text        bool
	TextDefault string
	Words       []string
	// Kind is how good the default is: "measured", "vendor", "derived" or
	// "assumed"; "" for what is not a constant of the program but what it was
	// asked to do (clients, class). Source says where it is from.
	Kind, Source string
}

// Value is that of one parameter.
type Value struct {
	Number float64
	Text   string
}

// Values has the value of every parameter of a workload, by name.
type Values map[string]Value

// Number returns the value of a number.
func (v Values) Number(name string) float64 { return v[name].Number }

// Int returns a number without its fraction.
func (v Values) Int(name string) int { return int(v[name].Number) }

// Text returns the value of a word.
func (v Values) Text(name string) string { return v[name].Text }

// specs are the workloads that there are; each file of a workload adds its own.
var specs []Spec

// register adds a workload. It is called at the start of the program only.
func register(s Spec) { specs = append(specs, s) }

// Specs returns all workloads, by name.
func Specs() []Spec {
	out := slices.Clone(specs)
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// Names returns the names of all workloads, sorted.
func Names() []string {
	var names []string
	for _, s := range Specs() {
		names = append(names, s.Name)
	}
	return names
}

// Lookup returns the workload of a name. An unknown name is an error that says
// what is known.
func Lookup(name string) (Spec, error) {
	for _, s := range specs {
		if s.Name == name {
			return s, nil
		}
	}
	return Spec{}, fmt.Errorf("workload: no workload %q, use one of %s", name, strings.Join(Names(), ", "))
}

// Param returns the parameter of a name, or nil.
func (s Spec) Param(name string) *Param {
	for i := range s.Params {
		if s.Params[i].Name == name {
			return &s.Params[i]
		}
	}
	return nil
}

// Values completes the given values, written as text, by the defaults. It is an
// error to give what the workload does not have, what is not a number where one
// is needed, or what is out of bounds.
func (s Spec) Values(given map[string]string) (Values, error) {
	for name := range given {
		if s.Param(name) == nil {
			return nil, fmt.Errorf("workload: %s has no parameter %q, use some of %s", s.Name, name, strings.Join(s.paramNames(), ", "))
		}
	}
	v := make(Values, len(s.Params))
	for _, p := range s.Params {
		text, ok := given[p.Name]
		if !ok {
			if !p.Text && math.IsNaN(p.Default) {
				return nil, fmt.Errorf("workload: %s needs a value for %s (%s)", s.Name, p.Name, p.Doc)
			}
			v[p.Name] = Value{Number: p.Default, Text: p.TextDefault}
			continue
		}
		value, err := p.parse(text)
		if err != nil {
			return nil, fmt.Errorf("workload: %s: %w", s.Name, err)
		}
		v[p.Name] = value
	}
	return v, nil
}

// parse reads the value of one parameter.
func (p *Param) parse(text string) (Value, error) {
	if p.Text {
		if len(p.Words) > 0 && !slices.Contains(p.Words, text) {
			return Value{}, fmt.Errorf("%s is %q, use one of %s", p.Name, text, strings.Join(p.Words, ", "))
		}
		return Value{Text: text}, nil
	}
	n, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || math.IsNaN(n) || math.IsInf(n, 0):
		return Value{}, fmt.Errorf("%s is %q, which is not a number", p.Name, text)
	case (p.Low != 0 || p.High != 0) && !(n >= p.Low && n <= p.High):
		return Value{}, fmt.Errorf("%s is %s, give %g to %g", p.Name, text, p.Low, p.High)
	}
	return Value{Number: n}, nil
}

func (s Spec) paramNames() []string {
	var names []string
	for _, p := range s.Params {
		names = append(names, p.Name)
	}
	return names
}
