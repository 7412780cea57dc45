package runs

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/study"
)

// awkward are numbers that a careless writer loses digits of.
var awkward = []float64{1 / 3., 0.1 + 0.2, math.Pi * 1e12, 5e-324, math.MaxFloat64, -1e-7, 0, 123456789.123456789}

// sample is a store of runs of two workloads that have little in common.
func sample(t *testing.T) *study.Store {
	t.Helper()
	store, err := study.Open(filepath.Join(t.TempDir(), "store"))
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range awkward {
		k := study.Key{
			ModelVersion: "2", Study: "one", Machine: "m", Kernel: "v5.10", Workload: "tbench", Patches: []string{"a", "b"},
			Params:    map[string]string{"clients": "64", "class": "C"},
			Constants: map[string]float64{"work_ns": v}, Row: `sp "x", y`, Arm: study.ArmBase,
			Seed: math.MaxUint64 - uint64(i), Measure: time.Second,
		}
		r := schedsim.Result{
			Throughput: v, Unit: "MB/sec", MeasuredNS: 1 << 60, TraceHash: uint64(i), Slices: []float64{v, 2},
			Metrics: []schedsim.Metric{{Name: "throughput", Unit: "MB/sec", Value: v}, {Name: "wakeups/s", Unit: "1/s", Value: v}},
		}
		r.Counters.IdleNS = 1<<53 + 1
		if i%2 == 1 {
			k.Study, k.Reverse, k.Params = "two", true, map[string]string{"threads": "1e+08", "class": "7"}
			k.System = map[string]string{"hz": "250"}
			r.Unit, r.Metrics = "s", []schedsim.Metric{{Name: "throughput", Unit: "s", Value: v}, {Name: "latency/µs", Unit: "µs", Value: v}}
		}
		if err := store.Put(k, r); err != nil {
			t.Fatal(err)
		}
	}
	return store
}

