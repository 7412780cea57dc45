package input

import "fmt"

// CheckJSON refuses JSON that decodes to much more than its own size: one that
// nests deeper than depth, or has more values and keys than so many. What is wrong
// with it otherwise is for the decoder to say. The error has the line.
func CheckJSON(data []byte, depth, values int) error {
	line, open, n := 1, 0, 0
	quoted := false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '\n':
			line++
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			open++
			n++
		case c == ']' || c == '}':
			open--
		case c == ',' || c == ':':
			n++
		}
		switch {
		case open > depth:
			return fmt.Errorf("%d: the JSON is nested more than %d deep", line, depth)
		case n > values:
			return fmt.Errorf("%d: the JSON has more than %d values", line, values)
		}
	}
	return nil
}
