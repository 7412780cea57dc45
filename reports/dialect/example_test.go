package dialect_test

import (
	"fmt"
	"os"

	"github.com/schedlab/schedlab/reports/dialect"
)

// The table of a post is read out of the mail that quotes it.
func ExampleFindMMTests() {
	mail := `On Tue, 8 Dec 2020, Mel Gorman wrote:
> With tbench on a 2-socket CascadeLake machine
>
>                           5.10.0-rc6             5.10.0-rc6
>                            schedstat          idlecandidate
> Hmean     64     12325.51 (   0.00%)    13792.01 *  11.90%*
> Hmean     128    21225.21 (   0.00%)    20963.44 *  -1.23%*
>
> Note that there is a significant corner case.
`
	found, err := dialect.FindMMTests(mail, "mail.txt")
	if err != nil {
		fmt.Println(err)
		return
	}
	row := found[0].Table.Row("Hmean", "64")
	fmt.Println(found[0].Table.Kernels[1].Name(), row.Cells[1].Value, row.Cells[1].Pct, row.Cells[1].Star)
	// Output: 5.10.0-rc6-idlecandidate 13792.01 11.90 true
}

// A table of one's own is made from the runs.
func ExampleFromSamples() {
	table, err := dialect.FromSamples(dialect.Spec{
		Kernels: []dialect.Kernel{dialect.SplitName("5.10.0-vanilla"), dialect.SplitName("5.10.0-mypatch")},
		Better:  dialect.Higher,
		Rule:    dialect.TTest,
	}, []dialect.SampleRow{
		{Key: "1", Runs: [][]float64{{500, 501, 502}, {500, 502, 503}}},
		{Key: "64", Runs: [][]float64{{12310, 12330, 12320}, {13790, 13780, 13800}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := table.WriteMMTests(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	//                              5.10.0                 5.10.0
	//                             vanilla                mypatch
	// Hmean     1       501.00 (   0.00%)      501.66 (   0.13%)
	// Hmean     64    12319.99 (   0.00%)    13790.00 *  11.93%*
}
