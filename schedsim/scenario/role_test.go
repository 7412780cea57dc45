package scenario

import (
	"strings"
	"testing"
)

func TestRoles(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"digits", "t_a1 0 - 0 hog\nt_a2 0 - 0 hog", "t_a t_a"},
		{"alike", "t_a 0 0-1 0 hog\nt_b 0 0-1 0 hog\nt_c 0 0-1 0 hog", "t_a+t_b+t_c t_a+t_b+t_c t_a+t_b+t_c"},
		{"nice", "t_a 0 0 0 hog\nt_b 0 0 0 hog\nt_c 5 0 0 hog", "t_a+t_b t_a+t_b t_c"},
		{"start", "t_a 0 0 0 hog\nt_b 0 0 9 hog", "t_a t_b"},
		{"cpus", "t_a 0 0 0 hog\nt_b 0 1 0 hog", "t_a t_b"},
		{"channel", "t_a 0 0 0 send:0\nt_b 0 0 0 recv:0", "t_a t_b"},
		{"once", "t_a 0 0 0 fifo:1 once hog\nt_b 0 0 0 hog", "t_a t_b"},
		{"many-and-one", "t_a1 0 0 0 hog\nt_a2 0 0 0 hog\nt_b 0 0 0 hog", "t_a t_a t_b"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			sc, err := Parse(strings.NewReader(tc.text), "x", 2)
			if err != nil {
				t.Fatal(err)
			}
			of := sc.roles()
			var got []string
			for _, k := range sc.Tasks {
				got = append(got, of[k.Name])
			}
			if s := strings.Join(got, " "); s != tc.want {
				t.Errorf("%s, want %s", s, tc.want)
			}
		})
	}
}

// TestDaemons: a hog alone on its CPU is interrupted by the bound kernel threads, as
// often as they run: 4.6 and 3.2 a second on four CPUs, and no more than the free ones
// on top.
func TestDaemons(t *testing.T) {
	o := simulate(t, "4core", "@duration 60000\nt_h0 0 0 0 hog")
	got := float64(o.Tasks[0].Involuntary) / 60
	if lo, hi := (4.6+3.2)/4*0.75, (4.6+3.2)/4*1.25+3.9+1.9; got < lo || got > hi {
		t.Errorf("%.2f a second, want %.2f to %.2f", got, lo, hi)
	}
	if o.Migrations != 0 {
		t.Errorf("%d migrations: those of daemons are counted", o.Migrations)
	}
}
