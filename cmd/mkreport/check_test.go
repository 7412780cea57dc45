package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheckLines: remarks name the line of the file, whatever a mail does to its
// text.
func TestCheckLines(t *testing.T) {
	const header = "From: a@example.org\nSubject: results\n"
	const wrong = "Hmean     1        500.00 (   0.00%)      510.00 (   3.00%)\n"
	for _, tc := range []struct{ name, mail, want string }{
		{"plain", header + "\nHello,\n\n" + wrong, "6: wrong: percentage: Hmean 1: 3.00 printed"},
		{"unread", header + "\nHmean     1        500.00 (   0.00%)      510.00\n(   2.00%)\n", `4: unread-table: "      510.00" after the last value`},
		{"quoted-printable", header + "Content-Transfer-Encoding: quoted-printable\n\nHello =\nagain,\n" + wrong, "7: wrong: "},
		{"flowed", header + "Content-Type: text/plain; format=flowed\n\nsome words that \nwere wrapped\n\n" + strings.Replace(wrong, "510.00 (", "510.00 \n(", 1), "8: wrong: "},
		{"second mail of an mbox", "From x@y Mon Jan  2 15:04:05 2006\n" + header + "\nHello\n\nFrom x@y Mon Jan  2 15:04:05 2006\n" + header + "\n" + wrong, "11: wrong: "},
		{"quoted", header + "\n> > " + wrong, "4: wrong: "},
		{"broken base64", header + "Content-Transfer-Encoding: base64\n\n!!!\n", "5: unread-part: base64: "},
		{"unknown charset", header + "Content-Type: text/plain; charset=klingon\n\n" + wrong, `5: unread-part: charset "klingon" is not known`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "m")
			if err := os.WriteFile(name, []byte(tc.mail), 0o644); err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			a := &app{stdout: &out}
			err := a.check([]string{name})
			if (err != nil) != strings.Contains(tc.want, "wrong:") {
				t.Errorf("error %v", err)
			}
			if !strings.Contains(out.String(), name+":"+tc.want) {
				t.Errorf("no %q in\n%s", tc.want, out.String())
			}
		})
	}
}
