package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const overlayFiles = "../../reports/overlay/testdata/"

// TestMeasured puts results of a machine beside a study, in every form.
func TestMeasured(t *testing.T) {
	store, out := madeUpStore(t, tested, "lawall2020-idle-prev"), t.TempDir()
	render := func(words ...string) (stdout, stderr string) {
		return want(t, exitDone, append(append([]string{"render"}, strings.Fields(madeUpPlan)...), append([]string{"--store", store, "-o", out}, words...)...)...)
	}
	_, stderr := render(tested, "--measured", overlayFiles+"tbench-base.log,base", "--measured", overlayFiles+"tbench-patched.log,patched")
	if w := "tbench-base.log:13: throughput [clients=63] is of no row"; !strings.Contains(stderr, w) {
		t.Errorf("no %q in %s", w, stderr)
	}
	for name, wants := range map[string][]string{
		tested + ".md":          {"| measured here % |", "### Measured here", " 1000.44 ±9.75 (3) |", "throughput [clients=63] (tbench-base.log:13)"},
		tested + ".html":        {">measured here %<", `<tr id="measured/64">`, ">1000.44 ±9.75 (3)<"},
		tested + ".txt":         {"\nMeasured here\n", " 1000.44 +-9.75 (3) "},
		tested + "-effect.svg":  {"measured here, with interval", "#009E73"},
		tested + "-scaling.svg": {"base, measured here", "patched, measured here"},
	} {
		data, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range wants {
			if !strings.Contains(string(data), w) {
				t.Errorf("no %q in %s", w, name)
			}
		}
		if filepath.Ext(name) == ".html" {
			for _, fault := range faults(data, out) {
				t.Errorf("%s: %s", name, fault)
			}
		}
	}
	patch := filepath.Join(t.TempDir(), "x.patch")
	if err := os.WriteFile(patch, []byte("From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\nFrom: A <a@example.org>\nDate: Mon, 1 Jan 2024 00:00:00 +0000\nSubject: [PATCH] x\n\ny\n---\n x | 1 +\n 1 file changed, 1 insertion(+)\n\ndiff --git a/x b/x\nindex e69de29..d00491f 100644\n--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+1\n-- \n2.43.0\n\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	stdout, _ := want(t, exitDone, append(strings.Fields("attach --study "+tested+" "+madeUpPlan), "--store", store, "--measured", overlayFiles+"tbench-base.log,base", patch)...)
	if w := " 1000.44 +-9.75 (3) "; !strings.Contains(stdout, w) {
		t.Errorf("no %q in %s", w, stdout)
	}
	// Of a study with several tables, the table has to be told.
	render("lawall2020-idle-prev", "--measured", overlayFiles+"nas.txt,table=nas-active")
	_, stderr = want(t, exitFailed, append(strings.Fields("render lawall2020-idle-prev "+madeUpPlan), "--store", store, "-o", out, "--measured", overlayFiles+"nas.txt")...)
	if w := "nas.txt:2: bt.C.c [kernel=v5.9/active] is of several rows: nas-active/bt, nas-passive/bt"; !strings.Contains(stderr, w) {
		t.Errorf("no %q in %s", w, stderr)
	}
}
