package mail_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/schedlab/schedlab/reports/mail"
)

const header = "From: A <a@example.org>\nSubject: =?utf-8?q?=5BPATCH=5D_one?=\nMessage-ID: <1@example.org>\n"

// TestRead checks what becomes of a body, and which line of the file each of its
// lines is from.
func TestRead(t *testing.T) {
	for _, tc := range []struct {
		name, data string
		want       string // lines with the file's line before each
	}{
		{"plain", "no mail\r\nat all", "1:no mail|2:at all"},
		{"7bit", header + "\nfirst\nsecond", "5:first|6:second"},
		{"quoted-printable", header + "Content-Transfer-Encoding: quoted-printable\n\na 3D=3D b =\ngoes on=\n here\nthen\n",
			"6:a 3D= b goes on here|9:then|10:"},
		{"base64", header + "Content-Transfer-Encoding: base64\n\nb25lDQp0d28=\n", "6:one|6:two"},
		{"latin1", header + "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\n\n\xb1 2%", "7:\u00b1 2%"},
		{"flowed", header + "Content-Type: text/plain; format=flowed\n\na line \nbroken\n> quoted \n> too\nend\n-- \nsig",
			"6:a line broken|8:> quoted too|10:end|11:-- |12:sig"},
		{"multipart", header + "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nfirst\n--b\nContent-Type: application/x-gzip\nContent-Transfer-Encoding: base64\n\nAAAA\n--b\n\nlast\n--b--\n",
			"9:first|17:last"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			texts, problems := mail.Read([]byte(tc.data))
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			var got []string
			for _, x := range texts {
				for i, s := range strings.Split(x.Text, "\n") {
					got = append(got, fmt.Sprintf("%d:%s", x.Line(i+1), s))
				}
				if tc.name != "plain" && (x.Subject != "[PATCH] one" || x.MessageID != "1@example.org") {
					t.Errorf("subject %q, id %q", x.Subject, x.MessageID)
				}
			}
			if s := strings.Join(got, "|"); s != tc.want {
				t.Errorf("got  %q\nwant %q", s, tc.want)
			}
		})
	}
}

// TestMbox splits at From lines only, and undoes the quoting of mboxrd.
func TestMbox(t *testing.T) {
	box := "From mboxrd@z Thu Jan  1 00:00:00 1970\n" + header + "\n>From here\nFrom there 12:00\n\n" +
		"From mboxrd@z Thu Jan  1 00:00:00 1970\n" + header + "\nsecond\n"
	texts, problems := mail.Read([]byte(box))
	if len(problems) > 0 || len(texts) != 2 {
		t.Fatalf("%d texts, %v", len(texts), problems)
	}
	if got := texts[0].Text; got != "From here\nFrom there 12:00\n\n" {
		t.Errorf("first mail %q", got)
	}
	if got := texts[1].Line(1); got != 14 {
		t.Errorf("the second mail's body begins in line %d, want 14", got)
	}
}

// TestProblems: what cannot be decoded is named, with its line.
func TestProblems(t *testing.T) {
	for _, tc := range []struct{ name, data, want string }{
		{"base64", header + "Content-Transfer-Encoding: base64\n\n!!!\n", "6: base64"},
		{"charset", header + "Content-Type: text/plain; charset=klingon\n\nx\n", `6: charset "klingon" is not known`},
		{"cut", header + "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nfirst\n", "6: a part of the mail is cut off"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, problems := mail.Read([]byte(tc.data))
			if len(problems) != 1 {
				t.Fatalf("problems %v", problems)
			}
			if got := fmt.Sprintf("%d: %s", problems[0].Line, problems[0].Text); !strings.HasPrefix(got, tc.want) {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(header + "Content-Transfer-Encoding: quoted-printable\n\na=\nb=3D\n"))
	f.Add([]byte(header + "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b--\n"))
	f.Add([]byte("From x 1:00:00\n" + header + "\n>From y\n\nFrom z 01:00\n" + header + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		lines := strings.Count(string(data), "\n") + 1
		texts, _ := mail.Read(data)
		for i := range texts {
			for n := range strings.Count(texts[i].Text, "\n") + 1 {
				if got := texts[i].Line(n + 1); got < 1 || got > lines {
					t.Fatalf("line %d of a file of %d lines", got, lines)
				}
			}
		}
	})
}
