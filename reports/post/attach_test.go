package post_test

import (
	"bytes"
	"encoding/base64"
	"io"
	"mime/quotedprintable"
	"net/mail"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/schedlab/schedlab/reports/post"
)

const report = "tbench on a modelled machine[*], 80 CPUs\n\n  clients  base  patched\n  1         100      101  = +1.0 %\n\n[*] simulated, not measured\n"

// repo makes a repository with one commit and returns how to run git in it.
func repo(t *testing.T) (dir string, git func(stdin []byte, args ...string) string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir = t.TempDir()
	git = func(stdin []byte, args ...string) string {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Stdin = bytes.NewReader(stdin)
		cmd.Env = append(os.Environ(), "HOME="+dir, "GIT_CONFIG_NOSYSTEM=1",
			"GIT_COMMITTER_DATE=2020-01-02T03:04:05Z", "GIT_AUTHOR_DATE=2020-01-01T00:00:00Z")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	git(nil, "init", "-q")
	git(nil, "config", "user.name", "Zo\u00eb Tester")
	git(nil, "config", "user.email", "zoe@example.org")
	write(t, dir, "fair.c", "int a;\nint b;\n")
	git(nil, "add", ".")
	git(nil, "commit", "-qm", "first")
	return dir, git
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// patches makes two commits on a branch and returns them as a series of mails.
func patches(t *testing.T) (git func([]byte, ...string) string, series []byte) {
	t.Helper()
	dir, git := repo(t)
	git(nil, "checkout", "-qb", "work")
	write(t, dir, "fair.c", "int a;\nint b = '='; /* na\u00efve */\n")
	git(nil, "commit", "-qam", "sched/fair: One = 1\n\nA table:\n\n  a   b\n\nSigned-off-by: Zo\u00eb <zoe@example.org>")
	write(t, dir, "fair.c", "int c;\nint b = '='; /* na\u00efve */\n")
	git(nil, "commit", "-qam", "sched/fair: Two\n\nFrom here on.")
	series = []byte(git(nil, "format-patch", "--stdout", "master"))
	git(nil, "checkout", "-q", "master")
	return git, series
}

// encoded gives the first mail of a series another transfer encoding.
func encoded(t *testing.T, series []byte, encoding string) []byte {
	t.Helper()
	end := bytes.Index(series, []byte("\n\nFrom ")) + 2
	first := series[:end]
	head, body, _ := bytes.Cut(first, []byte("\n\n"))
	var b bytes.Buffer
	for _, l := range strings.SplitAfter(string(head)+"\n", "\n") {
		if !strings.HasPrefix(l, "Content-Transfer-Encoding") {
			b.WriteString(l)
		}
	}
	b.WriteString("Content-Transfer-Encoding: " + encoding + "\n\n")
	if encoding == "base64" {
		coded := base64.StdEncoding.EncodeToString(body)
		for len(coded) > 76 {
			b.WriteString(coded[:76] + "\n")
			coded = coded[76:]
		}
		b.WriteString(coded + "\n\n")
	} else {
		w := quotedprintable.NewWriter(&b)
		if _, err := w.Write(body); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return append(bytes.ReplaceAll(b.Bytes(), []byte("\r\n"), []byte("\n")), series[end:]...)
}

// TestAttachGitAM: git am makes the same commits of a patch with a report in it as
// without, whatever its transfer encoding.
func TestAttachGitAM(t *testing.T) {
	git, series := patches(t)
	commits := func(patch []byte) string {
		t.Helper()
		git(nil, "checkout", "-q", "--detach", "master")
		git(patch, "am", "-q")
		return git(nil, "log", "--format=%H %T %an <%ae> %ad%n%B", "-p", "master..HEAD")
	}
	want := commits(series)
	if !strings.Contains(want, "Zo\u00eb Tester") || strings.Count(want, "diff --git") != 2 {
		t.Fatalf("the series gives\n%s", want)
	}
	for _, tc := range []struct {
		name   string
		patch  []byte
		number int
	}{
		{"8bit", series, 1},
		{"second", series, 2},
		{"quoted-printable", encoded(t, series, "quoted-printable"), 1},
		{"base64", encoded(t, series, "base64"), 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := commits(tc.patch); got != want {
				t.Fatalf("the encoding alone changes the commits:\n%s\nwant\n%s", got, want)
			}
			out, err := post.Attach(tc.patch, "p.patch", report, tc.number)
			if err != nil {
				t.Fatal(err)
			}
			if got := commits(out); got != want {
				t.Errorf("with the report in it git am makes\n%s\nwant\n%s", got, want)
			}
			if tc.name == "8bit" || tc.name == "second" {
				// All other bytes are untouched.
				if bytes.Count(out, []byte(report+"\n")) != 1 || !bytes.Equal(bytes.Replace(out, []byte(report+"\n"), nil, 1), tc.patch) {
					t.Errorf("more than the report was changed:\n%s", out)
				}
				if !bytes.Contains(out, []byte("\n---\n"+report+"\n fair.c |")) {
					t.Errorf("not between --- and the diffstat:\n%s", out)
				}
			}
		})
	}
}

func TestAttachErrors(t *testing.T) {
	const patch = "From: a@example.org\nSubject: x\n\nlog\n---\n f | 1 +\n\ndiff --git a/f b/f\n--- a/f\n+++ b/f\n"
	for _, tc := range []struct{ name, patch, text, want string }{
		{"no patch", "From: a@example.org\nSubject: x\n\nhello\n", "r\n", "p:1: no patch in it"},
		{"no ---", strings.Replace(patch, "---\n f | 1 +\n", "", 1), "r\n", `p:6: the patch has no line "---" above its diff, which begins here`},
		{"CRLF", strings.ReplaceAll(patch, "\n", "\r\n"), "r\n", "p:4: the line ends in CRLF"},
		{"CRLF further down", strings.Replace(patch, "log\n", "log\nmore\r\n", 1), "r\n", "p:5: the line ends in CRLF"},
		{"no --- in quoted-printable", strings.Replace(strings.Replace(patch, "---\n f | 1 +\n", "", 1), "Subject: x\n", "Subject: x\nContent-Transfer-Encoding: quoted-printable\n", 1), "r\n", "p:7: the patch has no line"},
		{"text with a hunk's head in a table", patch, "a\n+++ b\n", "line 2 of the text begins with"},
		{"text that is not ASCII", patch, "3 \u00b5s\n", "line 1 of the text"},
		{"number", patch, "r\n", ""},
		{"text like a diff", patch, "diff --git a b\n", "line 1 of the text begins with"},
		{"text like a hunk", patch, "a\n@@ -1 +1 @@\n", "line 2 of the text begins with"},
		{"flowed", strings.Replace(patch, "Subject: x\n", "Subject: x\nContent-Type: text/plain; format=flowed\n", 1), "r\n", "format=flowed"},
		{"bad base64", strings.Replace(patch, "Subject: x\n", "Subject: x\nContent-Transfer-Encoding: base64\n", 1), "r\n", "p:5: base64"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			number := 1
			if tc.want == "" {
				number, tc.want = 2, "there is no number 2"
			}
			out, err := post.Attach([]byte(tc.patch), "p", tc.text, number)
			if out != nil || err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%q, error %v, want one with %q", out, err, tc.want)
			}
		})
	}
}

