package study

import (
	"fmt"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// Printed is a percentage as a post prints it, in the table's sign: one figure, or
// the range of a claim such as "about 2~10%". Not Given is not printed.
type Printed struct {
	Low, High float64
	Given     bool
}

// UnmarshalYAML reads a number, or low and high.
func (p *Printed) UnmarshalYAML(node ast.Node) error {
	if node.Type() != ast.MappingType && node.Type() != ast.MappingValueType {
		var f float64
		if err := yaml.NodeToValue(node, &f); err != nil {
			return err
		}
		*p = Printed{f, f, true}
		return nil
	}
	var r struct {
		Low  *float64 `yaml:"low"`
		High *float64 `yaml:"high"`
	}
	if err := yaml.NodeToValue(node, &r, yaml.Strict()); err != nil {
		return err
	}
	if r.Low == nil || r.High == nil {
		// Validation has the line.
		*p = Printed{0, -1, true}
		return nil
	}
	*p = Printed{*r.Low, *r.High, true}
	return nil
}

// Range reports whether it is one.
func (p Printed) Range() bool { return p.Given && p.Low != p.High }

// String is as in a report.
func (p Printed) String() string {
	switch {
	case !p.Given:
		return ""
	case p.Range():
		return fmt.Sprintf("%+g to %+g %%", p.Low, p.High)
	}
	return fmt.Sprintf("%+g %%", p.Low)
}
