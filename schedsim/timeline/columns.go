package timeline

// Queues returns the mean number of runnable tasks, running or waiting, of each
// CPU in each of n columns of time: the first index is the CPU.
func (t *Timeline) Queues(n int) [][]float64 {
	q := make([][]float64, t.CPUs)
	cells := make([]float64, t.CPUs*n)
	for i := range q {
		q[i] = cells[i*n : (i+1)*n]
	}
	for _, spans := range [][]Span{t.Running, t.Waiting} {
		for _, s := range spans {
			t.spread(q[s.CPU], s.From, s.To)
		}
	}
	return q
}

// spread adds a time span to columns, each by the share of it that the span covers.
func (t *Timeline) spread(columns []float64, from, to int64) {
	n := len(columns)
	if t.To <= t.From || n == 0 {
		return
	}
	width := float64(t.To-t.From) / float64(n)
	a, b := float64(from-t.From)/width, float64(to-t.From)/width
	for i := int(a); i < n && float64(i) < b; i++ {
		columns[i] += min(b, float64(i+1)) - max(a, float64(i))
	}
}

// Totals returns the mean number of running and of waiting tasks in each of n
// columns.
func (t *Timeline) Totals(n int) (running, waiting []float64) {
	running, waiting = make([]float64, n), make([]float64, n)
	for _, s := range t.Running {
		t.spread(running, s.From, s.To)
	}
	for _, s := range t.Waiting {
		t.spread(waiting, s.From, s.To)
	}
	return running, waiting
}

// Wasted returns the share of CPU time in each of n columns that was idle while a
// task waited on another CPU ("A Decade of Wasted Cores", EuroSys 2016): the
// lesser of idle CPUs and waiting tasks.
func (t *Timeline) Wasted(n int) []float64 {
	running, waiting := t.Totals(n)
	wasted := make([]float64, n)
	for i := range wasted {
		wasted[i] = min(max(float64(t.CPUs)-running[i], 0), waiting[i]) / float64(max(t.CPUs, 1))
	}
	return wasted
}

// A Distance is how far apart two CPUs are.
type Distance int

// The distances, from near to far.
const (
	SameCore Distance = iota
	SameLLC
	SameNode
	SameSocket
	OtherSocket
	NumDistances
)

// String is what heads a column of the distance.
func (d Distance) String() string {
	return [...]string{"SMT sibling", "same LLC", "same node", "same socket", "other socket"}[d]
}

// Place is where a CPU is. Numbers of cores, LLCs and nodes are those of the machine,
// not of what they are in.
type Place struct{ Core, LLC, Node, Socket int }

// Distance is how far the CPUs of two places are apart: what is the nearest that they
// share.
func (a Place) Distance(b Place) Distance {
	switch {
	case a.Core == b.Core:
		return SameCore
	case a.LLC == b.LLC:
		return SameLLC
	case a.Node == b.Node && a.Socket == b.Socket:
		return SameNode
	case a.Socket == b.Socket:
		return SameSocket
	}
	return OtherSocket
}

// Distances counts the moves of each kind by how far they went; places has the
// place of each CPU.
func (t *Timeline) Distances(places []Place) (byWakeup, byBalance [NumDistances]int) {
	for _, m := range t.Moves {
		d := places[m.From].Distance(places[m.To])
		if m.Kind == ByWakeup {
			byWakeup[d]++
		} else {
			byBalance[d]++
		}
	}
	return byWakeup, byBalance
}

// Matrix counts the moves from each group of CPUs to each: group names the group of
// a CPU, 0 to n-1, such as its socket.
func (t *Timeline) Matrix(n int, group func(cpu int32) int) [][]float64 {
	m := make([][]float64, n)
	for i := range m {
		m[i] = make([]float64, n)
	}
	for _, v := range t.Moves {
		m[group(v.From)][group(v.To)]++
	}
	return m
}
