package study

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// Digest is the SHA-256, in hex, of the ensemble's canonical text: the names on
// one line, then each set on one, fields separated by a tab, numbers in the
// shortest decimal form that reads back as the same float64, every line ended
// by a newline.
func (e Ensemble) Digest() string {
	var b strings.Builder
	b.WriteString(strings.Join(e.Names, "\t"))
	b.WriteByte('\n')
	for _, set := range e.Sets {
		for i, v := range set {
			if i > 0 {
				b.WriteByte('\t')
			}
			b.WriteString(formatFloat(v))
		}
		b.WriteByte('\n')
	}
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:])
}

func formatFloat(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
