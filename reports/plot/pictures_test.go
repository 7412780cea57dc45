package plot

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"
)

// pictures adds the figures of what happened in a run; the numbers are made up.
func pictures(t testing.TB, add func(string, *Figure, error)) {
	t.Helper()
	cells := make([][]float64, 16)
	for cpu := range cells {
		for i := range 60 {
			cells[cpu] = append(cells[cpu], max(0, 2.5+2.5*math.Sin(float64(i)/6+float64(cpu/8)*3)-float64(cpu%8)/3))
		}
	}
	f, err := Queues(Labels{Title: "Run queues", Subtitle: "Made up to test drawing.", X: "time, ms", Y: "CPU"}, numbered(16, 8), cells, 12)
	add("queues", f, err)

	var x, up, down []float64
	for i := range 40 {
		x = append(x, float64(i)/4)
		up = append(up, float64(i%10))
		down = append(down, 8*math.Exp(-float64(i)/12))
	}
	down[20] = nan
	f, err = Lines(Labels{Title: "Running and waiting", X: "time, ms", Y: "tasks"}, Line{Name: "running", X: x, Y: up, Steps: true}, Line{Name: "waiting", X: x, Y: down})
	add("lines", f, err)

	var a, b []float64
	for i := 1; i <= 200; i++ {
		a, b = append(a, float64(i*i)/40), append(b, float64(i)*2)
	}
	f, err = CDF(Labels{Title: "Wakeup latency", X: "from wakeup to running, us", Y: "wakeups, %"}, Sample{"base", a}, Sample{"patched", b})
	add("cdf", f, err)

	bars := []Bar{
		{Row: 0, From: 90, To: 130, Kind: 0, Value: 2800, Label: "client 7"}, {Row: 0, From: 140, To: 150, Kind: 1, Value: 1200, Label: "no room"},
		{Row: 1, From: 100, To: 190, Kind: 1, Value: 3700, Label: "server 1"}, {Row: 2, From: 150, To: 150, Kind: 0}, {Row: 2, From: 195, To: 250, Kind: 0, Value: nan},
		{Row: 3, From: 10, To: 20, Label: "before"}, {Row: 3, From: 110, To: 160, Kind: 13, Value: 2000, Label: "thirteen"},
	}
	tasks := make([]string, 14)
	f, err = Timeline(Labels{Title: "Who ran where", X: "time, us", Y: "CPU"}, Bars{Rows: numbered(4, 2), From: 100, To: 200, Bars: bars, Kinds: tasks})
	add("timeline", f, err)
	f, err = Timeline(Labels{Title: "Roles", X: "time, us", Y: "CPU"}, Bars{Rows: numbered(3, 0), From: 100, To: 200, Bars: bars[:5], Kinds: []string{"client", "server"}})
	add("timeline-kinds", f, err)
	f, err = Timeline(Labels{Title: "Clocks", X: "time, us", Y: "CPU"}, Bars{Rows: numbered(4, 2), From: 100, To: 200, Bars: bars, Scale: &Scale{"MHz", 1200, 3700}})
	add("timeline-scale", f, err)

	f, err = Matrix(Labels{Title: "Migrations between sockets", X: "to", Y: "from"}, []string{"0", "1", "2"}, []string{"0", "1", "2"}, [][]float64{{12, 3400, 0}, {7, 0, 55}, {1, 2, 3}})
	add("matrix", f, err)
	f, err = Matrix(Labels{Title: "Moves by distance"}, []string{"base", "patched"}, []string{"SMT sibling", "same LLC", "same node", "other socket"}, [][]float64{{12, 3400, 0, 18}, {7, 0, 55, 1.5}})
	add("matrix-distance", f, err)

	f, err = Lines(Labels{Title: "Two kernels", X: "time, ms", Y: "tasks"},
		Line{Name: "running, base", X: x, Y: up, Color: 1, Dash: 1}, Line{Name: "waiting, base", X: x, Y: down, Color: 1, Dash: 2},
		Line{Name: "running, patched", X: x, Y: down, Color: 2, Dash: 1}, Line{Name: "waiting, patched", X: x, Y: up, Color: 2, Dash: 2})
	add("lines-colors", f, err)

	f, err = Groups(Labels{Title: "Throughput by row", X: "MB/sec", Y: "clients"},
		Group{Key: "32", Note: "agrees on none", Marks: []Mark{
			{Base, Published, 10435, nan, nan}, {Patched, Published, 10312, nan, nan},
			{Base, Simulated, 10600, 10300, 10900}, {Patched, Simulated, 10500, 10350, 10640}, {Base, Measured, 10900, 10880, 10920}}},
		Group{Key: "64", Marks: []Mark{{Base, Published, 12325, nan, nan}, {Patched, Published, 13792, nan, nan}, {Base, Simulated, 12000, 11000, 12500}, {Patched, Simulated, nan, nan, nan}}},
		Group{Key: "128"})
	add("groups", f, err)
	f, err = Groups(Labels{Title: "One figure"}, Group{Key: "a", Marks: []Mark{{Base, Simulated, 0, nan, nan}}})
	add("groups-one", f, err)
	f, err = Effects(Labels{Title: "Nothing published", X: "change, %"}, Effect{Key: "csl-2s-80", Published: nan, Noise: nan, Simulated: 3.1, Low: 2, High: 4, Note: "better"})
	add("effects-own", f, err)
	f, err = Scatter(Labels{Title: "Row 64 from several pasts", Subtitle: "Made-up runs.", X: "share of tasks on the fuller socket, %", Y: "Hmean MB/sec"},
		[]Level{{"base, published", 12325}, {"patched, published", 13792}},
		Points{"base run", Base, []float64{50, 51, 63, 64, 72}, []float64{11700, 11690, 15600, 15550, 16200}},
		Points{"patched run", Patched, []float64{50, 52, 62, 63, 72}, []float64{11370, 11340, 15960, 16000, 15900}})
	add("scatter", f, err)
	f, err = Scatter(Labels{Title: "One run"}, nil, Points{"run", Base, []float64{50}, []float64{0}})
	add("scatter-one", f, err)
}

