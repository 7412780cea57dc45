package schedsim

import (
	"testing"
	"time"
)

// TestDiscard: pages that are given back go to the node of who touches them next,
// whatever state they were in, and nothing of the address space is lost.
func TestDiscard(t *testing.T) {
	w := newNUMAChaos(12)
	s := newNUMASched(t, numaMachine(2, 4, 2), w, NUMARework)
	simulateNUMA(t, s, 1200*time.Millisecond)
	if s.count.NUMAScans == 0 {
		t.Fatal("no scans, so no page is protected")
	}
	for i := range s.mem.regions {
		id := RegionID(i)
		if len(s.mem.regions[i].users) == 0 {
			continue
		}
		s.Discard(id)
		for n, pages := range s.NodePages(id) {
			if pages != 0 {
				t.Errorf("region %d: %d pages on node %d", i, pages, n)
			}
		}
	}
	if err := s.verifyNUMA(); err != nil {
		t.Fatal(err)
	}
	for i := range s.mem.mms {
		if rss := s.mem.mms[i].rss; rss != 0 {
			t.Errorf("mm %d: %d pages resident", i, rss)
		}
	}
	simulateNUMA(t, s, 600*time.Millisecond)
	sum := int64(0)
	for i := range s.mem.regions {
		for _, pages := range s.NodePages(RegionID(i)) {
			sum += pages
		}
	}
	if sum == 0 {
		t.Error("nobody touched any page again")
	}
}
