package dump

import (
	"strings"
	"testing"
)

func TestNumactlForms(t *testing.T) {
	const want = "CPUs 0-5; node 0 0-2 1000 MiB; node 1 3-5 2000 MiB; distances [10 21]"
	tests := []struct{ name, text string }{
		{"plain", "available: 2 nodes (0-1)\nnode 0 cpus: 0 1 2\nnode 0 size: 1000 MB\nnode 0 free: 1 MB\nnode 1 cpus: 3 4 5\nnode 1 size: 2000 MB\nnode 1 free: 1 MB\n" +
			"node distances:\nnode   0   1 \n  0:  10  21 \n  1:  21  10 \n"},
		{"no available line", "node 0 cpus: 0 1 2\nnode 0 size: 1000 MB\nnode 1 cpus: 3 4 5\nnode 1 size: 2000 MB\nnode distances:\nnode 0 1\n0: 10 21\n1: 21 10\n"},
		{"wrapped", "node 0 cpus: 0 1\n2\nnode 0 size: 1000 MB\nnode 1 cpus: 3\n4\n5\nnode 1 size: 2000 MB\nnode distances:\nnode   0   1\n  0:  10  21\n  1:  21  10\n"},
		{"quoted", "> node 0 cpus: 0 1\n> 2\n> node 0 size: 1000 MB\n> node 1 cpus: 3 4 5\n> node 1 size: 2000 MB\n> node distances:\n> node   0   1\n>   0:  10  21\n>   1:  21  10\n"},
		{"logger", "12:30:01 INFO| available: 2 nodes (0-1)\n12:30:01 INFO| node 0 cpus: 0 1 2\n12:30:01 INFO| node 0 size: 1000 MB\n12:30:01 INFO| node 1 cpus: 3 4 5\n" +
			"12:30:01 INFO| node 1 size: 2000 MB\n12:30:01 INFO| node distances:\n12:30:01 INFO| node   0   1 \n12:30:01 INFO|   0:  10  21 \n12:30:01 INFO|   1:  21  10 \n"},
		{"tabs and shuffled", "node 1 cpus: 5 4 3\nnode 1 size: 2000 MB\nnode 0 cpus: 2 1 0\nnode 0 size: 1000 MB\nnode distances:\nnode\t1\t0\n1:\t10\t21\n0:\t21\t10\n"},
		{"in a mail", "Hi,\n\nhere is what\n\nnode 0 cpus: 0 1 2\nnode 0 size: 1000 MB\nnode 1 cpus: 3 4 5\nnode 1 size: 2000 MB\nnode distances:\nnode   0   1\n  0:  10  21\n  1:  21  10\n\nsays. Bye: me\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f, err := Read("in", []byte(test.text))
			if err != nil {
				t.Fatal(err)
			}
			if f.String() != want || f.Partial || f.Notes != nil {
				t.Errorf("%s\npartial %v, notes %q", f, f.Partial, f.Notes)
			}
		})
	}
}

// TestAsymmetricDistances reads the table of Granite Rapids in SNC-3 mode, which
// a patch of the scheduler quotes. It is real, so it is noted and not refused.
func TestAsymmetricDistances(t *testing.T) {
	f, err := Read("in", []byte(`node 0 cpus: 0
node 1 cpus: 1
node 2 cpus: 2
node 3 cpus: 3
node 4 cpus: 4
node 5 cpus: 5
node distances:
node     0    1    2    3    4    5
0:   	10   15   17   21   28   26
1:   	15   10   15   23   26   23
2:   	17   15   10   26   23   21
3:   	21   28   26   10   15   17
4:   	23   26   23   15   10   15
5:   	26   23   21   17   15   10
`))
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := f.Distances.between(0, 4); got != 28 {
		t.Errorf("0 to 4: %d", got)
	}
	if got, _ := f.Distances.between(4, 0); got != 23 {
		t.Errorf("4 to 0: %d", got)
	}
	if len(f.Notes) != 1 || !strings.HasPrefix(f.Notes[0], "in:7: the distances are asymmetric, from node 1 to 3 it is 23, back 28") {
		t.Errorf("notes %q", f.Notes)
	}
}
