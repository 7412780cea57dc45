package dump

import (
	"strings"
	"testing"
)

// TestLocales reads one summary in the words and numbers of several languages.
func TestLocales(t *testing.T) {
	const want = "CPUs 0-3; offline 4-5; counted 1 sockets x 3 cores x 2 threads; L1d 32K; L2 ? of 1536K; node 0 0-1; node 1 2-3"
	tests := []struct{ name, text string }{
		{"en", `
CPU(s):                6
On-line CPU(s) list:   0-3
Off-line CPU(s) list:  4,5
Thread(s) per core:    2
Core(s) per socket:    3
Socket(s):             1
NUMA node(s):          2
Vendor ID:             GenuineIntel
Model name:            Test CPU
CPU max MHz:           3500.0000
L1d cache:             32K
L2 cache:              1.5 MiB
NUMA node0 CPU(s):     0,1
NUMA node1 CPU(s):     2,3`},
		{"de", `
CPU(s):                                6
Liste der Online-CPU(s):               0-3
Liste der Offline-CPU(s):              4,5
Thread(s) pro Kern:                    2
Kern(e) pro Sockel:                    3
Sockel:                                1
NUMA-Knoten:                           2
Anbieterkennung:                       GenuineIntel
Modellname:                            Test CPU
Maximale Taktfrequenz der CPU:         3500,0000
L1d Cache:                             32K
L2 Cache:                              1,5 MiB
NUMA-Knoten0 CPU(s):                   0,1
NUMA-Knoten1 CPU(s):                   2,3`},
		{"fr", `
Processeur(s)` + "\u00a0" + `:                           6
Liste de processeur(s) en ligne :        0-3
Liste de processeur(s) hors ligne :      4,5
Thread(s) par cœur :                     2
Cœur(s) par socket :                     3
Socket(s) :                              1
Nœud(s) NUMA :                           2
Identifiant constructeur :               GenuineIntel
Nom de modèle :                          Test CPU
Vitesse maximale du processeur en MHz` + "\u00a0" + `: 3500,0000
Cache L1d :                              32K
Cache L2 :                               1,5 MiB
Nœud NUMA 0 de processeur(s) :           0,1
Nœud NUMA 1 de processeur(s) :           2,3`},
		{"es", `
CPU(s):                              6
Lista de la(s) CPU(s) en línea:      0-3
Lista de la(s) CPU(s) fuera de línea 4,5
Hilo(s) de procesamiento por núcleo: 2
Núcleo(s) por «socket»:              3
«Socket(s)»:                         1
Modo(s) NUMA:                        2
ID de fabricante:                    GenuineIntel
Nombre del modelo:                   Test CPU
CPU MHz máx.:                        3500,0000
Caché L1d:                           32K
Caché L2:                            1,5 MiB
CPU(s) del nodo NUMA 0:              0,1
CPU(s) del nodo NUMA 1:              2,3`},
		{"ja", `
CPU:                                 6
オンラインになっている CPU のリスト: 0-3
オフラインになっている CPU のリスト: 4,5
コアあたりのスレッド数:              2
ソケットあたりのコア数:              3
ソケット数:                          1
NUMA ノード数:                       2
ベンダー ID:                         GenuineIntel
モデル名:                            Test CPU
CPU 最大 MHz:                        3500.0000
L1d キャッシュ:                      32K
L2 キャッシュ:                       1.5 MiB
NUMA ノード 0 CPU:                   0,1
NUMA ノード 1 CPU:                   2,3`},
		{"zh_CN", `
CPU:             6
在线 CPU 列表：  0-3
离线 CPU 列表：  4,5
每个核的线程数： 2
每个座的核数：   3
座：             1
NUMA 节点：      2
厂商 ID：        GenuineIntel
型号名称：       Test CPU
CPU 最大 MHz：   3500.0000
L1d 缓存：       32K
L2 缓存：        1.5 MiB
NUMA 节点0 CPU： 0,1
NUMA 节点1 CPU： 2,3`},
		{"pt_BR", `
CPU(s):                       6
Lista de CPU(s) on-line:      0-3
Lista de CPU(s) off-line:     4,5
Thread(s) per núcleo:         2
Núcleo(s) por soquete:        3
Soquete(s):                   1
Nó(s) de NUMA:                2
ID de fornecedor:             GenuineIntel
Nome do modelo:               Test CPU
CPU MHz máx.:                 3500,0000
cache de L1d:                 32K
cache de L2:                  1,5 MiB
CPU(s) de nó0 NUMA:           0,1
CPU(s) de nó1 NUMA:           2,3`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f, err := Read("in", []byte(test.text))
			if err != nil {
				t.Fatal(err)
			}
			if f.String() != want || f.Vendor != "GenuineIntel" || f.Model != "Test CPU" || show(f.MaxMHz) != "3500" {
				t.Errorf("%s\n%q %q %s MHz", f, f.Vendor, f.Model, show(f.MaxMHz))
			}
		})
	}
}

