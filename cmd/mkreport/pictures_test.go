package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/schedlab/schedlab/schedsim/study"
)

// TestPictures records the stretches that a study names, once, and shows them.
func TestPictures(t *testing.T) {
	dir, out := madeUpStore(t, tested), t.TempDir()
	store, err := study.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	all, err := subjects([]string{tested}, "")
	if err != nil {
		t.Fatal(err)
	}
	var f planFlags
	cmd := &cobra.Command{}
	f.register(cmd)
	a := &app{stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}}
	if err := a.record(t.Context(), all[0], &f, store); err != nil {
		t.Fatal(err)
	}
	drawings := files(t, filepath.Join(dir, "pictures"))
	if len(drawings) != 2 {
		t.Fatalf("%d drawings, want one of each column", len(drawings))
	}
	// Once made they are taken from the store: one that was changed stays so.
	for name := range drawings {
		if err := store.PutDrawing(name, []byte(`<svg xmlns="http://www.w3.org/2000/svg"><desc>In the mean &lt;7 tasks.</desc></svg>`)); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.record(t.Context(), all[0], &f, store); err != nil {
		t.Fatal(err)
	}
	for name, now := range files(t, filepath.Join(dir, "pictures")) {
		if now == drawings[name] {
			t.Errorf("%s was drawn again", name)
		}
		if !strings.Contains(drawings[name], "<svg") || !strings.Contains(drawings[name], "<desc>80 CPUs, v5.10") {
			t.Errorf("%s is %.300s", name, drawings[name])
		}
	}
	if stdout, _ := want(t, exitDone, "store", "verify", "--store", dir); strings.Contains(stdout, "not a file of the store") {
		t.Errorf("verify: %s", stdout)
	}
	want(t, exitDone, append(strings.Fields("render "+tested+" "+madeUpPlan), "--store", dir, "-o", out)...)
	page, err := os.ReadFile(filepath.Join(out, tested+".html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []string{`<figure id="figure/queues-base">`, `<figure id="figure/queues-patched">`, `<figure id="figure/sets">`, "In the mean &lt;7 tasks."} {
		if !strings.Contains(string(page), w) {
			t.Errorf("the page lacks %s", w)
		}
	}
	for _, fault := range faults(page, out) {
		t.Error(fault)
	}
	// A drawing that was tampered with does not get into a page.
	for name := range drawings {
		if err := store.PutDrawing(name, []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>x</script></svg>`)); err != nil {
			t.Fatal(err)
		}
	}
	_, stderr := want(t, exitDone, append(strings.Fields("render "+tested+" "+madeUpPlan), "--store", dir, "-o", out)...)
	if !strings.Contains(stderr, "left out: <script> is not allowed in a drawing") {
		t.Errorf("stderr %s", stderr)
	}
	if page, err = os.ReadFile(filepath.Join(out, tested+".html")); err != nil || strings.Contains(string(page), "queues-base") {
		t.Errorf("the page has it all the same, %v", err)
	}
}