func read(t *testing.T, keep func(study.Key) bool) *Table {
	t.Helper()
	table, err := Read(sample(t), keep)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// cell is a value as a text that tells missing from 0, and numbers by their bits.
func (c *Column) cell(row int) string {
	switch {
	case c.Text != nil && c.Text[row] != "":
		return "text " + c.Text[row]
	case c.Int != nil:
		return fmt.Sprintf("int %d", c.Int[row])
	case c.Bool != nil:
		return fmt.Sprintf("bool %v", c.Bool[row])
	case c.Num != nil && !math.IsNaN(c.Num[row]):
		return fmt.Sprintf("num %x", c.Num[row])
	}
	return "missing"
}

func TestRead(t *testing.T) {
	table := read(t, nil)
	by := make(map[string]*Column)
	for _, c := range table.Columns {
		if by[c.Name] != nil {
			t.Errorf("two columns %s", c.Name)
		}
		by[c.Name] = c
		if n := len(c.Text) + len(c.Num) + len(c.Int) + len(c.Bool); n != len(awkward) || table.Rows != n {
			t.Errorf("%s has %d rows of %d", c.Name, n, table.Rows)
		}
	}
	seen := make(map[float64]bool)
	for row := range table.Rows {
		v := by["throughput"].Num[row]
		seen[v] = true
		two := by["study"].Text[row] == "two"
		want := map[string]string{
			"seed": "", "patches": "text a,b", "row": `text sp "x", y`, "param.clients": "num 0x1p+06", "param.threads": "missing",
			"param.class": "text C", "system.hz": "missing", "metric.wakeups/s": fmt.Sprintf("num %x", v), "metric.latency/µs": "missing",
			"metric_unit.throughput": "text MB/sec", "unit": "text MB/sec", "reverse": "bool false", "measured_ns": "int 1152921504606846976",
			"counter.IdleNS": "int 9007199254740993", "constant.work_ns": fmt.Sprintf("num %x", v), "metric.throughput": fmt.Sprintf("num %x", v),
			"slices": "text " + strconv.FormatFloat(v, 'g', -1, 64) + " 2", "ablated": "missing", "measure_ns": "int 1000000000",
		}
		if two {
			want["param.clients"], want["param.threads"], want["param.class"], want["system.hz"] = "missing", fmt.Sprintf("num %x", 1e8), "text 7", fmt.Sprintf("num %x", 250.)
			want["metric.wakeups/s"], want["metric.latency/µs"] = "missing", fmt.Sprintf("num %x", v)
			want["metric_unit.throughput"], want["unit"], want["reverse"] = "text s", "text s", "bool true"
		}
		for name, text := range want {
			if c := by[name]; c == nil {
				t.Fatalf("no column %s", name)
			} else if got := c.cell(row); got != text && text != "" {
				t.Errorf("%s of a run of %s: %s, want %s", name, by["study"].Text[row], got, text)
			}
		}
		if i, err := strconv.ParseUint(by["seed"].Text[row], 10, 64); err != nil || i < math.MaxUint64-10 {
			t.Errorf("seed %s", by["seed"].Text[row])
		}
	}
	if len(seen) != len(awkward) {
		t.Errorf("throughputs %v", seen)
	}
	if by["metric.wakeups/s"].Unit != "1/s" || by["metric.throughput"].Unit != "" || by["metric_unit.wakeups/s"] != nil {
		t.Error("units")
	}
	if one := read(t, func(k study.Key) bool { return k.Study == "one" }); one.Rows != len(awkward)/2 {
		t.Errorf("%d runs of study one", one.Rows)
	}
}

// TestWriters reads every form back and compares all cells, numbers by their bits.
func TestWriters(t *testing.T) {
	table := read(t, nil)
	forms := map[string]struct {
		write func(*Table, io.Writer) error
		read  func(t *testing.T, data []byte) [][]string
	}{
		"csv":     {(*Table).WriteCSV, table.fromCSV},
		"json":    {(*Table).WriteJSON, table.fromJSON},
		"parquet": {(*Table).WriteParquet, table.fromParquet},
	}
	for name, form := range forms {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := form.write(table, &b); err != nil {
				t.Fatal(err)
			}
			got := form.read(t, b.Bytes())
			if len(got) != table.Rows {
				t.Fatalf("%d rows, want %d", len(got), table.Rows)
			}
			for row := range got {
				for i, c := range table.Columns {
					if got[row][i] != c.cell(row) {
						t.Errorf("row %d: %s is %s, want %s", row, c.Name, got[row][i], c.cell(row))
					}
				}
			}
			var again bytes.Buffer
			if err := form.write(table, &again); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
				t.Errorf("written again it is not the same; %v", err)
			}
		})
	}
}

// parse is a cell of a column from the text of a file.
func (c *Column) parse(text string) string {
	var one Column
	switch {
	case text == "":
		return "missing"
	case c.Text != nil:
		one.Text = []string{text}
	case c.Int != nil:
		v, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return err.Error()
		}
		one.Int = []int64{v}
	case c.Bool != nil:
		one.Bool = []bool{text == "true"}
	default:
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return err.Error()
		}
		one.Num = []float64{v}
	}
	return one.cell(0)
}

func (t *Table) fromCSV(test *testing.T, data []byte) [][]string {
	lines, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		test.Fatal(err)
	}
	for i, c := range t.Columns {
		if lines[0][i] != c.Name {
			test.Errorf("column %d is %s, want %s", i, lines[0][i], c.Name)
		}
	}
	var out [][]string
	for _, line := range lines[1:] {
		row := make([]string, len(line))
		for i := range line {
			row[i] = t.Columns[i].parse(line[i])
		}
		out = append(out, row)
	}
	return out
}

