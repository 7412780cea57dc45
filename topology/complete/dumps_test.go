package complete

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/schedlab/schedlab/topology/dump"
)

// TestDumps makes machines of what tools printed on real ones: the numbers of
// parts are those that the tool itself has, or there is a reason why not.
func TestDumps(t *testing.T) {
	const even = "0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,32,34,36,38,40,42,44,46,48,50,52,54,56,58,60,62,64,66,68,70"
	tests := []struct{ file, arch, want, err string }{
		{"lscpu/e-fr.txt", "x86_64", "1 sockets 1 nodes 1 LLCs 4 L2s 4 cores 8 CPUs: core 0,4, l2 0,4, llc 0-7, node 0-7, socket 0-7", ""},
		{"lscpu/e-node-dash.json", "x86_64", "1 sockets 1 nodes 1 LLCs 4 L2s 4 cores 4 CPUs: core 0, l2 0, llc 0-3, node 0-3, socket 0-3", ""},
		{"lscpu/e-raptor-lake.txt", "x86_64", "1 sockets 1 nodes 1 LLCs 2 L2s 2 cores 2 CPUs: core 0, l2 0, llc 0-1, node 0-1, socket 0-1", ""},
		{"lscpu/epyc-7451.txt", "", "2 sockets 8 nodes 16 LLCs 48 L2s 48 cores 96 CPUs: core 0,48, l2 0,48, llc 0-2,48-50, node 0-5,48-53, socket 0-23,48-71", ""},
		{"lscpu/i7-1165g7.txt", "", "1 sockets 1 nodes 1 LLCs 4 L2s 4 cores 8 CPUs: core 0,4, l2 0,4, llc 0-7, node 0-7, socket 0-7", ""},
		{"lscpu/jetson-nano-comma.txt", "", "1 sockets 1 nodes 2 LLCs 2 L2s 2 cores 2 CPUs: core 0, l2 0, llc 0, node 0-1, socket 0-1, off 2-3", ""},
		{"lscpu/opteron-6328.txt", "", "2 sockets 4 nodes 4 LLCs 8 L2s 8 cores 16 CPUs: core 0-1, l2 0-1, llc 0-3, node 0-3, socket 0-7", ""},
		{"lscpu/power7.json", "ppc64", "1 sockets 2 nodes 1 LLCs 16 L2s 16 cores 64 CPUs: core 0-3, l2 0-3, llc 0-63, node 0-63, socket 0-63", ""},
		{"lscpu/power9-10-sockets.txt", "", "1 sockets 1 nodes 10 LLCs 10 L2s 10 cores 80 CPUs: core 0-7, l2 0-7, llc 0-7, node 0-79, socket 0-79", ""},
		{"lscpu/ppc-qemu.txt", "ppc64", "1 sockets 1 nodes 1 LLCs 1 L2s 1 cores 1 CPUs: core 0, l2 0, llc 0, node 0, socket 0", ""},
		{"lscpu/s390-kvm.txt", "s390x", "3 sockets 1 nodes 3 LLCs 3 L2s 3 cores 3 CPUs: core 0, l2 0, llc 0, node 0-2, socket 0", ""},
		{"lscpu/sparc64-x.txt", "sparc64", "6 sockets 1 nodes 6 LLCs 6 L2s 6 cores 6 CPUs: core 6, l2 6, llc 6, node 6-7,10-11,14-15, socket 6, off 0-5,8-9,12-13", ""},
		{"lscpu/ultra9-24-sockets.txt", "x86_64", "", "names or counts CPUs that are online"},
		{"lscpu/types-zero-counts.txt", "arm64", "", "names or counts CPUs that are online"},
		{"lscpu/x7550.txt", "", "4 sockets 3 nodes 4 LLCs 32 L2s 32 cores 64 CPUs: core 0,32, l2 0,32, llc 0,4,8,12,16,20,24,28,32,36,40,44,48,52,56,60, node 0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,32,34,36,38,40,42,44,46,48,50,52,54,56,58,60,62, socket 0,4,8,12,16,20,24,28,32,36,40,44,48,52,56,60", ""},
		{"hwloc/arrow-lake-225u.xml", "", "1 sockets 1 nodes 2 LLCs 5 L2s 12 cores 14 CPUs: core 0-1, l2 0-1, llc 0-11, node 0-13, socket 0-13", ""},
		{"hwloc/cpusets-v3.xml", "x86_64", "", "CPUs 0-1,12-15 are on no NUMA node, give the output of numactl -H"},
		{"hwloc/cxl-v2.xml", "", "1 sockets 1 nodes 1 LLCs 4 L2s 4 cores 4 CPUs: core 0, l2 0, llc 0-3, node 0-3, socket 0-3", ""},
		{"hwloc/epyc-7451-cpuid.xml", "", "2 sockets 1 nodes 16 LLCs 48 L2s 48 cores 96 CPUs: core 0,48, l2 0,48, llc 0-2,48-50, node 0-95, socket 0-23,48-71", ""},
		{"hwloc/knl-v3.xml", "", "1 sockets 8 nodes 8 LLCs 8 L2s 16 cores 64 CPUs: core 0,16,32,48, l2 0-1,16-17,32-33,48-49, llc 0-1,16-17,32-33,48-49, node 0-3,16-19,32-35,48-51, socket 0-63", ""},
		{"hwloc/offline-e5-2680v3.xml", "", "2 sockets 1 nodes 2 LLCs 17 L2s 17 cores 17 CPUs: core 4, l2 4, llc 4,6,8,10,12,14,16,18,20, node 4-20, socket 4,6,8,10,12,14,16,18,20, off 0-3,21-23", ""},
		{"hwloc/opteron-sparse.xml", "", "4 sockets 8 nodes 8 LLCs 48 L2s 48 cores 48 CPUs: core 0, l2 0, llc 0-5, node 0-5, socket 0-11", ""},
		{"hwloc/raptor-lake-1370p.xml", "", "1 sockets 1 nodes 1 LLCs 8 L2s 14 cores 20 CPUs: core 0-1, l2 0-1, llc 0-19, node 0-19, socket 0-19", ""},
		{"hwloc/strix-point-hx370.xml", "", "1 sockets 1 nodes 2 LLCs 12 L2s 12 cores 24 CPUs: core 0,12, l2 0,12, llc 0-3,12-15, node 0-23, socket 0-23", ""},
		{"numactl/cpuless.txt", "ppc64", "1 sockets 4 nodes 1 LLCs 8 L2s 8 cores 8 CPUs: core 0, l2 0, llc 0-7, node 0-7, socket 0-7", ""},
		{"numactl/demotion.txt", "x86_64", "", "does not name all CPUs of the machine"},
		{"numactl/memoryless.txt", "x86_64", "2 sockets 2 nodes 2 LLCs 72 L2s 72 cores 72 CPUs: core 0, l2 0, llc " + even + ", node " + even + ", socket " + even, ""},
		{"numactl/sparse.txt", "ppc64", "1 sockets 2 nodes 1 LLCs 16 L2s 16 cores 16 CPUs: core 0, l2 0, llc 0-15, node 0-15, socket 0-15", ""},
		{"sysfs/opteron-sparse.tar.bz2", "", "4 sockets 8 nodes 8 LLCs 48 L2s 48 cores 48 CPUs: core 0, l2 0, llc 0-5, node 0-5, socket 0-11", ""},
		{"sysfs/opteron-6328.tar.gz", "", "2 sockets 4 nodes 4 LLCs 8 L2s 8 cores 16 CPUs: core 0-1, l2 0-1, llc 0-3, node 0-3, socket 0-7", ""},
		{"sysfs/offline-e5-2680v3.tar.bz2", "", "2 sockets 1 nodes 2 LLCs 17 L2s 17 cores 17 CPUs: core 4, l2 4, llc 4,6,8,10,12,14,16,18,20, node 4-20, socket 4,6,8,10,12,14,16,18,20, off 0-3,21-23", ""},
	}
	for _, test := range tests {
		t.Run(test.file, func(t *testing.T) {
			file := filepath.Join("..", "dump", "testdata", test.file)
			if _, err := os.Stat(file); err != nil {
				t.Fatal(err)
			}
			f, err := dump.ReadPath(file)
			if err != nil {
				t.Fatal(err)
			}
			m, err := Machine(f, Options{ID: "test", Arch: test.arch})
			checkError(t, err, test.err)
			if err == nil && shape(m) != test.want {
				t.Errorf("got  %s\nwant %s", shape(m), test.want)
			}
		})
	}
}
