package study_test

import (
	"fmt"

	"github.com/schedlab/schedlab/schedsim/study"
)

func ExampleLoad() {
	s, err := study.Load("gorman2020-idle-candidate")
	if err != nil {
		fmt.Println(err)
		return
	}
	r := s.Tables[0].Row("64")
	fmt.Printf("%s on %s, %s %s\n", s.Workload, s.Machine, s.Tables[0].Statistic, s.Tables[0].Unit)
	fmt.Printf("%s %s: %.2f -> %.2f, %+.2f %% +- %.2f\n", r.Key, s.Tables[0].RowName, r.Base, r.Patched, r.Pct, r.Noise.Pct)
	// Output:
	// tbench on csl-2s-80, Hmean MB/sec
	// 64 clients: 12325.51 -> 13792.01, +11.90 % +- 16.41
}

func ExampleJudge() {
	published := study.Effect{Base: 100, Patched: 110, Pct: 10}
	noise := study.Noise{Pct: 2}
	simulated := study.Interval{
		Effect: study.Effect{Base: 98, Patched: 106.8, Pct: 9},
		CILow:  8, CIHigh: 10, N: 5, Ensemble: 1,
	}
	verdict, reason := study.Judge(published, noise, simulated, "higher")
	fmt.Println(verdict)
	fmt.Println(reason)
	// Output:
	// reproduced
	// published +10.00 % (noise +-2.00), simulated +9.00 % [+8.00, +10.00]: both have an improvement, 1.00 points apart where 3.00 are allowed
}

func ExamplePairedGroups() {
	g := study.PairedGroups{
		Statistic: "Hmean",
		Base:      [][]float64{{100, 104, 98}},
		Patched:   [][]float64{{110, 114, 108}},
	}
	iv := g.Overall()
	fmt.Printf("%.2f -> %.2f: %+.2f %% [%+.2f, %+.2f]\n", iv.Base, iv.Patched, iv.Pct, iv.CILow, iv.CIHigh)
	// Output:
	// 100.61 -> 110.61: +9.95 % [+9.21, +10.68]
}
