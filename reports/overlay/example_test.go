package overlay_test

import (
	"fmt"

	"github.com/schedlab/schedlab/reports"
	"github.com/schedlab/schedlab/reports/overlay"
	"github.com/schedlab/schedlab/schedsim/study"
)

// Three runs of tbench on each of two kernels join the rows of a study, as a frame
// and, as reports.Parts.Here, in its reports.
func Example() {
	s, err := study.Load("gorman2020-idle-candidate")
	if err != nil {
		fmt.Println(err)
		return
	}
	var files []overlay.Source
	for _, name := range []string{"testdata/tbench-base.log,base", "testdata/tbench-patched.log,patched"} {
		f, err := overlay.Load(name)
		if err != nil {
			fmt.Println(err)
			return
		}
		files = append(files, f)
	}
	here, err := overlay.Join(s, files, overlay.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range here.Rows {
		fmt.Printf("%s clients: %+.2f %% [%+.2f, %+.2f]\n", r.Key, float64(r.Pct), float64(r.CILow), float64(r.CIHigh))
	}
	fmt.Println("of no row:", here.Unmatched[0].Title, here.Unmatched[0].Where)
	fmt.Println(reports.MeasuredFrame(here).Select([]string{"row", "arm", "value", "n"}))
	// Output:
	// 2 clients: +10.06 % [+7.73, +12.40]
	// 64 clients: +0.04 % [-4.39, +4.46]
	// of no row: throughput [clients=63] testdata/tbench-base.log:13
	// [4x4] DataFrame
	//
	//     row      arm      value       n
	//  0: 2        base     1000.436655 3
	//  1: 2        patched  1101.096562 3
	//  2: 64       base     4998.666489 3
	//  3: 64       patched  5000.461276 3
	//     <string> <string> <float>     <int>
}
