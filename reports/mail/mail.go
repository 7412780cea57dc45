// Package mail reads mails, mboxes and patches as text, and knows of each line
// of the text which line of the file it is from.
//
// Quoted-printable and base64 are decoded, parts of multipart mails taken one by
// one, charsets converted to UTF-8, soft line breaks of format=flowed joined. A
// file that is no mail is one text. Attachments that are no text are left out.
package mail

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"regexp"
	"strings"

	"golang.org/x/text/encoding/htmlindex"
)

// A Text is one readable part of a file.
type Text struct {
	// Subject and MessageID are of the mail that it is in; empty for plain text.
	Subject, MessageID string
	Text               string // UTF-8 with "\n" line ends, or as the file has it where no charset is named
	lines              []int  // of each line of Text, the line in the file, from 1
}

// Line is the line in the file of a line of the text, both from 1; 0, the text
// as a whole, is 0.
func (t *Text) Line(n int) int {
	if n < 1 || len(t.lines) == 0 {
		return n
	}
	return t.lines[min(n, len(t.lines))-1]
}

// A Problem is a part that could not be decoded.
type Problem struct {
	Line int // in the file
	Text string
}

// Read returns the texts of a file: of a mail, each mail of an mbox, or the file
// as it is. What cannot be decoded is a problem, and the rest is returned.
func Read(data []byte) ([]Text, []Problem) {
	var texts []Text
	var problems []Problem
	for _, m := range Split(data) {
		t, p := m.texts()
		texts, problems = append(texts, t...), append(problems, p...)
	}
	return texts, problems
}

// A Raw is one mail as it stands in the file, without the mbox's From line.
type Raw struct {
	Line int    // of its first line in the file, from 1
	Data []byte // with the quoting of mboxrd (">From ") as it is
	Mbox bool
}

var (
	fromLine    = regexp.MustCompile(`^From \S+.*\d\d:\d\d`)
	headerLine  = regexp.MustCompile(`^[!-9;-~]+:`)
	mboxrdQuote = regexp.MustCompile(`(?m)^>(>*From )`)
	mailHeaders = regexp.MustCompile(`(?im)^(from|subject|date|message-id|to|received|return-path):`)
)

// Split cuts an mbox into its mails; other files are one.
func Split(data []byte) []Raw {
	if !fromLine.Match(data) {
		return []Raw{{Line: 1, Data: data}}
	}
	var mails []Raw
	n, blank := 0, true
	start, first := 0, 0
	for pos := 0; pos < len(data); {
		end := len(data)
		if i := bytes.IndexByte(data[pos:], '\n'); i >= 0 {
			end = pos + i + 1
		}
		n++
		ln := data[pos:end]
		if blank && fromLine.Match(ln) {
			if first > 0 {
				mails = append(mails, Raw{Line: first, Data: data[start:pos], Mbox: true})
			}
			start, first = end, n+1
		}
		blank = len(bytes.TrimRight(ln, "\r\n")) == 0
		pos = end
	}
	if start < len(data) {
		mails = append(mails, Raw{Line: first, Data: data[start:], Mbox: true})
	}
	return mails
}

// HeaderEnd is the offset of a mail's body, or 0 for a text without a header.
func HeaderEnd(data []byte) int {
	pos := 0
	for pos < len(data) {
		end := len(data)
		if i := bytes.IndexByte(data[pos:], '\n'); i >= 0 {
			end = pos + i + 1
		}
		ln := bytes.TrimRight(data[pos:end], "\r\n")
		switch {
		case len(ln) == 0:
			if mailHeaders.Match(data[:pos]) {
				return end
			}
			return 0
		case pos > 0 && (ln[0] == ' ' || ln[0] == '\t'), headerLine.Match(ln):
		default:
			return 0
		}
		pos = end
	}
	return 0
}

func (m Raw) texts() ([]Text, []Problem) {
	body := HeaderEnd(m.Data)
	if body == 0 {
		t, _ := plain(m.Data, m.Line)
		return []Text{t}, nil
	}
	msg, err := mail.ReadMessage(bytes.NewReader(m.Data))
	if err != nil {
		return nil, []Problem{{m.Line, fmt.Sprintf("the header cannot be read: %v", err)}}
	}
	p := part{
		header: msg.Header.Get, data: m.Data[body:],
		line: m.Line + bytes.Count(m.Data[:body], []byte("\n")),
	}
	if m.Mbox && bytes.Contains(p.data, []byte(">From ")) {
		p.data = mboxrdQuote.ReplaceAll(p.data, []byte("$1"))
	}
	texts, problems := p.texts(0)
	dec := mime.WordDecoder{CharsetReader: charsetReader}
	subject, err := dec.DecodeHeader(msg.Header.Get("Subject"))
	if err != nil {
		subject = msg.Header.Get("Subject")
	}
	for i := range texts {
		texts[i].Subject, texts[i].MessageID = subject, strings.Trim(msg.Header.Get("Message-Id"), "<> ")
	}
	return texts, problems
}

// A part is a body with what its header says of it.
type part struct {
	header func(string) string
	data   []byte
	line   int // of the body's first line in the file
}

// maxDepth bounds how deep parts nest.
const maxDepth = 10

