package dump

import (
	"strings"
	"testing"
)

// The nodes of the X7550 machine: two of four sockets share node 0, because node
// 1 has no memory.
const nodesX7550 = "node 0 0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,32,34,36,38,40,42,44,46,48,50,52,54,56,58,60,62; " +
	"node 2 1,5,9,13,17,21,25,29,33,37,41,45,49,53,57,61; node 3 3,7,11,15,19,23,27,31,35,39,43,47,51,55,59,63"

const nodesEPYC = "node 0 0-5,48-53; node 1 6-11,54-59; node 2 12-17,60-65; node 3 18-23,66-71; " +
	"node 4 24-29,72-77; node 5 30-35,78-83; node 6 36-41,84-89; node 7 42-47,90-95"

// The sockets of the s390 machine have 2, 3, 3, 4, 1, 3 and 1 online CPUs.
const socketsS390 = "sockets 1x2+2x3+1x4+1x1+1x3+1x1"

const raptorLake = "CPUs 0-19; cores 6x2+8x1; sockets 1x20; L1d 6x48K for 6x2; L1d 8x32K for 8x1; L1i 8x64K for 8x1; " +
	"L1i 6x32K for 6x2; L2 2x2048K for 2x4; L2 6x1280K for 6x2; L3 1x24576K for 1x20"

const opteron865 = "CPUs 0-15; cores 16x1; sockets 8x2; L1d 16x64K for 16x1; L1i 16x64K for 16x1; L2 16x1024K for 16x1; " +
	"node 0 2-3 8190 MiB; node 1 0-1 8192 MiB; node 2 4-5 8192 MiB; node 3 10-11 8192 MiB; node 4 8-9 8192 MiB; " +
	"node 5 6-7 8192 MiB; node 6 12-13 8192 MiB; node 7 14-15 8192 MiB; distances [10 20 20 20 20 20 20 20]"

const opteronSparse = "CPUs 0-47; cores 48x1; sockets 4x12; L1d 48x64K for 48x1; L1i 48x64K for 48x1; L2 48x512K for 48x1; " +
	"L3 8x5118K for 8x6; node 0 0-5 8189 MiB; node 1 6-11 16384 MiB; node 2 12-17 8192 MiB; node 33 18-23 16384 MiB; " +
	"node 34 24-29 8192 MiB; node 45 30-35 16384 MiB; node 72 36-41 8192 MiB; node 73 42-47 16384 MiB; " +
	"distances [10 16 16 22 16 22 16 22]"

const haswellCaches = "cores 17x1; sockets 1x9+1x8; L1d 17x32K for 17x1; L1i 17x32K for 17x1; L2 17x256K for 17x1; " +
	"L3 2x30720K for 1x9+1x8; node 1 5,7,9,11,13,15,17,19 65536 MiB"

const opteron6328 = "CPUs 0-15; cores 8x2; sockets 2x8; L1d 16x16K for 16x1; L1i 8x64K for 8x2; L2 8x2048K for 8x2; " +
	"L3 4x6144K for 4x4; node 0 0-3; node 1 4-7; node 2 8-11; node 3 12-15"

