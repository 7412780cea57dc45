package post

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// folds are the characters with a customary spelling in ASCII that taking off
// accents does not find.
var folds = map[rune]string{
	'±': "+-", '×': "x", '÷': "/", '−': "-", '–': "-", '—': "-", '‐': "-", '‑': "-",
	'·': "*", '≤': "<=", '≥': ">=", '≠': "!=", '≈': "~", '→': "->", '←': "<-",
	'µ': "u", 'μ': "u", 'Δ': "delta ", 'σ': "sigma", '°': " deg",
	'“': `"`, '”': `"`, '„': `"`, '«': `"`, '»': `"`, '‘': "'", '’': "'", '‚': "'", '…': "...", '•': "*",
	'ß': "ss", 'æ': "ae", 'Æ': "AE", 'ø': "o", 'Ø': "O", 'œ': "oe", 'Œ': "OE", 'ł': "l", 'Ł': "L",
	'đ': "d", 'Đ': "D", 'ð': "d", 'þ': "th", 'Þ': "Th", 'ı': "i",
	'\u200b': "", '\ufeff': "", '\u00ad': "",
}

// ASCII spells s in ASCII. Accents go, signs are written out; a character that
// has no spelling becomes "?". Newlines and tabs stay, other control
// characters become blanks.
func ASCII(s string) string {
	plain := true
	for i := 0; i < len(s) && plain; i++ {
		plain = s[i] < 0x7f && (s[i] >= ' ' || s[i] == '\n' || s[i] == '\t')
	}
	if plain {
		return s
	}
	var b strings.Builder
	// Signs first: the decomposition below would take some of them apart.
	for _, r := range s {
		if f, ok := folds[r]; ok {
			b.WriteString(f)
			continue
		}
		b.WriteRune(r)
	}
	s = norm.NFKD.String(b.String())
	b.Reset()
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t' || r >= ' ' && r < 0x7f:
			b.WriteRune(r)
		case unicode.Is(unicode.Mn, r):
		case unicode.IsSpace(r) || unicode.IsControl(r):
			b.WriteByte(' ')
		default:
			b.WriteByte('?')
		}
	}
	return b.String()
}
