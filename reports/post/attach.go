package post

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime/quotedprintable"
	"strings"

	"github.com/schedlab/schedlab/reports/mail"
)

// Attach puts text between the "---" of a patch and its diffstat, where git am
// leaves it out of the commit. The patch is what git format-patch or b4 wrote: a
// mail, or an mbox, of whose patches the given one gets the text (1 is the first
// that has a diff). All other bytes stay as they are, but for base64, which is
// encoded anew.
//
// Text that git could take for part of the patch is refused, as are a patch
// without "---" and one whose lines end in CRLF. Errors have filename and line.
func Attach(patch []byte, filename, text string, number int) ([]byte, error) {
	for _, p := range Lint(text) {
		if p.Rule == RulePatch || p.Rule == RuleASCII {
			return nil, fmt.Errorf("post: line %d of the text %s", p.Line, p.Text)
		}
	}
	seen, last := 0, 1
	for _, m := range mail.Split(patch) {
		at := offset(patch, m)
		for _, b := range mail.Bodies(m.Data) {
			first := m.Line + bytes.Count(m.Data[:b.Start], []byte("\n"))
			where := fmt.Sprintf("%s:%d", filename, first)
			out, isPatch, err := insert(m.Data[b.Start:b.End], b.Encoding, text)
			if at := (*placeError)(nil); errors.As(err, &at) && b.Encoding != "base64" {
				where = fmt.Sprintf("%s:%d", filename, first+at.line-1)
			}
			if err != nil {
				return nil, fmt.Errorf("post: %s: %w", where, err)
			}
			if !isPatch {
				continue
			}
			if seen++; seen != number {
				continue
			}
			if b.Flowed {
				return nil, fmt.Errorf("post: %s: the mail is format=flowed, which breaks a patch; send it again with git send-email", where)
			}
			var whole bytes.Buffer
			whole.Write(patch[:at+b.Start])
			whole.Write(out)
			whole.Write(patch[at+b.End:])
			return whole.Bytes(), nil
		}
		last = m.Line
	}
	switch {
	case seen == 0:
		return nil, fmt.Errorf("post: %s:%d: no patch in it, want a mail with a diff, as git format-patch writes", filename, last)
	default:
		return nil, fmt.Errorf("post: %s has %d patches, there is no number %d", filename, seen, number)
	}
}

// offset is where a mail's data begin in the file. Split returns slices of it.
func offset(file []byte, m mail.Raw) int {
	at := 0
	for range m.Line - 1 {
		at += bytes.IndexByte(file[at:], '\n') + 1
	}
	return at
}

// insert puts text into one body; it reports whether the body has a diff.
func insert(body []byte, encoding, text string) (out []byte, isPatch bool, err error) {
	switch encoding {
	case "quoted-printable":
		return insertQuotedPrintable(body, text)
	case "base64":
		return insertBase64(body, text)
	}
	at, isPatch, err := place(body)
	if !isPatch || err != nil {
		return nil, isPatch, err
	}
	return splice(body, at, []byte(text+"\n")), true, nil
}

func splice(body []byte, at int, text []byte) []byte {
	out := make([]byte, 0, len(body)+len(text))
	out = append(out, body[:at]...)
	out = append(out, text...)
	return append(out, body[at:]...)
}

// A placeError is what is wrong in a line of a body, from 1.
type placeError struct {
	line int
	why  string
}

func (e *placeError) Error() string { return e.why }

// place is the offset behind the line "---" that ends the commit message: the
// last one before the diff that git mailinfo would stop at, which is the first.
func place(body []byte) (at int, isPatch bool, err error) {
	diff := diffStart(body)
	if diff < 0 {
		return 0, false, nil
	}
	n := 0
	for pos := 0; pos < diff; {
		end := pos + bytes.IndexByte(body[pos:], '\n') + 1
		ln := body[pos:end]
		n++
		if bytes.HasSuffix(ln, []byte("\r\n")) {
			return 0, true, &placeError{n, "the line ends in CRLF, of which git am would take the CR off; convert the patch first, with dos2unix"}
		}
		if bytes.Equal(bytes.TrimRight(ln, " \n"), []byte("---")) {
			return end, true, nil
		}
		pos = end
	}
	return 0, true, &placeError{n + 1, "the patch has no line \"---\" above its diff, which begins here; write it with git format-patch"}
}

// diffStart is where the diff begins, or -1.
func diffStart(body []byte) int {
	for _, mark := range []string{"diff --git ", "diff -", "Index: "} {
		if bytes.HasPrefix(body, []byte(mark)) {
			return 0
		}
		if i := bytes.Index(body, []byte("\n"+mark)); i >= 0 {
			return i + 1
		}
	}
	return -1
}

// insertQuotedPrintable encodes the text alone: the lines of the patch stay as
// they are.
func insertQuotedPrintable(body []byte, text string) (out []byte, isPatch bool, err error) {
	at, isPatch, err := place(body)
	if !isPatch || err != nil {
		return nil, isPatch, err
	}
	var b bytes.Buffer
	w := quotedprintable.NewWriter(&b)
	if _, err := io.WriteString(w, text+"\n"); err != nil {
		return nil, true, err
	}
	if err := w.Close(); err != nil {
		return nil, true, err
	}
	return splice(body, at, bytes.ReplaceAll(b.Bytes(), []byte("\r\n"), []byte("\n"))), true, nil
}

// base64Width is how many characters a line of base64 has (RFC 2045).
const base64Width = 76

func insertBase64(body []byte, text string) (out []byte, isPatch bool, err error) {
	plain, err := io.ReadAll(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(body)))
	if err != nil {
		return nil, false, fmt.Errorf("base64: %w", err)
	}
	at, isPatch, err := place(plain)
	if !isPatch || err != nil {
		return nil, isPatch, err
	}
	coded := base64.StdEncoding.EncodeToString(splice(plain, at, []byte(text+"\n")))
	var b strings.Builder
	for len(coded) > base64Width {
		b.WriteString(coded[:base64Width] + "\n")
		coded = coded[base64Width:]
	}
	b.WriteString(coded + "\n")
	return []byte(b.String()), true, nil
}