// TestCacheForms reads the sizes that lscpu has printed over the years.
func TestCacheForms(t *testing.T) {
	const head = "On-line CPU(s) list: 0-43\nThread(s) per core: 1\n"
	tests := []struct{ name, text, want string }{
		{"2.33, of one", "L1d cache: 32K\nL3 cache: 10240K\n", "L1d 32K; L3 10240K"},
		{"2.34, total", "L1d cache: 1.4 MiB\nL3 cache: 64 MiB\n", "L1d ? of 1433K; L3 ? of 65536K"},
		{"2.37, total and number", "L2 cache: 5 MiB (4 instances)\nL3 cache: 12 MiB (1 instance)\n", "L2 4x1280K; L3 1x12288K"},
		{"German", "L2 Cache: 5,5 MiB (4 Instanzen)\n", "L2 4x1408K"},
		{"Dutch", "L2-cache: 5 MiB (verdeeld over 4 exemplaren)\n", "L2 4x1280K"},
		{"Korean", "L2 캐시: 5 MiB (인스턴스 4건)\n", "L2 4x1280K"},
		{"bytes", "L2 cache: 5242880 (4 instances)\n", "L2 4x1280K"},
		{"rounded total", "L1d cache: 1.4 MiB (44 instances)\n", "L1d 44x~33K"},
		{"rounded one", "L3 cache: 35.8 MiB (1 instance)\n", "L3 1x~36659K"},
		{"s390", "L2d cache: 4 MiB (2 instances)\nL2i cache: 4 MiB (2 instances)\nL3 cache: 64 MiB\n", "L2d 2x2048K; L2i 2x2048K; L3 65536K"},
		{"hybrid", "L1d cache: 544 KiB (14 instances)\n", "L1d 14x~39K"},
		{"hierarchic", "Caches (sum of all):\n  L1d:   192 KiB (4 instances)\n  L2:    5 MiB (4 instances)\nVulnerabilities:\n  L1tf:  Not affected\n",
			"L1d 4x48K; L2 4x1280K"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f, err := Read("in", []byte(head+test.text))
			if err != nil {
				t.Fatal(err)
			}
			if want := "CPUs 0-43; " + test.want; f.String() != want {
				t.Errorf("got  %s\nwant %s", f, want)
			}
		})
	}
}

