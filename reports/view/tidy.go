package view

import (
	"bytes"
	"strings"
)

// Tidy takes off blanks at line ends and all but one of several empty lines, so
// that templates need not care for them.
func Tidy(s string) []byte {
	var b bytes.Buffer
	empty := true // none at the start
	for _, l := range strings.Split(s, "\n") {
		l = strings.TrimRight(l, " \t\r")
		if l == "" && empty {
			continue
		}
		empty = l == ""
		b.WriteString(l + "\n")
	}
	return append(bytes.TrimRight(b.Bytes(), "\n"), '\n')
}
