package plot_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"github.com/schedlab/schedlab/reports/plot"
)

// A row that was not simulated is named in the figure.
func ExampleEffects() {
	figure, err := plot.Effects(plot.Labels{Title: "idle-candidate", X: "change", Y: "clients"},
		plot.Effect{Key: "64", Published: 11.90, Noise: 2, Simulated: math.NaN(), Low: math.NaN(), High: math.NaN()},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	var svg bytes.Buffer
	if err := figure.WriteSVG(&svg); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.HasPrefix(svg.String(), "<svg "), strings.Contains(svg.String(), "not simulated"))
	// Output: true true
}
