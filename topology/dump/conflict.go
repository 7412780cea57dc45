package dump

import "fmt"

// Claim is what one input says.
type Claim struct {
	Source string // as Source.String gives it, or several joined
	Value  string
}

// Conflict is a field in which two inputs differ.
type Conflict struct {
	Field string // such as "sockets", "L3.size" or "node 0.memory"
	// Taken is the claim that Merge believes, Left the other one.
	Taken, Left Claim
	// Fatal says that the inputs cannot be of one machine, or together make no
	// consistent machine: nothing was taken.
	Fatal bool
}

// String says it in one line.
func (c Conflict) String() string {
	text := fmt.Sprintf("%s: %s says %s", c.Field, c.Taken.Source, c.Taken.Value)
	if c.Left.Source != "" {
		text += fmt.Sprintf(", %s says %s", c.Left.Source, c.Left.Value)
	}
	if c.Fatal {
		return text + "; nothing is taken, give inputs of one machine, read in one state"
	}
	return text + "; the first is taken"
}