// numbered are rows of CPUs by number.
func numbered(n, group int) CPURows {
	r := CPURows{Group: group}
	for i := range n {
		r.Names = append(r.Names, strconv.Itoa(i))
	}
	return r
}

func TestPictureErrors(t *testing.T) {
	row := []float64{1, 2}
	for _, tc := range []struct {
		name, want string
		make       func() (*Figure, error)
	}{
		{"no cells", "no cells", func() (*Figure, error) { return Queues(Labels{}, CPURows{}, nil, 1) }},
		{"ragged cells", "row 1 has 1 columns", func() (*Figure, error) { return Queues(Labels{}, numbered(2, 0), [][]float64{row, row[:1]}, 1) }},
		{"no span", "a span of 0", func() (*Figure, error) { return Queues(Labels{}, numbered(1, 0), [][]float64{row}, 0) }},
		{"no lines", "0 series", func() (*Figure, error) { return Lines(Labels{}) }},
		{"uneven line", "2 X and 1 Y", func() (*Figure, error) { return Lines(Labels{}, Line{Name: "a", X: row, Y: row[:1]}) }},
		{"line backwards", "point 2", func() (*Figure, error) { return Lines(Labels{}, Line{Name: "a", X: []float64{2, 1}, Y: row}) }},
		{"no sample", "want positive numbers", func() (*Figure, error) { return CDF(Labels{}, Sample{Name: "a"}) }},
		{"zero in sample", "want positive numbers", func() (*Figure, error) { return CDF(Labels{}, Sample{"a", []float64{0, 1}}) }},
		{"unnamed rows", "2 names for 1 rows", func() (*Figure, error) { return Queues(Labels{}, numbered(2, 0), [][]float64{row}, 1) }},
		{"bar outside", "bar 0: row 1 of 1", func() (*Figure, error) {
			return Timeline(Labels{}, Bars{Rows: numbered(1, 0), To: 1, Kinds: []string{"k"}, Bars: []Bar{{Row: 1}}})
		}},
		{"unknown kind", "kind 1 of 1", func() (*Figure, error) {
			return Timeline(Labels{}, Bars{Rows: numbered(1, 0), To: 1, Kinds: []string{"k"}, Bars: []Bar{{Kind: 1}}})
		}},
		{"no colours", "no kinds and no scale", func() (*Figure, error) { return Timeline(Labels{}, Bars{Rows: numbered(1, 0), To: 1}) }},
		{"scale backwards", "a scale from 2 to 1", func() (*Figure, error) {
			return Timeline(Labels{}, Bars{Rows: numbered(1, 0), To: 1, Scale: &Scale{"MHz", 2, 1}})
		}},
		{"no time", "want a span of time", func() (*Figure, error) {
			return Timeline(Labels{}, Bars{Rows: numbered(1, 0), From: 1, To: 1, Kinds: []string{"k"}})
		}},
		{"ragged matrix", "row 0 has 2 columns", func() (*Figure, error) { return Matrix(Labels{}, []string{"0"}, []string{"0"}, [][]float64{row}) }},
		{"no colour of the palette", "colour 9 of 6", func() (*Figure, error) { return Lines(Labels{}, Line{Name: "a", X: row, Y: row, Color: 9}) }},
		{"no points", "no points", func() (*Figure, error) { return Scatter(Labels{}, nil) }},
		{"uneven points", "2 X and 1 Y", func() (*Figure, error) { return Scatter(Labels{}, nil, Points{"p", Base, row, row[:1]}) }},
		{"point without place", "point 1 (NaN, 1)", func() (*Figure, error) {
			return Scatter(Labels{}, nil, Points{"p", Base, []float64{math.NaN()}, row[:1]})
		}},
		{"points of no arm", "no arm 2", func() (*Figure, error) { return Scatter(Labels{}, nil, Points{"p", 2, row, row}) }},
		{"level without place", "has no place", func() (*Figure, error) {
			return Scatter(Labels{}, []Level{{"l", math.Inf(1)}}, Points{"p", Base, row, row})
		}},
		{"no groups", "no rows", func() (*Figure, error) { return Groups(Labels{}) }},
		{"mark without place", "no place on an axis", func() (*Figure, error) {
			return Groups(Labels{}, Group{Marks: []Mark{{Value: math.Inf(1)}}})
		}},
		{"mark of no arm", "arm 2", func() (*Figure, error) { return Groups(Labels{}, Group{Marks: []Mark{{Arm: 2}}}) }},
		{"interval backwards", "exchange Low and High", func() (*Figure, error) {
			return Groups(Labels{}, Group{Marks: []Mark{{Value: 1, Low: 2, High: 1}}})
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := tc.make(); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want one with %q", err, tc.want)
			}
		})
	}
}

// BenchmarkQueues draws 160 CPUs over 2,000 columns, as SVG and as PNG.
func BenchmarkQueues(b *testing.B) {
	cells := make([][]float64, 160)
	for i := range cells {
		cells[i] = make([]float64, 2000)
		for j := range cells[i] {
			cells[i][j] = float64((i+j)%40) / 10
		}
	}
	for b.Loop() {
		f, err := Queues(Labels{X: "time, ms", Y: "CPU"}, numbered(160, 20), cells, 10)
		if err != nil {
			b.Fatal(err)
		}
		if err := errors.Join(f.WriteSVG(io.Discard), f.WritePNG(io.Discard)); err != nil {
			b.Fatal(err)
		}
	}
}

func ExampleLines() {
	f, err := Lines(Labels{Title: "Load"}, Line{Name: "CPU 0", X: []float64{0, 1}, Y: []float64{0, 1024}})
	fmt.Println(f, err)
	// Output: [figure: Load] <nil>
}
