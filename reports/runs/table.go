// Package runs lays out stored runs as one table for other programs: pandas, R, a
// spreadsheet, or a gota frame in a notebook.
//
// The table is wide, a row a run and a column a figure, which is what filtering,
// grouping and plotting start from; melt and pivot_longer make it long. Numbers are
// written with all their digits. What a run does not have is missing, never 0.
package runs

import (
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/study"
)

// A Table is runs as columns of equal length.
type Table struct {
	Rows    int
	Columns []*Column
}

// A Column is one of the four kinds; the slices of the others are nil.
type Column struct {
	Name string
	// Unit is that of all values, or empty if there is none or it differs.
	Unit string
	Text []string  // "" is missing
	Num  []float64 // NaN is missing
	Int  []int64
	Bool []bool
}

// The prefixes of columns that not every run has, and of the counters.
const (
	paramPrefix    = "param."
	systemPrefix   = "system."
	constantPrefix = "constant."
	metricPrefix   = "metric."
	unitPrefix     = "metric_unit."
	counterPrefix  = "counter."
)

// Read makes a table of the store's runs that keep holds for, of all if it is nil, in
// the order of their hashes:
//
//	run                    hash of all that determines it; its file's name
//	model_version, study, machine, machine_hash, kernel, workload, row, arm
//	kernel_patches, patches, ablated   names, with a comma between
//	reverse                whether the base arm is the one with the patches
//	seed                   in decimal, as a text: many programs have 53 bits only
//	age_ns, warmup_ns, measure_ns      simulated times, as asked for
//	throughput, unit       the workload's own figure of merit
//	measured_ns            simulated time that it was taken over
//	slices                 throughput of parts of that time, with spaces between
//	socket0_share          mean share of runnable tasks on socket 0
//	total_events           of the simulator
//	trace_hash             of every scheduling decision
//	param.*, system.*      settings of the workload, of machine and kernel
//	constant.*             constants of the model
//	metric.*               see schedsim.BuiltinMetrics and the workloads
//	metric_unit.*          the unit, of metrics that have several
//	counter.*              fields of schedsim.Counters
//
// Settings that are numbers in all runs are numbers. The error is of the store.
func Read(store *study.Store, keep func(study.Key) bool) (*Table, error) {
	b := newBuilder()
	err := store.Each(func(r study.StoredRun) error {
		if keep == nil || keep(r.Key) {
			b.add(r)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return b.table(), nil
}

// A builder collects columns. Those that have not had a value for a while are filled
// up when they get one, or at the end.
type builder struct {
	rows  int
	fixed map[string]*Column
	order []string
	// Columns that not every run has, by name without the prefix.
	params, system, constants, metrics, units group
	counters                                  []*Column
}

// A group is columns by name, in the order in which they came up.
type group struct {
	prefix string
	by     map[string]*Column
	names  []string
}

func newBuilder() *builder {
	b := &builder{
		fixed:  make(map[string]*Column),
		params: newGroup(paramPrefix), system: newGroup(systemPrefix), constants: newGroup(constantPrefix),
		metrics: newGroup(metricPrefix), units: newGroup(unitPrefix),
	}
	for f := range reflect.TypeFor[schedsim.Counters]().Fields() {
		c := &Column{Name: counterPrefix + f.Name}
		if strings.HasSuffix(f.Name, "NS") {
			c.Unit = "ns"
		}
		b.counters = append(b.counters, c)
	}
	return b
}

func newGroup(prefix string) group {
	return group{prefix: prefix, by: make(map[string]*Column)}
}

func (g *group) column(name string) *Column {
	c := g.by[name]
	if c == nil {
		c = &Column{Name: g.prefix + name}
		g.by[name] = c
		g.names = append(g.names, name)
	}
	return c
}

// add appends a run.
func (b *builder) add(run study.StoredRun) {
	k, r := run.Key, run.Result
	b.text("run", run.Hash)
	b.text("model_version", k.ModelVersion)
	b.text("study", k.Study)
	b.text("machine", k.Machine)
	b.text("machine_hash", k.MachineHash)
	b.text("kernel", k.Kernel)
	b.text("kernel_patches", strings.Join(k.KernelPatches, ","))
	b.text("patches", strings.Join(k.Patches, ","))
	c := b.column("reverse")
	c.Bool = append(c.Bool, k.Reverse)
	b.text("ablated", strings.Join(k.Ablated, ","))
	b.text("workload", k.Workload)
	b.text("row", k.Row)
	b.text("arm", k.Arm)
	b.text("seed", strconv.FormatUint(k.Seed, 10))
	b.int("age_ns", "ns", int64(k.Age))
	b.int("warmup_ns", "ns", int64(k.Warmup))
	b.int("measure_ns", "ns", int64(k.Measure))
	b.num("throughput", r.Throughput)
	b.text("unit", r.Unit)
	b.int("measured_ns", "ns", r.MeasuredNS)
	b.text("slices", spaced(r.Slices))
	b.num("socket0_share", r.SocketShare)
	b.int("total_events", "", r.TotalEvents)
	b.text("trace_hash", "0x"+hex16(r.TraceHash))
	for name, v := range k.Params {
		b.params.column(name).putText(b.rows, v)
	}
	for name, v := range k.System {
		b.system.column(name).putText(b.rows, v)
	}
	for name, v := range k.Constants {
		b.constants.column(name).putNum(b.rows, v)
	}
	for _, m := range r.Metrics {
		b.metrics.column(m.Name).putNum(b.rows, m.Value)
		b.units.column(m.Name).putText(b.rows, m.Unit)
	}
	counters := reflect.ValueOf(r.Counters)
	for i, c := range b.counters {
		c.Int = append(c.Int, counters.Field(i).Int())
	}
	b.rows++
}

// hex16 has all sixteen digits, so that no program takes it for a number.
func hex16(n uint64) string {
	s := strconv.FormatUint(n, 16)
	return strings.Repeat("0", 16-len(s)) + s
}

func spaced(values []float64) string {
	var b []byte
	for i, v := range values {
		if i > 0 {
			b = append(b, ' ')
		}
		b = strconv.AppendFloat(b, v, 'g', -1, 64)
	}
	return string(b)
}

// column is one that every run has.
func (b *builder) column(name string) *Column {
	c := b.fixed[name]
	if c == nil {
		c = &Column{Name: name}
		b.fixed[name] = c
		b.order = append(b.order, name)
	}
	return c
}

func (b *builder) text(name, v string) {
	c := b.column(name)
	c.Text = append(c.Text, v)
}

func (b *builder) num(name string, v float64) {
	c := b.column(name)
	c.Num = append(c.Num, v)
}

func (b *builder) int(name, unit string, v int64) {
	c := b.column(name)
	c.Unit = unit
	c.Int = append(c.Int, v)
}

// putText sets the value of a row; those before it that have none are missing. Of two
// values of one row the last counts.
func (c *Column) putText(row int, v string) {
	for len(c.Text) <= row {
		c.Text = append(c.Text, "")
	}
	c.Text[row] = v
}

func (c *Column) putNum(row int, v float64) {
	for len(c.Num) <= row {
		c.Num = append(c.Num, math.NaN())
	}
	c.Num[row] = v
}

// fill makes a column of so many rows.
func (c *Column) fill(rows int) {
	if c.Text != nil && len(c.Text) < rows {
		c.putText(rows-1, "")
	}
	if c.Num != nil && len(c.Num) < rows {
		c.putNum(rows-1, math.NaN())
	}
}

// table puts the columns in order.
func (b *builder) table() *Table {
	t := &Table{Rows: b.rows}
	for _, name := range b.order {
		t.Columns = append(t.Columns, b.fixed[name])
	}
	for _, g := range []*group{&b.params, &b.system, &b.constants} {
		slices.Sort(g.names) // they came in a map's order
		for _, name := range g.names {
			c := g.by[name]
			c.fill(b.rows)
			c.toNumbers()
			t.Columns = append(t.Columns, c)
		}
	}
	for _, name := range b.metrics.names {
		c, unit := b.metrics.by[name], b.units.by[name]
		c.fill(b.rows)
		unit.fill(b.rows)
		t.Columns = append(t.Columns, c)
		if c.Unit = only(unit.Text); c.Unit == "" {
			t.Columns = append(t.Columns, unit)
		}
	}
	if b.rows > 0 {
		t.Columns = append(t.Columns, b.counters...)
	}
	return t
}

// toNumbers makes a text column of numbers one of numbers.
func (c *Column) toNumbers() {
	if c.Text == nil {
		return
	}
	nums := make([]float64, len(c.Text))
	for i, text := range c.Text {
		nums[i] = math.NaN()
		if text == "" {
			continue
		}
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return
		}
		nums[i] = v
	}
	c.Text, c.Num = nil, nums
}

// only is the one text that there is beside missing ones, or empty if there are
// several.
func only(texts []string) string {
	one := ""
	for _, t := range texts {
		switch {
		case t == "" || t == one:
		case one == "":
			one = t
		default:
			return ""
		}
	}
	return one
}