// TestLscpuForms reads layouts that testdata lacks.
func TestLscpuForms(t *testing.T) {
	const x2 = "CPUs 0-3; cores 2x2; sockets 1x4"
	tests := []struct{ name, text, want string }{
		{"-J with children", `{"lscpu": [{"field": "CPU(s):", "data": "2", "children": [
			{"field": "On-line CPU(s) list:", "data": "0,1"}]},
			{"field": "Caches (sum of all):", "data": null, "children": [{"field": "L2:", "data": "1 MiB (2 instances)"}]},
			{"field": "NUMA:", "data": null, "children": [{"field": "NUMA node(s):", "data": "1"}, {"field": "NUMA node0 CPU(s):", "data": "0,1"}]}]}`,
			"CPUs 0-1; L2 2x512K; node 0 0-1"},
		{"-e -J of texts", `{"cpus": [{"cpu":"0","core":"0","socket":"0","l1d:l1i":"0:0","online":"yes","maxmhz":"2016.0000"},
			{"cpu":"1","core":null,"socket":null,"l1d:l1i":null,"online":"no","maxmhz":"2016.0000"}]}`,
			"CPUs 0; offline 1; cores 1x1; sockets 1x1; L1d 1x? for 1x1; L1i 1x? for 1x1"},
		{"-e -J with comma", `{"cpus": [{"cpu":0,"core":0,"maxmhz":2016,0000,"minmhz":300,5},{"cpu":1,"core":-,"online":false}]}`,
			"CPUs 0; offline 1; cores 1x1"},
		{"-p with -a and -", "# CPU,Core,Socket,Node\n0,0,0,0\n1,0,0,0\n2,1,0,0\n3,1,0,0\n4,-,-,-\n", "CPUs 0-3; hidden 4; cores 2x2; sockets 1x4; node 0 0-3"},
		{"-p of a list", "# CPU,Online\n0,Y\n1,N\n", "CPUs 0; offline 1"},
		{"-p with caches joined", "# CPU,Core,L1d:L1i:L2:L3\n0,0,0:0:0:\n1,1,1:1:1:\n",
			"CPUs 0-1; cores 2x1; L1d 2x? for 2x1; L1i 2x? for 2x1; L2 2x? for 2x1"},
		{"-e aligned left", "CPU SOCKET CORE ONLINE\n0   0      0    yes\n1   0      0    yes\n2   0      1    yes\n3   0      1    yes\n", x2},
		{"-e in German", "CPU SOCKET CORE ONLINE\n0 0 0 ja\n1 - - nein\n", "CPUs 0; offline 1; cores 1x1; sockets 1x1"},
		{"-e with a model", "CPU MODELNAME CORE ONLINE\n0 Intel(R) Core(TM) i7 0 yes\n1 Intel(R) Core(TM) i7 1 yes\n", "CPUs 0-1; cores 2x1"},
		{"-e with clusters", "CPU NODE SOCKET CLUSTER CORE ONLINE\n0 0 0 0 0 yes\n1 0 0 0 1 yes\n2 0 0 1 2 yes\n3 0 0 1 3 yes\n",
			"CPUs 0-3; cores 4x1; clusters 2x2; sockets 1x4; node 0 0-3"},
		{"-C", "NAME ONE-SIZE ALL-SIZE WAYS TYPE        LEVEL\nL1d       32K       1M    8 Data            1\nL3      1.3M     2.5M   16 Unified         3\n",
			"L1d 32x32K; L3 ~1331K"},
		{"-x with commas and 0x", "On-line CPU(s) mask: 0x00000001,00000003\nNUMA node0 CPU(s): 0x3\nNUMA node1 CPU(s): 0x1,00000000\n",
			"CPUs 0-1,32; node 0 0-1; node 1 32"},
		{"node lists beyond", "On-line CPU(s) list: 0,1\nNUMA node0 CPU(s): 0-140\n", "CPUs 0-1; node 0 0-1"},
		{"strided", "On-line CPU(s) list: 0-7\nNUMA node0 CPU(s): 0-6:2\nNUMA node8 CPU(s): 1-7:2\n", "CPUs 0-7; node 0 0,2,4,6; node 8 1,3,5,7"},
		{"several outputs", "$ lscpu\nCPU(s): 4\nOn-line CPU(s) list: 0-3\nL2 cache: 2 MiB (2 instances)\n\n$ lscpu -e\nCPU SOCKET CORE L2 ONLINE\n" +
			"0 0 0 0 yes\n1 0 0 0 yes\n2 0 1 1 yes\n3 0 1 1 yes\n\n$ numactl -H\navailable: 1 nodes (0)\nnode 0 cpus: 0 1 2 3\nnode 0 size: 900 MB\n" +
			"node distances:\nnode   0\n  0:  10\n", x2 + "; L2 2x1024K for 2x2; node 0 0-3 900 MiB; distances [10]"},
		{"in a mail", "CPU: an old Xeon\nCluster: none\n\nOn-line CPU(s) list: 0,1\nThread(s) per core: 1\n", "CPUs 0-1"},
		{"CRLF and BOM", "\ufeffCPU(s): 1\r\nOn-line CPU(s) list: 0\r\n", "CPUs 0"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f, err := Read("in", []byte(test.text))
			if err != nil {
				t.Fatal(err)
			}
			if f.String() != test.want {
				t.Errorf("got  %s\nwant %s", f, test.want)
			}
		})
	}
}

