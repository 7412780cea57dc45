package nb

import (
	"bytes"
	"strings"
)

// lines collects text that is written to it.
type lines struct{ bytes.Buffer }

// text returns what was written, without blank lines around it.
func (l *lines) text() string { return strings.Trim(l.String(), "\n") }
