package plot

import (
	"math"
	"strconv"
	"strings"

	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// step returns the smallest of 1, 2, 2.5 and 5 times a power of ten that cuts
// span into at most n parts.
func step(span float64, n int) float64 {
	raw := span / float64(n)
	if !(raw > 0) || math.IsInf(raw, 0) {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 2.5, 5} {
		if m*power >= raw*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// roundTicks returns ticks at round numbers from low to high, n intervals at
// most, labelled by label.
func roundTicks(low, high float64, n int, label func(v, step float64) string) gplot.ConstantTicks {
	s := step(high-low, n)
	var ticks gplot.ConstantTicks
	first := math.Ceil(low/s - 1e-9)
	if first+1 == first {
		return ticks // a range so narrow beside its place that no two ticks differ
	}
	for i := first; i*s <= high+1e-9*s; i++ {
		v := i * s
		if v == 0 {
			v = 0 // not -0
		}
		ticks = append(ticks, gplot.Tick{Value: v, Label: label(v, s)})
	}
	return ticks
}

// decimals returns how many digits after the point tell multiples of step
// apart.
func decimals(step float64) int {
	for d := range 9 {
		scaled := step * math.Pow10(d)
		if math.Abs(scaled-math.Round(scaled)) < 1e-6*scaled {
			return d
		}
	}
	return 9
}

// amount writes a number with commas between thousands.
func amount(v, step float64) string {
	s := strconv.FormatFloat(v, 'f', decimals(step), 64)
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = minus, s[1:]
	}
	whole, frac, _ := strings.Cut(s, ".")
	var b strings.Builder
	for i := range len(whole) {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteByte(whole[i])
	}
	if frac != "" {
		b.WriteString("." + frac)
	}
	return sign + b.String()
}

// minus is as wide as a plus sign, unlike a hyphen.
const minus = "\u2212"

// change writes a percentage with its sign.
func change(v, step float64) string {
	s := strconv.FormatFloat(math.Abs(v), 'f', decimals(step), 64) + "%"
	switch {
	case v > 0:
		return "+" + s
	case v < 0:
		return minus + s
	}
	return s
}

// rowTicks returns a tick at each x, labelled with its value. A label that
// would touch its neighbour on the left is left out, except the last one,
// which takes its neighbour's place; scale is the points that one unit of
// position takes.
func rowTicks(x []float64, position func(float64) float64, scale vg.Length) gplot.ConstantTicks {
	style := sans(tickSize, false, ink)
	const gap = 2
	ticks := make(gplot.ConstantTicks, len(x))
	last := -1 // tick with a label
	for i, v := range x {
		label := strconv.FormatFloat(v, 'g', -1, 64)
		ticks[i] = gplot.Tick{Value: v, Label: label}
		if last >= 0 {
			between := vg.Length(position(v)-position(x[last])) * scale
			if between < (style.Width(label)+style.Width(ticks[last].Label))/2+gap {
				if i == len(x)-1 {
					ticks[last].Label = " " // an empty label makes a minor tick
				} else {
					ticks[i].Label = " "
					continue
				}
			}
		}
		last = i
	}
	return ticks
}
