package overlay

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/schedlab/schedlab/reports/measured"
	"github.com/schedlab/schedlab/schedsim/study"
)

// A Source is one file of results, and what in it is of which column.
type Source struct {
	File   string
	Series []measured.Series
	// Base and Patched are the labels of the two columns: the name of a kernel in a
	// table, the value of a parameter or a part of the command of hyperfine; whole,
	// or a part that only one has. Without them the first of two kernels is the base.
	Base, Patched string
	// Arm is the column of the file as a whole, study.ArmBase or study.ArmPatched,
	// where it does not tell kernels apart.
	Arm string
	// Table is the table of the study that the rows are of, any if it is empty.
	Table string
}

// ParseSource reads what the command line says of a file, without opening it:
//
//	FILE[,base][,patched][,base=LABEL][,patched=LABEL][,table=ID]
//
// A bare "base" or "patched" says that the whole file is of that column.
func ParseSource(text string) (Source, error) {
	parts := strings.Split(text, ",")
	var s Source
	// Options stand at the end; a comma before them is of the file's name.
	n := len(parts)
	for n > 1 && s.option(parts[n-1]) {
		n--
	}
	s.File = strings.Join(parts[:n], ",")
	switch {
	case s.File == "":
		return s, fmt.Errorf("overlay: %q names no file; write FILE, FILE,base or FILE,base=LABEL,patched=LABEL", text)
	case s.Arm != "" && (s.Base != "" || s.Patched != ""):
		return s, fmt.Errorf("overlay: %q: the whole file is of one column, or labels tell both; give one of the two", text)
	case s.Base != "" && s.Base == s.Patched:
		return s, fmt.Errorf("overlay: %q: both columns have the label %q", text, s.Base)
	}
	return s, nil
}

// option takes an option, the last first: what stands last wins nothing, since each
// may stand once.
func (s *Source) option(text string) bool {
	name, value, ok := strings.Cut(text, "=")
	set := func(to *string, value string) bool {
		if *to != "" || value == "" {
			return false
		}
		*to = value
		return true
	}
	switch {
	case !ok && (text == study.ArmBase || text == study.ArmPatched):
		return set(&s.Arm, text)
	case ok && name == "base":
		return set(&s.Base, value)
	case ok && name == "patched":
		return set(&s.Patched, value)
	case ok && name == "table":
		return set(&s.Table, value)
	}
	return false
}

// Load is ParseSource with the file's series.
func Load(text string) (Source, error) {
	s, err := ParseSource(text)
	if err != nil {
		return s, err
	}
	data, err := os.ReadFile(s.File)
	if err != nil {
		return s, fmt.Errorf("overlay: %w; options after the file's name are base, patched, base=LABEL, patched=LABEL and table=ID", err)
	}
	s.Series, err = measured.Parse(data, s.File)
	return s, err
}

// arms tells for each series which column it is of, and why it is of none.
func (s *Source) arms() (arms []string, reasons []string, err error) {
	arms, reasons = make([]string, len(s.Series)), make([]string, len(s.Series))
	if s.Arm != "" {
		for i := range arms {
			arms[i] = s.Arm
		}
		return arms, reasons, nil
	}
	kernels := s.kernels()
	base, patched := s.Base, s.Patched
	if base == "" && patched == "" {
		if len(kernels) != 2 {
			return nil, nil, s.ask(kernels)
		}
		base, patched = kernels[0], kernels[1]
	}
	for i, r := range s.Series {
		isBase, isPatched := labelled(r, base, kernels), labelled(r, patched, kernels)
		switch {
		case isBase && isPatched:
			return nil, nil, fmt.Errorf("overlay: %s: %s has the labels of both columns, %q and %q; give longer ones", at(r), title(r), base, patched)
		case isBase:
			arms[i] = study.ArmBase
		case isPatched:
			arms[i] = study.ArmPatched
		default:
			reasons[i] = fmt.Sprintf("it has neither the label %q nor %q", base, patched)
		}
	}
	for _, l := range []struct{ arm, label string }{{study.ArmBase, base}, {study.ArmPatched, patched}} {
		if l.label != "" && !slices.Contains(arms, l.arm) {
			return nil, nil, fmt.Errorf("overlay: %s:1: nothing has the label %q of the %s column%s", s.File, l.label, l.arm, known(kernels))
		}
	}
	return arms, reasons, nil
}

// kernels are those that the file names, in its order.
func (s *Source) kernels() []string {
	var out []string
	for _, r := range s.Series {
		if k := r.Params[kernelParam]; k != "" && !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}

// kernelParam is the parameter that package measured puts a table's columns in.
const kernelParam = "kernel"

// ask says that the columns are not known.
func (s *Source) ask(kernels []string) error {
	if len(kernels) == 0 {
		return fmt.Errorf("overlay: %s:1: it does not say which kernel it is of; write %s,base or %s,patched, or labels: %s,base=LABEL,patched=LABEL", s.File, s.File, s.File, s.File)
	}
	return fmt.Errorf("overlay: %s:1: %s; say which two are meant: %s,base=LABEL,patched=LABEL", s.File, strings.TrimPrefix(known(kernels), "; "), s.File)
}

func known(kernels []string) string {
	if len(kernels) == 0 {
		return ""
	}
	noun := "kernels"
	if len(kernels) == 1 {
		noun = "kernel"
	}
	return fmt.Sprintf("; it has %d %s: %s", len(kernels), noun, strings.Join(kernels, ", "))
}

// labelled reports whether a series has a label: a kernel of that name, or else the
// only one that has it as a part; a parameter of that value; a part of the command.
func labelled(r measured.Series, label string, kernels []string) bool {
	if label == "" {
		return false
	}
	if k, ok := r.Params[kernelParam]; ok {
		if k == label || slices.Contains(kernels, label) {
			return k == label
		}
		n := 0
		for _, other := range kernels {
			if strings.Contains(other, label) {
				n++
			}
		}
		return n == 1 && strings.Contains(k, label)
	}
	for name, v := range r.Params {
		if v == label || name == commandParam && strings.Contains(v, label) {
			return true
		}
	}
	return false
}

// commandParam is the parameter that package measured puts hyperfine's command in.
const commandParam = "command"

// at is a series' place.
func at(r measured.Series) string {
	return fmt.Sprintf("%s:%d", r.File, max(r.Line, 1))
}

// title names a series in messages and in an explicit map.
func title(r measured.Series) string {
	s := r.Name
	if key := r.Key(); key != "" {
		s += " [" + key + "]"
	}
	return s
}

// figure names what is measured, of whichever kernel.
func figure(r measured.Series) string {
	r.Params = maps.Clone(r.Params)
	delete(r.Params, kernelParam)
	return title(r)
}