// TestCoreNumbers has tables whose numbers of cores do not say what they seem
// to say.
func TestCoreNumbers(t *testing.T) {
	tests := []struct{ name, text, want, note string }{
		// Snapdragon 8 Gen 2: four types of cores, each numbered from 0.
		{"numbered per type", "# CPU,Core,Socket,Node,,L1d,L1i,L2,L3\n0,0,0,,,0,0,0,0\n1,1,0,,,1,1,1,0\n2,2,0,,,2,2,1,0\n3,0,0,,,3,3,2,0\n" +
			"4,1,0,,,4,4,3,0\n5,0,0,,,5,5,4,0\n6,1,0,,,6,6,5,0\n7,0,0,,,7,7,6,0\n",
			"CPUs 0-7; cores 8x1; L1d 8x? for 8x1; L1i 8x? for 8x1; L2 7x? for 1x1+1x2+5x1; L3 1x? for 1x8", "anew for every type of CPU"},
		{"no caches, other frequencies", "CPU SOCKET CORE ONLINE MAXMHZ\n0 0 0 yes 1800.0\n1 0 1 yes 1800.0\n2 0 0 yes 2400.0\n", "CPUs 0-2; cores 3x1", "anew for every type of CPU"},
		{"physical without sockets", "# CPU,Core,Socket,Node\n0,0,-,\n1,0,-,\n2,0,-,\n", "CPUs 0-2", "look like numbers of lscpu -y"},
		{"physical, too many threads", "# CPU,Core,Socket,Node\n" + rows(16, ",0,0,0\n"), "CPUs 0-15; sockets 1x16; node 0 0-15", "would have the 16 CPUs 0-15"},
		{"physical without sockets, shared caches", "# CPU,Core,Socket,Node,,L1d\n0,0,-,0,,0\n1,0,-,0,,0\n2,4,-,0,,1\n3,4,-,0,,1\n",
			"CPUs 0-3; cores 2x2; L1d 2x? for 2x2; node 0 0-3", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f, err := Read("in", []byte(test.text))
			if err != nil {
				t.Fatal(err)
			}
			if f.String() != test.want {
				t.Errorf("got  %s\nwant %s", f, test.want)
			}
			if notes := strings.Join(f.Notes, "\n"); !strings.Contains(notes, test.note) || (notes == "") != (test.note == "") {
				t.Errorf("notes %q, want %q", notes, test.note)
			}
		})
	}
}

func rows(n int, tail string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(CPUSet{i}.String() + tail)
	}
	return b.String()
}

func TestForeignArchitecture(t *testing.T) {
	for _, test := range []struct{ text, arch string }{
		{"Architecture: x86_64\nOn-line CPU(s) list: 0\nModel name: POWER9\n", ""},
		{"Architecture: ppc64le\nOn-line CPU(s) list: 0\nModel name: POWER9\n", "ppc64le"},
		{"Architecture: aarch64\nOn-line CPU(s) list: 0\nVendor ID: GenuineIntel\n", ""},
		{"Architecture: i686\nOn-line CPU(s) list: 0\nVendor ID: GenuineIntel\n", "i686"},
		{"Architecture: aarch64\nOn-line CPU(s) list: 0\nModel name: Neoverse-N1\n", "aarch64"},
		{"Architecture: x86_64\nOn-line CPU(s) list: 0\nModel name: Neoverse-N1\n", ""},
	} {
		f, err := Read("in", []byte(test.text))
		if err != nil || f.Arch != test.arch {
			t.Errorf("%q: %v, %v", test.text, f, err)
		}
	}
}
