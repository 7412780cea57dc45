package post

import (
	"bytes"
	"fmt"
	"mime"
	"net/mail"
	"regexp"
	"strings"
	"time"

	mails "github.com/schedlab/schedlab/reports/mail"
)

// A Reply is what an answer to a mail needs beside the mail.
type Reply struct {
	From mail.Address // who answers
	Date time.Time
	// MessageID of the answer, without brackets; empty to leave it to the mailer.
	MessageID string
	Text      string   // the answer, ASCII
	Trailers  []string // "Tested-by: ...", below the text
}

// bareAddress is an address without a name.
var bareAddress = regexp.MustCompile(`[A-Za-z0-9._%+=-]+@[A-Za-z0-9.-]+`)

// messageID is one in brackets.
var messageID = regexp.MustCompile(`<[!-;=?-~]+>`)

// quotedLines is how much of the mail is quoted above the answer.
const quotedLines = 12

// Write answers a mail: an RFC 5322 message of plain 7-bit text without parts,
// to its author, with a copy to all others, threaded below it. The first lines of
// its changelog are quoted.
func (r Reply) Write(patch []byte, filename string) ([]byte, error) {
	raw := mails.Split(patch)[0]
	msg, err := mail.ReadMessage(bytes.NewReader(raw.Data))
	if err != nil || mails.HeaderEnd(raw.Data) == 0 {
		return nil, fmt.Errorf("post: %s:%d: no mail to reply to, want one with a header", filename, raw.Line)
	}
	id := strings.TrimSpace(msg.Header.Get("Message-Id"))
	if id == "" {
		return nil, fmt.Errorf("post: %s:%d: the mail has no Message-ID to reply to; take it from the list's archive (b4 am, or the mbox of lore.kernel.org)", filename, raw.Line)
	}
	if messageID.FindString(id) != id {
		return nil, fmt.Errorf("post: %s:%d: Message-ID %q is none that can be answered, want <name@host>", filename, raw.Line, id)
	}
	for _, p := range Lint(r.Text) {
		if p.Rule == RuleASCII {
			return nil, fmt.Errorf("post: line %d of the text: %s", p.Line, p.Text)
		}
	}
	var b strings.Builder
	header := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, fold(name, value))
		}
	}
	header("From", r.From.String())
	header("To", addresses(msg.Header.Get("From")))
	header("Cc", addresses(strings.Trim(msg.Header.Get("To")+", "+msg.Header.Get("Cc"), ", ")))
	header("Subject", replySubject(msg.Header.Get("Subject")))
	header("Date", r.Date.Format(time.RFC1123Z))
	if r.MessageID != "" {
		header("Message-ID", "<"+r.MessageID+">")
	}
	header("In-Reply-To", id)
	header("References", strings.Join(append(messageID.FindAllString(msg.Header.Get("References"), -1), id), " "))
	b.WriteString("\n")
	b.WriteString(attribution(msg.Header))
	b.WriteString(quoteOf(patch))
	text := strings.TrimRight(r.Text, "\n")
	b.WriteString("\n" + text + "\n")
	if len(r.Trailers) > 0 {
		// One block, with those that the text ends in.
		if last := text[strings.LastIndexByte(text, '\n')+1:]; !tag(strings.SplitN(last, " ", 2)[0]) {
			b.WriteString("\n")
		}
		b.WriteString(strings.Join(r.Trailers, "\n") + "\n")
	}
	return []byte(b.String()), nil
}

// addresses encodes the names of addresses, or keeps the addresses alone of what cannot be read.
func addresses(list string) string {
	parsed, err := mail.ParseAddressList(list)
	if err != nil {
		// Such as a quote that is not closed: the addresses are what counts.
		return strings.Join(bareAddress.FindAllString(ASCII(list), -1), ", ")
	}
	var out []string
	for _, a := range parsed {
		out = append(out, a.String())
	}
	return strings.Join(out, ", ")
}

func replySubject(subject string) string {
	text, err := new(mime.WordDecoder).DecodeHeader(subject)
	if err != nil {
		text = subject
	}
	if !strings.HasPrefix(strings.ToLower(text), "re:") {
		text = "Re: " + text
	}
	return mime.QEncoding.Encode("utf-8", text)
}

// headerWidth is how wide a header line should be (RFC 5322, 2.1.1).
const headerWidth = 78

// fold breaks a long header at its blanks.
func fold(name, value string) string {
	var b strings.Builder
	width := len(name) + 2
	for i, w := range strings.Fields(value) {
		switch {
		case i == 0:
		case width+1+len(w) > headerWidth:
			b.WriteString("\n ")
			width = 1
		default:
			b.WriteByte(' ')
			width++
		}
		b.WriteString(w)
		width += len(w)
	}
	return b.String()
}

// attribution says whose words are quoted.
func attribution(h mail.Header) string {
	who := h.Get("From")
	if a, err := mail.ParseAddress(who); err == nil && a.Name != "" {
		who = a.Name
	}
	if when, err := h.Date(); err == nil {
		return fmt.Sprintf("On %s, %s wrote:\n", when.Format("Mon, Jan 02, 2006 at 03:04:05PM -0700"), ASCII(who))
	}
	return ASCII(who) + " wrote:\n"
}

// quoteOf quotes the begin of the changelog.
func quoteOf(patch []byte) string {
	texts, _ := mails.Read(patch)
	if len(texts) == 0 {
		return ""
	}
	message, _, _ := strings.Cut(texts[0].Text, "\n---\n")
	lines := strings.Split(strings.TrimRight(message, "\n"), "\n")
	cut := len(lines) > quotedLines
	if cut {
		lines = lines[:quotedLines]
	}
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(strings.TrimRight("> "+ASCII(strings.TrimRight(l, "\r")), " ") + "\n")
	}
	if cut {
		b.WriteString("> [...]\n")
	}
	return b.String()
}
