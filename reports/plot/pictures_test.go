package plot

import (
	"fmt"
	"io"
	"math"
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
	f, err := Queues(Labels{Title: "Run queues", Subtitle: "Made up to test drawing.", X: "time, ms", Y: "CPU"}, cells, 12, 8)
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

	f, err = Timeline(Labels{Title: "Who ran where", X: "time, us", Y: "CPU"}, []string{"0", "1", "2"}, []string{"client", "server"}, 100, 200, []Bar{
		{0, 90, 130, 0}, {0, 140, 150, 1}, {1, 100, 190, 1}, {2, 150, 150, 0}, {2, 195, 250, 0},
	})
	add("timeline", f, err)

	f, err = Matrix(Labels{Title: "Migrations between sockets", X: "to", Y: "from"}, []string{"0", "1", "2"}, [][]float64{{12, 3400, 0}, {7, 0, 55}, {1, 2, 3}})
	add("matrix", f, err)
}

func TestPictureErrors(t *testing.T) {
	row := []float64{1, 2}
	for _, tc := range []struct {
		name, want string
		make       func() (*Figure, error)
	}{
		{"no cells", "no cells", func() (*Figure, error) { return Queues(Labels{}, nil, 1, 0) }},
		{"ragged cells", "row 1 has 1 columns", func() (*Figure, error) { return Queues(Labels{}, [][]float64{row, row[:1]}, 1, 0) }},
		{"no span", "a span of 0", func() (*Figure, error) { return Queues(Labels{}, [][]float64{row}, 0, 0) }},
		{"no lines", "0 series", func() (*Figure, error) { return Lines(Labels{}) }},
		{"uneven line", "2 X and 1 Y", func() (*Figure, error) { return Lines(Labels{}, Line{Name: "a", X: row, Y: row[:1]}) }},
		{"line backwards", "point 2", func() (*Figure, error) { return Lines(Labels{}, Line{Name: "a", X: []float64{2, 1}, Y: row}) }},
		{"no sample", "want positive numbers", func() (*Figure, error) { return CDF(Labels{}, Sample{Name: "a"}) }},
		{"zero in sample", "want positive numbers", func() (*Figure, error) { return CDF(Labels{}, Sample{"a", []float64{0, 1}}) }},
		{"bar outside", "bar 0: row 1 of 1", func() (*Figure, error) {
			return Timeline(Labels{}, []string{"0"}, []string{"k"}, 0, 1, []Bar{{Row: 1}})
		}},
		{"no time", "want a span of time", func() (*Figure, error) { return Timeline(Labels{}, []string{"0"}, []string{"k"}, 1, 1, nil) }},
		{"ragged matrix", "row 0 has 2 columns", func() (*Figure, error) { return Matrix(Labels{}, []string{"0"}, [][]float64{row}) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := tc.make(); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want one with %q", err, tc.want)
			}
		})
	}
}

// BenchmarkQueues draws 160 CPUs over 2,000 columns.
func BenchmarkQueues(b *testing.B) {
	cells := make([][]float64, 160)
	for i := range cells {
		cells[i] = make([]float64, 2000)
		for j := range cells[i] {
			cells[i][j] = float64((i+j)%40) / 10
		}
	}
	for b.Loop() {
		f, err := Queues(Labels{X: "time, ms", Y: "CPU"}, cells, 10, 20)
		if err != nil {
			b.Fatal(err)
		}
		if err := f.WriteSVG(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

func ExampleLines() {
	f, err := Lines(Labels{Title: "Load"}, Line{Name: "CPU 0", X: []float64{0, 1}, Y: []float64{0, 1024}})
	fmt.Println(f, err)
	// Output: [figure: Load] <nil>
}