func (t *Table) fromJSON(test *testing.T, data []byte) [][]string {
	var list []map[string]json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		test.Fatal(err)
	}
	if lines := bytes.Count(data, []byte("\n{")); lines != t.Rows {
		test.Errorf("%d lines", lines)
	}
	var out [][]string
	for _, o := range list {
		row := make([]string, len(t.Columns))
		for i, c := range t.Columns {
			text := string(o[c.Name])
			if c.Text != nil && text != "null" {
				var s string
				if err := json.Unmarshal(o[c.Name], &s); err != nil {
					test.Fatal(err)
				}
				text = s
			} else if text == "null" {
				text = ""
			}
			row[i] = c.parse(text)
		}
		out = append(out, row)
	}
	return out
}

func (t *Table) fromParquet(test *testing.T, data []byte) [][]string {
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		test.Fatal(err)
	}
	for i, path := range f.Schema().Columns() {
		if len(path) != 1 || path[0] != t.Columns[i].Name {
			test.Errorf("column %d is %q, want %s", i, path, t.Columns[i].Name)
		}
	}
	if about, ok := f.Lookup(metadataKey); !ok || !json.Valid([]byte(about)) {
		test.Errorf("the columns are described by %q", about)
	}
	var out [][]string
	for _, g := range f.RowGroups() {
		rows := make([]parquet.Row, g.NumRows())
		if n, err := g.Rows().ReadRows(rows); n != len(rows) || err != nil && err != io.EOF {
			test.Fatalf("%d of %d rows: %v", n, len(rows), err)
		}
		for _, r := range rows {
			row := make([]string, len(t.Columns))
			for _, v := range r {
				var one Column
				switch c := t.Columns[v.Column()]; {
				case v.IsNull():
				case c.Text != nil:
					one.Text = []string{v.String()}
				case c.Int != nil:
					one.Int = []int64{v.Int64()}
				case c.Bool != nil:
					one.Bool = []bool{v.Boolean()}
				default:
					one.Num = []float64{v.Double()}
				}
				row[v.Column()] = one.cell(0)
			}
			out = append(out, row)
		}
	}
	return out
}

func TestFrame(t *testing.T) {
	table := read(t, nil)
	f := table.Frame()
	if f.Err != nil || f.Nrow() != table.Rows || f.Ncol() != len(table.Columns) {
		t.Fatalf("%d rows, %d columns, %v", f.Nrow(), f.Ncol(), f.Err)
	}
	for i, c := range table.Columns {
		s := f.Col(c.Name)
		for row := range table.Rows {
			switch {
			case c.Num != nil:
				if got := s.Elem(row).Float(); got != c.Num[row] && !(math.IsNaN(got) && math.IsNaN(c.Num[row])) {
					t.Errorf("column %d, row %d: %v, want %v", i, row, got, c.Num[row])
				}
			case c.Int != nil:
				if got, err := s.Elem(row).Int(); err != nil || int64(got) != c.Int[row] {
					t.Errorf("column %d, row %d: %v, want %v; %v", i, row, got, c.Int[row], err)
				}
			}
		}
	}
}

func TestEmpty(t *testing.T) {
	table := read(t, func(study.Key) bool { return false })
	if table.Rows != 0 || len(table.Columns) != 0 || len(table.Describe()) != 0 {
		t.Errorf("%+v", table)
	}
}

// TestManyRows takes more than are written at once, with columns that come late.
func TestManyRows(t *testing.T) {
	b := newBuilder()
	for i := range 2*rowsAtOnce + 1 {
		k := study.Key{Study: "s", Params: map[string]string{"early": "x"}}
		if i > rowsAtOnce {
			k.Params = map[string]string{"late": "1.5"}
		}
		b.add(study.StoredRun{Key: k, Result: schedsim.Result{Throughput: float64(i)}})
	}
	table := b.table()
	var out bytes.Buffer
	if err := table.WriteParquet(&out); err != nil {
		t.Fatal(err)
	}
	got := table.fromParquet(t, out.Bytes())
	if len(got) != table.Rows {
		t.Fatalf("%d rows", len(got))
	}
	for row := range got {
		for i, c := range table.Columns {
			if got[row][i] != c.cell(row) {
				t.Fatalf("row %d: %s is %s, want %s", row, c.Name, got[row][i], c.cell(row))
			}
		}
	}
}
