package main

import (
	"strings"
	"testing"

	"github.com/schedlab/schedlab/schedsim/study"
)

// TestRenderWhatThereIs: without a name the studies that have runs are written up, and
// of the others it is said; one that was named has to have some.
func TestRenderWhatThereIs(t *testing.T) {
	dir, out := madeUpStore(t, tested), t.TempDir()
	render := append(strings.Fields("render "+madeUpPlan), "--store", dir, "-o", out)
	_, stderr := want(t, exitDone, render...)
	written := files(t, out)
	for _, id := range study.IDs() {
		_, have := written[id+".html"]
		lacks := strings.Contains(stderr, id+": no run of its quick plan is in "+dir+"; run 'mkreport run "+id)
		if have != (id == tested) || lacks == have {
			t.Errorf("%s: written %v, said to lack runs %v", id, have, lacks)
		}
	}
	for _, id := range study.IDs() {
		if id != tested {
			want(t, exitFailed, append(render, tested, id)...)
		}
	}
}
