package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/schedlab/schedlab/schedsim"
)

// TestListMechanisms: each mechanism and each omission has a line and an object.
// What they say is held by docs/model.md.
func TestListMechanisms(t *testing.T) {
	names := []string{}
	for _, m := range schedsim.Mechanisms() {
		names = append(names, m.Name)
	}
	modelled := len(names)
	for _, o := range schedsim.LeftOut() {
		names = append(names, o.What)
	}

	text, _ := want(t, exitDone, "list", "mechanisms")
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) != len(names)+1 {
		t.Fatalf("%d lines, want a head and %d", len(lines), len(names))
	}
	for _, v := range schedsim.FormVersions() {
		if !strings.Contains(lines[0], v) {
			t.Errorf("head %q has no column of %s", lines[0], v)
		}
	}

	out, _ := want(t, exitDone, "list", "mechanisms", "--json")
	var items []listedMechanism
	if err := json.Unmarshal([]byte(out), &items); err != nil {
		t.Fatal(err)
	}
	if len(items) != len(names) {
		t.Fatalf("%d objects, want %d", len(items), len(names))
	}
	for i, name := range names {
		item := items[i]
		if item.Name != name || !strings.Contains(lines[i+1], name) {
			t.Errorf("number %d is %q in JSON and %q in the text, want %s", i, item.Name, lines[i+1], name)
		}
		whole := len(item.Versions) == len(schedsim.FormVersions()) && len(item.Where) > 0
		if item.Modelled != (i < modelled) || item.Modelled != whole || item.Modelled == (item.Why != "") {
			t.Errorf("%s: %+v", name, item)
		}
	}
}