// TestReply checks the header of an answer, and that git send-email takes it.
func TestReply(t *testing.T) {
	const patch = "From: =?utf-8?q?Zo=C3=AB?= <zoe@example.org>\nTo: list@example.org, \"B, C\" <bc@example.org>\nCc: d@example.org\n" +
		"Subject: [PATCH v2 1/2] sched/fair: a subject that is so long that the header has to be folded somewhere\n" +
		"Date: Tue, 08 Dec 2020 15:35:01 +0000\nMessage-ID: <1@example.org>\nReferences: <0@example.org>\n\nThe changelog.\n\nMore.\n---\n f | 1 +\n\ndiff --git a/f b/f\n"
	r := post.Reply{
		From: mail.Address{Name: "J\u00f6rg Tester", Address: "joerg@example.org"},
		Date: time.Date(2020, 12, 9, 10, 0, 0, 0, time.UTC), MessageID: "2@example.org",
		Text: report, Trailers: []string{"Tested-by: Joerg Tester <joerg@example.org>"},
	}
	out, err := r.Write([]byte(patch), "p")
	if err != nil {
		t.Fatal(err)
	}
	msg, err := mail.ReadMessage(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"From":        "=?utf-8?q?J=C3=B6rg_Tester?= <joerg@example.org>",
		"To":          "=?utf-8?q?Zo=C3=AB?= <zoe@example.org>",
		"Cc":          `<list@example.org>, "B, C" <bc@example.org>, <d@example.org>`,
		"Subject":     "Re: [PATCH v2 1/2] sched/fair: a subject that is so long that the header has to be folded somewhere",
		"In-Reply-To": "<1@example.org>",
		"References":  "<0@example.org> <1@example.org>",
	} {
		if got := msg.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if bytes.Contains(out, []byte("Content-Type")) {
		t.Error("an answer has no MIME parts")
	}
	for i, b := range out {
		if b >= 0x7f {
			t.Fatalf("byte %#x at %d is not ASCII", b, i)
		}
	}
	text := string(out)
	if !strings.Contains(text, "\n\nOn Tue, Dec 08, 2020 at 03:35:01PM +0000, Zoe wrote:\n> The changelog.\n>\n> More.\n\n"+report+"\nTested-by: ") {
		t.Errorf("body:\n%s", text)
	}
	t.Run("git send-email", func(t *testing.T) { sendEmail(t, out) })
	t.Run("mutt", func(t *testing.T) { mutt(t, out) })
}

// sendEmail runs a mail through git send-email, as far as sending.
func sendEmail(t *testing.T, mail []byte) {
	t.Helper()
	_, git := repo(t)
	// Exit status 129 where it is installed.
	if out, _ := exec.Command("git", "send-email", "-h").CombinedOutput(); strings.Contains(string(out), "not a git command") {
		t.Skip("git send-email is not installed (Debian: git-email)")
	}
	if out, err := exec.Command("perl", "-MMail::Address", "-e", "1").CombinedOutput(); err != nil {
		t.Skipf("git send-email lacks Mail::Address (Debian: libmailtools-perl): %.80s", out)
	}
	file := filepath.Join(t.TempDir(), "reply.eml")
	write(t, filepath.Dir(file), "reply.eml", string(mail))
	if got := git(nil, "send-email", "--dry-run", "--confirm=never", "--suppress-cc=all", "--to=list@example.org", "--from=joerg@example.org", file); !strings.Contains(got, "Dry-OK") && !strings.Contains(got, "Result: OK") {
		t.Errorf("git send-email: %s", got)
	}
}

// mutt runs a mail through mutt -H with a program in the place of sendmail: it goes
// out as it is, in answer to the same mail.
func mutt(t *testing.T, reply []byte) {
	t.Helper()
	if _, err := exec.LookPath("mutt"); err != nil {
		t.Skip("mutt is not installed")
	}
	dir := t.TempDir()
	write(t, dir, "reply.eml", string(reply))
	sendmail := filepath.Join(dir, "sendmail")
	if err := os.WriteFile(sendmail, []byte("#!/bin/sh\ncat > "+dir+"/sent\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("mutt", "-n", "-F", "/dev/null", "-e", `set sendmail="`+sendmail+`"`, "-e", "set copy=no", "-H", filepath.Join(dir, "reply.eml"))
	cmd.Env = append(os.Environ(), "HOME="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("mutt -H: %v\n%s", err, out)
	}
	sent, err := os.ReadFile(filepath.Join(dir, "sent"))
	if err != nil {
		t.Fatal(err)
	}
	was, is := message(t, reply), message(t, sent)
	for _, name := range []string{"Subject", "In-Reply-To", "References"} {
		if a, b := was.Header.Get(name), is.Header.Get(name); strings.Join(strings.Fields(a), " ") != strings.Join(strings.Fields(b), " ") {
			t.Errorf("mutt sends %s %q, of %q", name, b, a)
		}
	}
	if to, err := is.Header.AddressList("Cc"); err != nil || len(to) != 3 {
		t.Errorf("mutt sends copies to %v, %v", to, err)
	}
	a, _ := io.ReadAll(was.Body)
	b, _ := io.ReadAll(is.Body)
	if strings.TrimSpace(string(a)) != strings.TrimSpace(string(b)) {
		t.Errorf("mutt sends another text (-reply +sent):\n%s", cmp.Diff(string(a), string(b)))
	}
}

func message(t *testing.T, data []byte) *mail.Message {
	t.Helper()
	m, err := mail.ReadMessage(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// FuzzAttach: what is attached stays out of the message and the diff, and the rest as
// it is, whatever the file.
func FuzzAttach(f *testing.F) {
	f.Add([]byte("From: a@example.org\nSubject: x\n\nlog\n---\n f | 1 +\n\ndiff --git a/f b/f\n--- a/f\n+++ b/f\n"))
	f.Add([]byte("From x Mon Sep 17 00:00:00 2001\nFrom: a\nContent-Transfer-Encoding: base64\n\nbG9nCi0tLQpkaWZmIC0tZ2l0IGEvZiBiL2YK\n"))
	f.Add([]byte("From: a\nContent-Transfer-Encoding: quoted-printable\n\nlo=\ng\n---\ndiff --git a/f b/f\n"))
	f.Add([]byte("From: a\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nlog\n---\ndiff --git a/f b/f\n--x--\n"))
	f.Fuzz(func(t *testing.T, patch []byte) {
		out, err := post.Attach(patch, "p", report, 1)
		if err != nil {
			if out != nil {
				t.Error("an error and a patch")
			}
			return
		}
		if bytes.Contains(bytes.ToLower(patch), []byte("base64")) || bytes.Contains(bytes.ToLower(patch), []byte("quoted-printable")) {
			return
		}
		at := bytes.Index(out, []byte(report+"\n"))
		if at < 0 || !bytes.Equal(append(bytes.Clone(out[:at]), out[at+len(report)+1:]...), patch) {
			t.Errorf("more than the report was changed: %q gives %q", patch, out)
		}
	})
}

// FuzzReply: an answer is ASCII and can be read again.
func FuzzReply(f *testing.F) {
	f.Add([]byte("From: a@example.org\nSubject: x\nMessage-ID: <1@x>\n\nlog\n---\n"))
	f.Add([]byte("From: =?utf-8?q?Zo=C3=AB?= <z@x>\nTo: \"B, C\" <b@x>\nSubject: =?iso-8859-1?q?=B5?=\nMessage-ID: <1@x>\nReferences: <0@x>\n\n\xff\n"))
	f.Fuzz(func(t *testing.T, patch []byte) {
		out, err := post.Reply{From: mail.Address{Address: "a@example.org"}, Text: report}.Write(patch, "p")
		if err != nil {
			return
		}
		for i, b := range out {
			if b >= 0x7f || b < ' ' && b != '\n' && b != '\t' {
				t.Fatalf("byte %#x at %d of %q", b, i, out)
			}
		}
		if m, err := mail.ReadMessage(bytes.NewReader(out)); err != nil || m.Header.Get("In-Reply-To") == "" {
			t.Errorf("%v\n%q", err, out)
		}
	})
}

// TestReplyOdd: headers as bad as some archives have them.
func TestReplyOdd(t *testing.T) {
	reply := func(mail string) (string, error) {
		out, err := post.Reply{Text: "text\n\nLink: https://example.org/\n", Trailers: []string{"Fixes: 123456789abc (\"x\")"}}.Write([]byte(mail), "p")
		return string(out), err
	}
	for _, tc := range []struct{ name, mail, want, err string }{
		{"a quote that is not closed", "From: \"A B <a@example.org>\nMessage-ID: <1@x>\n\nlog\n", "To: a@example.org\n", ""},
		{"one block of trailers", "From: a@example.org\nMessage-ID: <1@x>\n\nlog\n", "\n\nLink: https://example.org/\nFixes: 123456789abc (\"x\")\n", ""},
		{"a Message-ID with a control character", "From: a@example.org\nMessage-ID: <1\x01@x>\n\nlog\n", "", "is none that can be answered"},
		{"no Message-ID", "From: a@example.org\n\nlog\n", "", "has no Message-ID to reply to"},
		{"no mail", "log\n", "", "p:1: no mail to reply to"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out, err := reply(tc.mail)
			if (err == nil) != (tc.err == "") || err != nil && !strings.Contains(err.Error(), tc.err) {
				t.Errorf("error %v, want %q", err, tc.err)
			}
			if !strings.Contains(out, tc.want) {
				t.Errorf("no %q in\n%s", tc.want, out)
			}
		})
	}
}
