package dump

import (
	"strings"
	"testing"
)

func TestCPUInfo(t *testing.T) {
	x86 := func(id, socket, core, siblings, cores string) string {
		return "processor\t: " + id + "\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\nmodel name\t: Intel(R) Xeon(R)   Gold 6230\nstepping\t: 7\n" +
			"cpu MHz\t\t: 2100.000\nphysical id\t: " + socket + "\nsiblings\t: " + siblings + "\ncore id\t\t: " + core + "\ncpu cores\t: " + cores +
			"\nflags\t\t: fpu lm hwp\n\n"
	}
	amd := func(text string) string {
		return strings.NewReplacer("GenuineIntel", "AuthenticAMD", "cpu family\t: 6", "cpu family\t: 16").Replace(text)
	}
	tests := []struct{ name, text, names, want, note string }{
		{"x86", x86("0", "0", "0", "2", "1") + x86("1", "1", "0", "2", "1") + x86("2", "0", "0", "2", "1") + x86("3", "1", "0", "2", "1"),
			"x86_64 GenuineIntel Intel(R) Xeon(R) Gold 6230 6/85/7", "CPUs 0-3; cores 2x2; sockets 2x2", ""},
		{"x86 in a virtual machine", x86("0", "0", "0", "1", "1") + x86("1", "0", "0", "1", "1"),
			"x86_64 GenuineIntel Intel(R) Xeon(R) Gold 6230 6/85/7", "CPUs 0-1; sockets 1x2", "have one core id, but there are 1 cores for 1 siblings"},
		{"AMD of two nodes", amd(x86("0", "0", "0", "2", "2") + x86("1", "0", "0", "2", "2")),
			"x86_64 AuthenticAMD Intel(R) Xeon(R) Gold 6230 16/85/7", "CPUs 0-1; sockets 1x2", "AMD before Zen"},
		{"Arm", "processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\nCPU revision\t: 1\n\n",
			"aarch64 ARM Neoverse-N1 //r3p1", "CPUs 0", ""},
		{"Arm core that is not known", "processor\t: 0\nCPU implementer\t: 0x99\nCPU architecture: 8\nCPU part\t: 0x123\n", "aarch64 0x99 0x123 //", "CPUs 0", ""},
		{"big.LITTLE", "processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU part\t: 0xd03\n\nprocessor\t: 1\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU part\t: 0xd08\n",
			"aarch64 ARM  //", `CPUs 0-1; type "Cortex-A53" 0; type "Cortex-A72" 1`, ""},
		{"POWER", "processor\t: 0\ncpu\t\t: POWER9, altivec supported\nclock\t\t: 2166.000000MHz\nrevision\t: 2.2 (pvr 004e 1202)\n\nprocessor\t: 8\ncpu\t\t: POWER9, altivec supported\n" +
			"clock\t\t: 2166.000000MHz\n\ntimebase\t: 512000000\nmodel\t\t: 8335-GTG\n", "  POWER9, altivec supported /2.2 (pvr 004e 1202)/", "CPUs 0,8", ""},
		{"s390", "vendor_id       : IBM/S390\n# processors    : 2\ncache0          : level=1 type=Data scope=Private size=128K line_size=256\n" +
			"cache1          : level=3 type=Unified scope=Shared size=65536K line_size=256\nprocessor 0: version = FF,  identification = 1633E8,  machine = 2964\n" +
			"processor 1: version = FF,  identification = 1633E8,  machine = 2964\n\ncpu number      : 0\ncpu MHz static  : 5000\n",
			"s390x IBM/S390 machine type 2964 //", "CPUs 0-1; L1d 128K; L3 65536K", ""},
		{"RISC-V", "processor\t: 0\nhart\t\t: 1\nisa\t\t: rv64imafdcv\nmvendorid\t: 0x5b7\n", "riscv64 0x5b7  //", "CPUs 0", ""},
		{"LoongArch", "system type\t\t: generic\n\nprocessor\t\t: 0\npackage\t\t\t: 0\ncore\t\t\t: 0\nCPU Family\t\t: Loongson-64bit\nModel Name\t\t: Loongson-3A5000\n",
			"loongarch64  Loongson-3A5000 Loongson-64bit//", "CPUs 0; cores 1x1; sockets 1x1", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f, err := Read("in", []byte(test.text))
			if err != nil {
				t.Fatal(err)
			}
			names := f.Arch + " " + f.Vendor + " " + f.Model + " " + f.Family + "/" + f.ModelNumber + "/" + f.Stepping
			if f.String() != test.want || names != test.names {
				t.Errorf("got  %s\n     %q\nwant %s\n     %q", f, names, test.want, test.names)
			}
			if notes := strings.Join(f.Notes, "\n"); !strings.Contains(notes, test.note) || (notes == "") != (test.note == "") {
				t.Errorf("notes %q, want %q", notes, test.note)
			}
		})
	}
}
