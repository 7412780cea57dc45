package dump

import (
	"slices"
	"strings"
	"testing"
)

// TestViewsAgree merges several outputs of one machine. They have to agree, but
// for what is listed.
func TestViewsAgree(t *testing.T) {
	tests := []struct {
		name      string
		files     []string
		want      string // of the merged Facts; all of it
		conflicts []string
	}{
		{"X7550", []string{"lscpu/x7550.txt", "lscpu/x7550-e.txt", "lscpu/x7550-e-de.txt", "lscpu/x7550-e-physical.txt",
			"lscpu/x7550-bytes.json", "lscpu/x7550-caches.json"},
			"CPUs 0-63; cores 32x2; sockets 4x16; L1d 32x32K for 32x2; L1i 32x32K for 32x2; L2 32x256K for 32x2; L3 4x18432K for 4x16; " + nodesX7550, nil},
		{"X7550 in pieces", []string{"lscpu/x7550-caches.json", "lscpu/x7550-e.txt"},
			"CPUs 0-63; cores 32x2; sockets 4x16; L1d 32x32K for 32x2; L1i 32x32K for 32x2; L2 32x256K for 32x2; L3 4x18432K for 4x16; " + nodesX7550, nil},
		{"POWER7", []string{"lscpu/power7-e.json", "lscpu/power7.json", "lscpu/power7.txt"},
			"CPUs 0-63; cores 16x4; sockets 16x4; L1d 16x32K for 16x4; L1i 16x32K for 16x4; node 0 0-63; node 1 none", nil},
		{"s390 LPAR", []string{"lscpu/s390-lpar.txt", "lscpu/s390-lpar-e.txt"},
			"CPUs 1-5,8-19; offline 0,6-7; cores 17x1; " + socketsS390 + "; books 1x5+1x12", nil},
		{"CPU 0 offline", []string{"hwloc/offline-e5-2680v3.xml", "sysfs/offline-e5-2680v3.tar.bz2"},
			"CPUs 4-20; offline 0-3,21-23; " + haswellCaches + "; distances [10]", nil},
		{"sparse nodes", []string{"hwloc/opteron-sparse.xml", "sysfs/opteron-sparse.tar.bz2"}, opteronSparse, nil},
		{"AMD modules", []string{"lscpu/opteron-6328.txt", "sysfs/opteron-6328.tar.gz"}, opteron6328, nil},
		{"EPYC with and without nodes", []string{"hwloc/epyc-7451-cpuid.xml", "lscpu/epyc-7451.txt"},
			"CPUs 0-95; cores 48x2; sockets 2x48; L1d 48x32K for 48x2; L1i 48x64K for 48x2; L2 48x512K for 48x2; L3 16x8192K for 16x6; " + nodesEPYC, nil},
		{"hybrid by Linux and CPUID", []string{"hwloc/raptor-lake-1370p-linux.xml", "hwloc/raptor-lake-1370p.xml"},
			raptorLake + `; node 0 0-19 31728 MiB; type "IntelAtom" 12-19; type "IntelCore" 0-11`, nil},
		{"hwloc 1.0 and 1.11", []string{"hwloc/offlines-v1.0.xml", "hwloc/offlines-v1.11.xml"},
			"CPUs 0-1,3-4,6,12,15; offline 8,16; cores 3x1+1x2+2x1; sockets 1x3+1x1+1x2+1x1; " +
				"L1d 6x16K for 3x1+1x2+2x1; L2 6x1024K for 3x1+1x2+2x1; L3 4x4096K for 1x3+1x1+1x2+1x1", nil},
		{"hwloc 1.11 and 2.12", []string{"hwloc/distances-v1.11.xml", "hwloc/distances-v2.12.xml"}, opteron865, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var views []*Facts
			for _, file := range test.files {
				views = append(views, read(t, file))
			}
			for range 2 {
				f, conflicts := Merge(views...)
				if got := sayConflicts(conflicts); !slices.Equal(got, test.conflicts) {
					t.Errorf("conflicts\n%s", strings.Join(got, "\n"))
				}
				if f == nil {
					t.Fatal("nothing merged")
				}
				if f.String() != test.want {
					t.Errorf("got  %s\nwant %s", f, test.want)
				}
				slices.Reverse(views) // the order does not matter
			}
		})
	}
}

func sayConflicts(conflicts []Conflict) []string {
	var all []string
	for _, c := range conflicts {
		all = append(all, c.String())
	}
	return all
}

// TestDistancesAgree compares whole tables, of which String has the first row
// only.
func TestDistancesAgree(t *testing.T) {
	xml, dump := read(t, "hwloc/opteron-sparse.xml").Distances, read(t, "sysfs/opteron-sparse.tar.bz2").Distances
	want := [][]int{
		{10, 16, 16, 22, 16, 22, 16, 22},
		{16, 10, 22, 16, 16, 22, 22, 16},
		{16, 22, 10, 16, 16, 16, 16, 16},
		{22, 16, 16, 10, 16, 16, 22, 22},
		{16, 16, 16, 16, 10, 16, 16, 22},
		{22, 22, 16, 16, 16, 10, 22, 16},
		{16, 22, 16, 22, 16, 22, 10, 16},
		{22, 16, 16, 22, 22, 16, 16, 10},
	}
	for _, d := range []*Distances{xml, dump} {
		if !slices.Equal(d.Nodes, []int{0, 1, 2, 33, 34, 45, 72, 73}) || !slices.EqualFunc(d.Values, want, slices.Equal) {
			t.Errorf("%v\n%v", d.Nodes, d.Values)
		}
	}
}
