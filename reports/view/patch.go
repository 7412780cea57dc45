package view

import (
	"slices"

	"github.com/schedlab/schedlab/schedsim"
)

// PatchCode is a patch as the model has it.
type PatchCode struct {
	Name, Subject, Link string
	// Code is Go source with its comment, empty where it is not at hand.
	Code string
}

// PatchCodes are the patches that the patched columns add, in the order of the
// tables. It is made when asked for: the source has to be parsed.
func (r *Report) PatchCodes() []PatchCode {
	var out []PatchCode
	for i := range r.Study.Tables {
		for _, name := range r.Study.Tables[i].PatchNames() {
			if slices.ContainsFunc(out, func(p PatchCode) bool { return p.Name == name }) {
				continue
			}
			c := PatchCode{Name: name}
			if p, err := schedsim.LookupPatch(name); err == nil {
				c.Subject, c.Link = p.Subject, p.Link
			}
			// A patch without a declaration of its own is named and not shown.
			c.Code, _ = schedsim.PatchSource(name)
			out = append(out, c)
		}
	}
	return out
}
