package plot

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

func labels(low, high float64, n int, label func(v, step float64) string) string {
	var s []string
	for _, t := range roundTicks(low, high, n, label) {
		s = append(s, t.Label)
	}
	return strings.Join(s, " ")
}

func TestRoundTicks(t *testing.T) {
	tests := []struct {
		name      string
		low, high float64
		n         int
		label     func(v, step float64) string
		want      string
	}{
		{"thousands", 0, 22000, 6, amount, "0 5,000 10,000 15,000 20,000"},
		{"millions", 0, 2.1e6, 6, amount, "0 500,000 1,000,000 1,500,000 2,000,000"},
		{"small", 0, 0.031, 6, amount, "0.00 0.01 0.02 0.03"},
		{"quarter", 0, 1, 4, amount, "0.00 0.25 0.50 0.75 1.00"},
		{"exact end", 0, 10, 5, amount, "0 2 4 6 8 10"},
		{"negative", -2000, 1000, 3, amount, "\u22122,000 \u22121,000 0 1,000"},
		{"percent", -3.2, 12.4, 8, change, "\u22122% 0% +2% +4% +6% +8% +10% +12%"},
		{"fraction", -1, 1, 4, change, "\u22121.0% \u22120.5% 0.0% +0.5% +1.0%"},
		{"empty", 3, 3, 4, amount, "3"},
		{"no room between numbers", 100, math.Nextafter(100, 101), 8, amount, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := labels(tt.low, tt.high, tt.n, tt.label); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestRowTicks(t *testing.T) {
	got := func(scale float64, x ...float64) string {
		var s []string
		for _, tick := range rowTicks(x, math.Log2, vg.Length(scale)) {
			s = append(s, strings.TrimSpace(tick.Label))
		}
		return strings.Join(s, "|")
	}
	if s := got(56, 64, 128, 256, 320); s != "64|128|256|320" {
		t.Errorf("with room: %s", s)
	}
	if s := got(20, 64, 128, 256, 320); s != "64|128||320" {
		t.Errorf("the last label takes the place of the one before: %s", s)
	}
	if s := got(10, 1, 1.5, 2, 64); s != "1|||64" && s != "1||2|64" {
		t.Errorf("crowded on the left: %s", s)
	}
}
