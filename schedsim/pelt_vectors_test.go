package schedsim

import (
	"encoding/csv"
	"os"
	"slices"
	"strconv"
	"testing"
)

// peltVectors reads the rows of one kind: what is after how many ms.
func peltVectors(t *testing.T, kind string) map[int64][]int64 {
	t.Helper()
	f, err := os.Open("testdata/pelt.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment, r.FieldsPerRecord = '#', -1
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	out := map[int64][]int64{}
	for _, row := range rows {
		if row[0] != kind {
			continue
		}
		v := make([]int64, len(row)-1)
		for i := range v {
			if v[i], err = strconv.ParseInt(row[i+1], 10, 64); err != nil {
				t.Fatal(err)
			}
		}
		out[v[0]] = v[1:]
	}
	if len(out) < 8 {
		t.Fatalf("%d vectors of kind %s", len(out), kind)
	}
	return out
}

// forms are the two forms of accumulation that have period_contrib: they differ in where
// time is scaled, which at full frequency is nowhere.
var forms = map[string]func(a *schedAvg, now, queued int64, running bool){
	"scaled-clock": func(a *schedAvg, now, queued int64, running bool) {
		if a.accumulate(now, queued, queued, running) {
			a.average(1024)
		}
	},
	"v4.18": func(a *schedAvg, now, queued int64, running bool) {
		if a.accumulateV418(now, 1024, queued, queued, running) {
			a.averageV418(1024, 1024)
		}
	},
}

func TestPELTVectors(t *testing.T) {
	const ms = 1_000_000
	for name, step := range forms {
		t.Run(name, func(t *testing.T) {
			want := peltVectors(t, "run")
			var a schedAvg
			for i := int64(1); i <= 1000; i++ {
				step(&a, i*ms, 1, true)
				w, ok := want[i]
				if !ok {
					continue
				}
				got := []int64{a.load, a.runnable, a.util, a.utilSum, a.loadSum, int64(a.period)}
				if name == "v4.18" {
					w = slices.Clone(w)
					w[1] = w[0] // runnable_load_avg: the load while it is queued
				}
				if !slices.Equal(got, w) {
					t.Errorf("after %d ms: %v, want %v", i, got, w)
				}
			}
			for after, w := range peltVectors(t, "sleep") {
				b := a
				step(&b, b.lastUpdate+after*ms, 0, false)
				if got := []int64{b.load, b.util, int64(b.period)}; !slices.Equal(got, w) {
					t.Errorf("after %d ms asleep: %v, want %v", after, got, w)
				}
			}
		})
	}
}

func TestPELTVectorsV310(t *testing.T) {
	const ms = 1_000_000
	got := func(a *schedAvg) []int64 { return []int64{a.loadSum, int64(a.period), a.contribV310(1024)} }
	var a, ten schedAvg
	want := peltVectors(t, "v310-run")
	for i := int64(1); i <= 400; i++ {
		a.accumulateV310(i*ms, true)
		if w, ok := want[i]; ok && !slices.Equal(got(&a), w) {
			t.Errorf("after %d ms: %v, want %v", i, got(&a), w)
		}
		if i == 10 {
			ten = a
		}
	}
	for after, w := range peltVectors(t, "v310-sleep") {
		b := ten
		b.accumulateV310((10+after)*ms, false)
		if !slices.Equal(got(&b), w) {
			t.Errorf("ten ms, then %d asleep: %v, want %v", after, got(&b), w)
		}
	}
}

// TestV418Frequency: before v5.1 a slow clock makes contributions small, not time slow.
func TestV418Frequency(t *testing.T) {
	var full, half schedAvg
	for i := int64(1); i <= 1000; i++ {
		full.accumulateV418(i*1e6, 1024, 1, 1, true)
		half.accumulateV418(i*1e6, 512, 1, 1, true)
	}
	full.averageV418(1024, 1024)
	half.averageV418(1024, 1024)
	if full.util < 1020 || half.util < 505 || half.util > 512 || half.util-half.load > 1 {
		t.Errorf("at full frequency util %d, at half %d and load %d", full.util, half.util, half.load)
	}
}
