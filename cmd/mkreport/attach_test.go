package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// dialects has tables of posts.
const dialects = "../../reports/dialect/testdata/"

const patchText = "From 0123456789abcdef0123456789abcdef01234567 Mon Sep 17 00:00:00 2001\nFrom: A <a@example.org>\n" +
	"Date: Tue, 8 Dec 2020 15:35:01 +0000\nMessage-ID: <1@example.org>\nSubject: [PATCH] x\n\nlog\n---\n f | 2 +-\n\ndiff --git a/f b/f\n--- a/f\n+++ b/f\n"

// testAttach puts the report of a stored run into a patch, in all ways.
func testAttach(t *testing.T, ref place, report string) {
	patch := filepath.Join(t.TempDir(), "p.patch")
	if err := os.WriteFile(patch, []byte(patchText), 0o640); err != nil {
		t.Fatal(err)
	}
	args := func(words ...string) []string {
		all := append([]string{"attach", "--study", tested, "--store", ref.store}, strings.Fields(tinyPlan)...)
		return append(append(all, words...), patch)
	}
	with := strings.Replace(patchText, "\n---\n", "\n---\n"+report+"\n", 1)
	if stdout, _ := want(t, exitDone, args()...); stdout != with {
		t.Errorf("attached:\n%s", stdout)
	}
	stdout, _ := want(t, exitDone, args("--reply", "--from", "B <b@example.org>", "--tested-by", "B <b@example.org>", "--fixes", `85e511df3cec9 ("sched: y")`)...)
	for _, s := range []string{"In-Reply-To: <1@example.org>\n", "Subject: Re: [PATCH] x\n", "\n> log\n\n", report, "\nFixes: 85e511df3cec (\"sched: y\")\nTested-by: B <b@example.org>\n"} {
		if !strings.Contains(stdout, s) {
			t.Errorf("no %q in the reply:\n%s", s, stdout)
		}
	}
	stdout, _ = want(t, exitDone, args("--notes")...)
	if !strings.HasPrefix(stdout, "git notes --ref=schedlab add -f -F - 0123456789abcdef0123456789abcdef01234567 <<'") || !strings.Contains(stdout, report) {
		t.Errorf("notes:\n%s", stdout)
	}
	want(t, exitUsage, args("--reply", "--from", "nobody")...)
	want(t, exitUsage, args("--reply", "--from", "b@example.org", "--tested-by", "b@example.org")...)
	want(t, exitFailed, args("--number", "2")...)
	if got, _ := os.ReadFile(patch); string(got) != patchText {
		t.Error("a failure changed the patch")
	}
	want(t, exitDone, args("--in-place")...)
	if got, _ := os.ReadFile(patch); string(got) != with {
		t.Errorf("in place:\n%s", got)
	}
}