func (p part) texts(depth int) ([]Text, []Problem) {
	media, params, err := mime.ParseMediaType(p.header("Content-Type"))
	if err != nil {
		media, params = "text/plain", nil
	}
	if strings.HasPrefix(media, "multipart/") {
		if depth > maxDepth {
			return nil, []Problem{{p.line, fmt.Sprintf("parts nested more than %d deep", maxDepth)}}
		}
		return p.parts(params["boundary"], depth)
	}
	if !strings.HasPrefix(media, "text/") {
		return nil, nil
	}
	t, err := p.decode()
	if err != nil {
		return nil, []Problem{{p.line, err.Error()}}
	}
	if t.Text, err = toUTF8(t.Text, params["charset"]); err != nil {
		return nil, []Problem{{p.line, err.Error()}}
	}
	if strings.EqualFold(params["format"], "flowed") {
		t.unflow(strings.EqualFold(params["delsp"], "yes"))
	}
	return []Text{t}, nil
}

// parts reads a multipart body. Where each part begins is found again in the
// data, since the reader does not tell.
func (p part) parts(boundary string, depth int) (texts []Text, problems []Problem) {
	r := multipart.NewReader(bytes.NewReader(p.data), boundary)
	offset := 0
	for {
		sub, err := r.NextRawPart()
		if err == io.EOF {
			return texts, problems
		}
		if err != nil {
			return texts, append(problems, Problem{p.line + bytes.Count(p.data[:offset], []byte("\n")), fmt.Sprintf("the parts of the mail cannot be read: %v", err)})
		}
		data, err := io.ReadAll(sub)
		if err != nil {
			return texts, append(problems, Problem{p.line, fmt.Sprintf("a part of the mail is cut off: %v", err)})
		}
		if i := bytes.Index(p.data[offset:], data); i >= 0 {
			offset += i
		}
		q := part{header: sub.Header.Get, data: data, line: p.line + bytes.Count(p.data[:offset], []byte("\n"))}
		offset += len(data)
		t, e := q.texts(depth + 1)
		texts, problems = append(texts, t...), append(problems, e...)
	}
}

// decode undoes the transfer encoding.
func (p part) decode() (Text, error) {
	switch encoding := strings.ToLower(strings.TrimSpace(p.header("Content-Transfer-Encoding"))); encoding {
	case "quoted-printable":
		return quotedPrintable(p.data, p.line)
	case "base64":
		b, err := io.ReadAll(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(p.data)))
		if err != nil {
			return Text{}, fmt.Errorf("base64: %v", err)
		}
		t, _ := plain(b, p.line)
		for i := range t.lines {
			t.lines[i] = p.line // lines of the text are none of the file
		}
		return t, nil
	}
	return plain(p.data, p.line)
}

// plain is text without an encoding.
func plain(data []byte, first int) (Text, error) {
	t := Text{Text: strings.ReplaceAll(string(data), "\r\n", "\n")}
	for i := range strings.Count(t.Text, "\n") + 1 {
		t.lines = append(t.lines, first+i)
	}
	return t, nil
}

// quotedPrintable decodes line by line, to know where each came from.
func quotedPrintable(data []byte, first int) (Text, error) {
	var t Text
	var out strings.Builder
	raw := strings.SplitAfter(string(data), "\n")
	for i := 0; i < len(raw); {
		from := i
		logical := raw[i]
		for i++; i < len(raw) && strings.HasSuffix(strings.TrimRight(raw[i-1], "\r\n \t"), "="); i++ {
			logical += raw[i]
		}
		b, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(logical)))
		if err != nil {
			return Text{}, fmt.Errorf("line %d: %v", first+from, err)
		}
		s := strings.ReplaceAll(string(b), "\r\n", "\n")
		out.WriteString(s)
		for range strings.Count(s, "\n") {
			t.lines = append(t.lines, first+from)
		}
		if i >= len(raw) {
			t.lines = append(t.lines, first+from)
		}
	}
	t.Text = out.String()
	return t, nil
}

// unflow joins lines that a mailer broke (RFC 3676): those that end in a blank,
// but for the "-- " of signatures. Quoted lines are joined with the next of the
// same depth.
func (t *Text) unflow(delSp bool) {
	var lines []string
	var from []int
	depth, open := 0, false
	for i, s := range strings.Split(t.Text, "\n") {
		d := len(s) - len(strings.TrimLeft(s, ">"))
		body := s[d:]
		body = strings.TrimPrefix(body, " ") // space-stuffing
		flowed := strings.HasSuffix(body, " ") && body != "-- "
		text := body
		if flowed && delSp {
			text = text[:len(text)-1]
		}
		if open && d == depth {
			lines[len(lines)-1] += text
		} else {
			quote := strings.Repeat(">", d)
			if d > 0 {
				quote += " "
			}
			lines, from = append(lines, quote+text), append(from, t.Line(i+1))
		}
		depth, open = d, flowed
	}
	t.Text, t.lines = strings.Join(lines, "\n"), from
}

// toUTF8 converts text of a named charset. Without a name, or with one that says
// no more than ASCII, it is left as it is.
func toUTF8(s, charset string) (string, error) {
	switch strings.ToLower(charset) {
	case "", "us-ascii", "utf-8", "utf8", "unknown-8bit", "x-unknown":
		return s, nil
	}
	enc, err := htmlindex.Get(charset)
	if err != nil {
		return "", fmt.Errorf("charset %q is not known", charset)
	}
	out, err := enc.NewDecoder().String(s)
	if err != nil {
		return "", fmt.Errorf("charset %s: %v", charset, err)
	}
	return out, nil
}

func charsetReader(charset string, r io.Reader) (io.Reader, error) {
	enc, err := htmlindex.Get(charset)
	if err != nil {
		return nil, fmt.Errorf("charset %q is not known", charset)
	}
	return enc.NewDecoder().Reader(r), nil
}