// TestFiles holds what the tool says about each machine, as it was read in the
// file, or in another output of the same machine, by hand.
func TestFiles(t *testing.T) {
	tests := []struct {
		file         string
		format       Format
		arch, vendor string
		model        string // with family, model number and stepping
		want         string
		note         string // a part of a note; "" for no notes at all
	}{
		{"lscpu/e-fr.txt", LscpuExtended, "", "", "",
			"CPUs 0-7; cores 4x2; sockets 1x8; L1d 4x? for 4x2; L1i 4x? for 4x2; L2 4x? for 4x2; L3 1x? for 1x8; node 0 0-7", ""},
		{"lscpu/types-zero-counts.txt", LscpuSummary, "", "", "",
			`type "Cortex-A710" ; type "Cortex-X3" `, "txt:3: Thread(s) per core is 0"},
		{"lscpu/e-node-dash.json", LscpuExtJSON, "", "", "", "4 CPUs", "no column CPU"},
		{"lscpu/ultra9-24-sockets.txt", LscpuSummary, "", "", "Intel(R) Core(TM) Ultra 9 285K/6/198/",
			"counted 24 sockets x 1 cores x 1 threads", "24 sockets of 1 core are counted"},
		{"lscpu/power9-10-sockets.txt", LscpuSummary, "ppc64le", "", "POWER9 (architected), altivec supported//2.2 (pvr 004e 0202)/",
			"CPUs 0-79; counted 10 sockets x 1 cores x 8 threads; L1d 32K; L1i 32K; L2 512K; L3 10240K; node 0 0-79", "10 sockets of 1 core"},
		{"lscpu/jetson-nano-comma.txt", LscpuSummary, "aarch64", "ARM", "Cortex-A57//1/r1p1",
			"CPUs 0-1; offline 2-3; counted 1 sockets x 2 cores x 1 threads; L1d 32K; L1i 48K; L2 2048K", ""},
		{"lscpu/e-raptor-lake.txt", LscpuExtended, "", "", "",
			"CPUs 0-1; cores 2x1; sockets 1x2; L1d 2x? for 2x1; L1i 2x? for 2x1; L2 2x? for 2x1; L3 1x? for 1x2; node 0 0-1", ""},
		{"lscpu/power7-e.json", LscpuExtJSON, "", "", "",
			"CPUs 0-63; cores 16x4; sockets 16x4; L1d 16x? for 16x4; L1i 16x? for 16x4; node 0 0-63", ""},
		{"lscpu/power7.json", LscpuJSON, "", "", "POWER7 (architected), altivec supported//2.1 (pvr 003f 0201)/",
			"CPUs 0-63; counted 16 sockets x 1 cores x 4 threads; L1d 16x32K; L1i 16x32K; node 0 0-63; node 1 none", "prints the architecture x86_64"},
		{"lscpu/s390-lpar-e.txt", LscpuExtended, "", "", "",
			"CPUs 1-5,8-19; offline 0,6-7; cores 17x1; " + socketsS390 + "; books 1x5+1x12", ""},
		{"lscpu/sparc64-x.txt", LscpuSummary, "", "", "TI UltraSparc II (BlackBird)///",
			"CPUs 6-7,10-11,14-15; counted 6 sockets x 1 cores x 1 threads; L1d 6x16K; L1i 6x16K; L2 6x1024K", "prints the architecture x86_64"},
		{"lscpu/x7550-bytes.json", LscpuJSON, "x86_64", "GenuineIntel", "Intel(R) Xeon(R) CPU X7550 @ 2.00GHz/6/46/6",
			"CPUs 0-63; counted 4 sockets x 8 cores x 2 threads; L1d 32x32K; L1i 32x32K; L2 32x256K; L3 4x18432K; " + nodesX7550, ""},
		{"lscpu/x7550-caches.json", LscpuCachesJSON, "", "", "", "L1d 32x32K; L1i 32x32K; L2 32x256K; L3 4x18432K", ""},
		{"lscpu/x7550-e-de.txt", LscpuExtended, "", "", "",
			"CPUs 0-63; cores 32x2; sockets 4x16; L1d 32x? for 32x2; L1i 32x? for 32x2; L2 32x? for 32x2; L3 4x? for 4x16; " + nodesX7550, ""},
		{"lscpu/x7550-e-physical.txt", LscpuExtended, "", "", "",
			"CPUs 0-63; cores 32x2; sockets 4x16; L1d 32x? for 32x2; L1i 32x? for 32x2; L2 32x? for 32x2; L3 4x? for 4x16; " + nodesX7550, ""},
		{"lscpu/x7550-e.txt", LscpuExtended, "", "", "",
			"CPUs 0-63; cores 32x2; sockets 4x16; L1d 32x? for 32x2; L1i 32x? for 32x2; L2 32x? for 32x2; L3 4x? for 4x16; " + nodesX7550, ""},
		{"lscpu/ppc-qemu.txt", LscpuSummary, "", "", "740/750//3.1 (pvr 0008 0301)/",
			"CPUs 0; cores 1x1; sockets 1x1; L1d 1x? for 1x1; L1i 1x? for 1x1", ""},
		{"lscpu/power7.txt", LscpuSummary, "", "", "POWER7 (architected), altivec supported//2.1 (pvr 003f 0201)/",
			"CPUs 0-63; cores 16x4; sockets 16x4; L1d 16x32K for 16x4; L1i 16x32K for 16x4; node 0 0-63; node 1 none", "16 sockets of 1 core"},
		{"lscpu/s390-kvm.txt", LscpuSummary, "", "IBM/S390", "machine type 2817///", "CPUs 0-2; cores 3x1; sockets 3x1", "look like numbers of lscpu -y"},
		{"lscpu/s390-lpar.txt", LscpuSummary, "", "IBM/S390", "machine type 2817///",
			"CPUs 1-5,8-19; offline 0,6-7; cores 17x1; " + socketsS390, "multiply to 96, but there are 20 CPUs"},
		{"lscpu/opteron-6328.txt", LscpuSummary, "", "AuthenticAMD", "AMD Opteron(tm) Processor 6328/21/2/0", opteron6328, "L1d caches of their own"},
		{"lscpu/i7-1165g7.txt", LscpuSummary, "", "GenuineIntel", "11th Gen Intel(R) Core(TM) i7-1165G7 @ 2.80GHz/6/140/1",
			"CPUs 0-7; cores 4x2; sockets 1x8; L1d 4x48K for 4x2; L1i 4x32K for 4x2; L2 4x1280K for 4x2; L3 1x12288K for 1x8; node 0 0-7", ""},
		{"lscpu/x7550.txt", LscpuSummary, "", "GenuineIntel", "Intel(R) Xeon(R) CPU X7550 @ 2.00GHz/6/46/6",
			"CPUs 0-63; cores 32x2; sockets 4x16; L1d 32x32K for 32x2; L1i 32x32K for 32x2; L2 32x256K for 32x2; L3 4x18432K for 4x16; " + nodesX7550, ""},
		{"lscpu/epyc-7451.txt", LscpuSummary, "", "AuthenticAMD", "AMD EPYC 7451 24-Core Processor/23/1/2",
			"CPUs 0-95; cores 48x2; sockets 2x48; L1d 48x32K for 48x2; L1i 48x64K for 48x2; L2 48x512K for 48x2; L3 16x8192K for 16x6; " + nodesEPYC, ""},

		{"numactl/demotion.txt", Numactl, "", "", "",
			"CPUs 2-3; node 0 ?; node 1 2-3; node 2 none; node 3 none; node 4 none; distances [10 20 40 40 80]", `"n MB" is no size in MB`},
		{"numactl/one-node.txt", Numactl, "", "", "", "CPUs 0-1; node 0 0-1 8666 MiB; distances [10]", ""},
		{"numactl/sparse.txt", Numactl, "", "", "", "CPUs 0-15; node 0 0-15 0 MiB; node 2 none 7168 MiB; distances [10 40]", ""},
		{"numactl/cpuless.txt", Numactl, "", "", "",
			"CPUs 0-7; node 0 none 8664 MiB; node 1 none 5602 MiB; node 2 0-7 0 MiB; node 3 none 1023 MiB; distances [10 20 20 20]", ""},
		{"numactl/no-distance.txt", Numactl, "", "", "", "CPUs 0; node 0 0 16222 MiB", ""},
		{"numactl/memoryless.txt", Numactl, "", "", "",
			"CPUs 0-71; node 0 " + every(0, 71, 2) + " 128702 MiB; node 1 " + every(1, 71, 2) + " 0 MiB; distances [10 20]", ""},

		{"hwloc/arrow-lake-225u.xml", HwlocXML3, "", "GenuineIntel", "Intel(R) Core(TM) Ultra 5 225U/6/181/0",
			"CPUs 0-13; cores 2x2+10x1; sockets 1x14; L1d 2x48K for 2x2; L1d 10x32K for 10x1; L1i 12x64K for 2x2+10x1; " +
				"L2 5x2048K for 2x2+2x4+1x2; L3 1x12288K for 1x12; " +
				`type "IntelLowPower" 12-13; type "IntelAtom" 4-11; type "IntelCore" 0-3`, "made up the one NUMA node"},
		{"hwloc/cpusets-v3.xml", HwlocXML3, "", "", "",
			"CPUs 0-3,5-6,12-15; hidden 4,7-11; cores 10x1; sockets 2x2+2x1+2x2; L1d 10x64K for 10x1; L2 10x1024K for 10x1; " +
				"node 1 2-3 8192 MiB; node 2 5 8192 MiB; node 3 6 8192 MiB; node 4 none 8192 MiB; node 5 none 8192 MiB; distances [10 20 20 20 20]", ""},
		{"hwloc/cxl-v2.xml", HwlocXML2, "x86_64", "GenuineIntel", "QEMU Virtual CPU version 2.5+/15/107/1",
			"CPUs 0-3; cores 4x1; sockets 1x4; L1d 4x32K for 4x1; L1i 4x32K for 4x1; L2 4x4096K for 4x1; L3 1x16384K for 1x4; node 0 0-3 2919 MiB", ""},
		{"hwloc/distances-v1.11.xml", HwlocXML1, "x86_64", "AuthenticAMD", "Dual Core AMD Opteron(tm) Processor 865/15/33/0", opteron865, ""},
		{"hwloc/distances-v2.12.xml", HwlocXML2, "x86_64", "AuthenticAMD", "Dual Core AMD Opteron(tm) Processor 865/15/33/0", opteron865, ""},
		{"hwloc/knl-v3.xml", HwlocXML3, "x86_64", "GenuineIntel", "06/57/6/87/0",
			"CPUs 0-63; cores 16x4; sockets 1x64; L1d 16x32K for 16x4; L1i 16x32K for 16x4; L2 8x4096K for 8x8; " +
				"node 0 0-3,16-19,32-35,48-51 1024 MiB; node 1 4-7,20-23,36-39,52-55 1024 MiB; node 2 8-11,24-27,40-43,56-59 1024 MiB; " +
				"node 3 12-15,28-31,44-47,60-63 1024 MiB; node 4 none 2048 MiB; node 5 none 2048 MiB; node 6 none 2048 MiB; node 7 none 2048 MiB",
			"a cache in front of memory"},
		{"hwloc/offlines-v1.0.xml", HwlocXML1, "", "", "",
			"CPUs 0-1,3-4,6,12,15; offline 8,16; cores 3x1+1x2+2x1; sockets 1x3+1x1+1x2+1x1; " +
				"L1 6x16K for 3x1+1x2+2x1; L2 6x1024K for 3x1+1x2+2x1; L3 4x4096K for 1x3+1x1+1x2+1x1", ""},
		{"hwloc/offlines-v1.11.xml", HwlocXML1, "", "", "",
			"CPUs 0-1,3-4,6,12,15; offline 8,16; cores 3x1+1x2+2x1; sockets 1x3+1x1+1x2+1x1; " +
				"L1d 6x16K for 3x1+1x2+2x1; L2 6x1024K for 3x1+1x2+2x1; L3 4x4096K for 1x3+1x1+1x2+1x1", ""},
		{"hwloc/raptor-lake-1370p.xml", HwlocXML3, "", "GenuineIntel", "13th Gen Intel(R) Core(TM) i7-1370P/6/186/2",
			raptorLake + `; type "IntelAtom" 12-19; type "IntelCore" 0-11`, "made up the one NUMA node"},
		{"hwloc/raptor-lake-1370p-linux.xml", HwlocXML2, "x86_64", "GenuineIntel", "13th Gen Intel(R) Core(TM) i7-1370P/6/186/2",
			raptorLake + `; node 0 0-19 31728 MiB; type "" 12-19; type "" 0-11`, ""},
		{"hwloc/strix-point-hx370.xml", HwlocXML3, "", "AuthenticAMD", "AMD Ryzen AI 9 HX 370 w/ Radeon 890M/26/36/0",
			"CPUs 0-23; cores 12x2; sockets 1x24; L1d 12x48K for 12x2; L1i 12x32K for 12x2; L2 12x1024K for 12x2; " +
				`L3 1x16384K for 1x8; L3 1x8192K for 1x16; type "AMDEfficiency" 4-11,16-23; type "AMDPerformance" 0-3,12-15`, "made up the one NUMA node"},
		{"hwloc/epyc-7451-cpuid.xml", HwlocXML3, "", "AuthenticAMD", "AMD EPYC 7451 24-Core Processor/23/1/2",
			"CPUs 0-95; cores 48x2; sockets 2x48; L1d 48x32K for 48x2; L1i 48x64K for 48x2; L2 48x512K for 48x2; L3 16x8192K for 16x6", "made up the one NUMA node"},
		{"hwloc/opteron-sparse.xml", HwlocXML2, "", "", "AMD Engineering Sample///", opteronSparse, ""},
		{"hwloc/offline-e5-2680v3.xml", HwlocXML2, "x86_64", "GenuineIntel", "Intel(R) Xeon(R) CPU E5-2680 v3 @ 2.50GHz/6/63/2",
			"CPUs 4-20; hidden 0-3,21-23; " + haswellCaches, "are in no node"},

		{"sysfs/opteron-sparse.tar.bz2", Sysfs, "x86_64", "AuthenticAMD", "AMD Engineering Sample/16/9/1", opteronSparse, ""},
		{"sysfs/asymmetric-caches.txt", Sysfs, "x86_64", "GenuineIntel", "Intel(R) Xeon(R) CPU E5345 @ 2.33GHz/6/15/7",
			"CPUs 0-7; cores 8x1; sockets 2x4; L1d 5x32K for 5x1; L1i 5x32K for 5x1; L2 3x4096K for 3x2; node 0 0-7 16378 MiB; distances [10]", ""},
		{"sysfs/offline-e5-2680v3.tar.bz2", Sysfs, "x86_64", "GenuineIntel", "Intel(R) Xeon(R) CPU E5-2680 v3 @ 2.50GHz/6/63/2",
			"CPUs 4-20; offline 0-3,21-23; " + haswellCaches + "; distances [10]", "distances to all possible nodes"},
		{"sysfs/snapdragon-8-gen-2.txt", Sysfs, "aarch64", "ARM", "",
			"CPUs 0-7; cores 8x1; sockets 1x3+1x4+1x1; L1d 8x? for 8x1; L1i 8x? for 8x1; L2 7x? for 1x1+1x2+5x1; L3 1x? for 1x8; " +
				`type "Cortex-A510" 0-2; type "Cortex-A715" 3-4; type "Cortex-A710" 5-6; type "Cortex-X3" 7`, "one L3 cache is shared by several sockets"},
		{"sysfs/armv7.txt", Sysfs, "arm", "ARM", "Cortex-A15///r0p4", "CPUs 0-1; cores 2x1; sockets 1x2", ""},
		{"sysfs/s390-drawers.txt", Sysfs, "s390x", "IBM/S390", "machine type 2964///",
			"CPUs 0-1; cores 2x1; sockets 2x1; books 2x1; drawers 2x1; L1d 2x128K for 2x1; L1i 2x96K for 2x1; " +
				"L2d 2x2048K for 2x1; L2i 2x2048K for 2x1; L3 65536K; L4 491520K; node 0 0-1", ""},
		{"sysfs/opteron-6328.tar.gz", Sysfs, "x86_64", "AuthenticAMD", "AMD Opteron(tm) Processor 6328/21/2/0", opteron6328, "L1d caches of their own"},
	}
	for _, test := range tests {
		t.Run(test.file, func(t *testing.T) {
			f := read(t, test.file)
			if got := f.String(); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if f.Sources[0].Format != test.format || f.Arch != test.arch || f.Vendor != test.vendor {
				t.Errorf("%s of %q, %q", f.Sources[0].Format, f.Arch, f.Vendor)
			}
			model := strings.Join([]string{f.Model, f.Family, f.ModelNumber, f.Stepping}, "/")
			if model != test.model && strings.Trim(model, "/") != test.model {
				t.Errorf("model %q, want %q", model, test.model)
			}
			notes := strings.Join(f.Notes, "\n")
			if !strings.Contains(notes, test.note) {
				t.Errorf("notes %q lack %q", notes, test.note)
			}
			if test.note == "" && notes != "" && !strings.Contains(notes, "are in no node") {
				t.Errorf("unexpected notes %q", notes)
			}
			if err := f.Check(); err != nil {
				t.Error(err)
			}
		})
	}
}

// every writes the list of numbers from first to last in steps.
func every(first, last, step int) string {
	var s CPUSet
	for i := first; i <= last; i += step {
		s = append(s, i)
	}
	return s.String()
}

func TestRefused(t *testing.T) {
	for _, file := range []string{"hwloc/console-offline.txt", "hwloc/console-opteron-sparse.txt"} {
		f, err := readTest(file)
		if err == nil || f != nil || !strings.Contains(err.Error(), file+":1: ") || !strings.Contains(err.Error(), "run lstopo --of xml") {
			t.Errorf("%s: %v, %v", file, f, err)
		}
	}
}
