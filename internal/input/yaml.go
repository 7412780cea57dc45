package input

import (
	"bytes"
	"fmt"
)

// Bounds of YAML. The parser takes time and memory that grow with the square of the
// nesting, and of the tokens of a text: 20,000 marks take it a second or two, where
// the largest study has 4,000 and a machine 1,300.
const (
	maxBrackets  = 16 // inside each other
	maxDashes    = 100
	maxYAMLMarks = 20_000
)

// yamlMarks are what a token of YAML can begin or end with.
var yamlMarks = []byte("[]{},:&*!?|>'\"@%-#`\n")

// CheckYAML looks for what the parser of YAML cannot bear, before it is parsed. It
// returns the line and what is wrong there, or line 0. Marks in texts and comments
// count as well, of which only rulers of dashes are common, and are fine.
func CheckYAML(data []byte) (line int, wrong string) {
	line = 1
	depth, dashes, marks := 0, 0, 0
	for _, c := range data {
		if bytes.IndexByte(yamlMarks, c) >= 0 {
			marks++
		}
		switch c {
		case '-', ' ':
		default:
			dashes = 0
		}
		switch c {
		case '\n':
			line++
		case '-':
			dashes++
		case '[', '{':
			depth++
		case ']', '}':
			depth = max(depth-1, 0)
		}
		switch {
		case depth > maxBrackets || dashes > maxDashes:
			return line, "brackets or lists are nested too deeply"
		case marks > maxYAMLMarks:
			return line, fmt.Sprintf("there are more than %d lines and punctuation marks", maxYAMLMarks)
		}
	}
	return 0, ""
}
