package safe

import "regexp"

// value matches values of styles and of attributes of drawings that name
// nothing outside: the only functions are those of colours and transformations,
// and a url() that points into the drawing itself. There are no backslashes, with
// which CSS spells what it does not show.
var value = regexp.MustCompile(`^(?:[^(\\<>@]` +
	`|(?i:rgba?|hsla?|translate|scale|rotate|matrix|skewx|skewy)\(` +
	`|(?i:url)\(#[\w.-]+\))*$`)

// harmless tells whether a value of a style is one that value matches.
func harmless(v string) bool { return len(v) <= maxStyle && value.MatchString(v) }

// maxStyle is the most bytes of one value of a style; no honest one is as long.
const maxStyle = 1000
