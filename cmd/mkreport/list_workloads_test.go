package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/schedlab/schedlab/schedsim/study"
	"github.com/schedlab/schedlab/schedsim/workload"
)

// TestListWorkloads: every workload and each of its parameters has a line and an
// object, and a workload names the studies that run it.
func TestListWorkloads(t *testing.T) {
	text, _ := want(t, exitDone, "list", "workloads")
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")[1:]
	out, _ := want(t, exitDone, "list", "workloads", "--json")
	var items []struct {
		Name    string
		Studies []string
		Params  []listedParam
	}
	if err := json.Unmarshal([]byte(out), &items); err != nil {
		t.Fatal(err)
	}
	specs := workload.Specs()
	if len(items) != len(specs) {
		t.Fatalf("%d objects, want %d", len(items), len(specs))
	}
	for i, s := range specs {
		if items[i].Name != s.Name || len(items[i].Params) != len(s.Params) {
			t.Errorf("object %d is %s with %d parameters, want %s with %d", i, items[i].Name, len(items[i].Params), s.Name, len(s.Params))
		}
		for _, name := range append([]string{""}, paramNames(s)...) {
			if len(lines) == 0 || !strings.HasPrefix(lines[0], s.Name) || !strings.Contains(lines[0], name) {
				t.Fatalf("no line for %s %s", s.Name, name)
			}
			lines = lines[1:]
		}
		if s.Name == "tbench" && !strings.Contains(strings.Join(items[i].Studies, " "), "gorman2020-idle-candidate") {
			t.Errorf("studies of tbench: %v", items[i].Studies)
		}
	}
}

func paramNames(s workload.Spec) []string {
	var names []string
	for _, p := range s.Params {
		names = append(names, p.Name)
	}
	return names
}

// TestListStudies: every study has a line and an object.
func TestListStudies(t *testing.T) {
	text, _ := want(t, exitDone, "list", "studies")
	out, _ := want(t, exitDone, "list", "studies", "--json")
	var items []map[string]string
	if err := json.Unmarshal([]byte(out), &items); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) != len(study.IDs()) || len(items) != len(lines) {
		t.Fatalf("%d lines and %d objects for %d studies", len(lines), len(items), len(study.IDs()))
	}
	for i, id := range study.IDs() {
		if !strings.HasPrefix(lines[i], id) || items[i]["id"] != id || items[i]["title"] == "" {
			t.Errorf("%s: line %q, object %v", id, lines[i], items[i])
		}
	}
}
