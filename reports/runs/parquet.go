package runs

import (
	"encoding/json"
	"io"
	"math"

	"github.com/parquet-go/parquet-go"
)

// metadataKey names the description of the columns in a Parquet file: a list of
// objects with name and unit.
const metadataKey = "schedlab.columns"

// rowsAtOnce bounds the memory beside the table's own.
const rowsAtOnce = 1000

// WriteParquet writes the table as Parquet, compressed by Snappy, which every reader
// has. What is missing is null.
func (t *Table) WriteParquet(w io.Writer) error {
	about, err := json.Marshal(t.Describe())
	if err != nil {
		return err
	}
	out := parquet.NewWriter(w, t.schema(), parquet.Compression(&parquet.Snappy), parquet.KeyValueMetadata(metadataKey, string(about)))
	rows := make([]parquet.Row, 0, rowsAtOnce)
	for row := range t.Rows {
		values := make(parquet.Row, len(t.Columns))
		for i, c := range t.Columns {
			values[i] = c.parquet(row, i)
		}
		if rows = append(rows, values); len(rows) == rowsAtOnce || row == t.Rows-1 {
			if _, err := out.WriteRows(rows); err != nil {
				return err
			}
			rows = rows[:0]
		}
	}
	return out.Close()
}

// schema has the columns in their order; a parquet.Group alone sorts them.
func (t *Table) schema() *parquet.Schema {
	g := inOrder{Group: make(parquet.Group)}
	for _, c := range t.Columns {
		g.Group[c.Name] = c.node()
		g.names = append(g.names, c.Name)
	}
	return parquet.NewSchema("runs", g)
}

type inOrder struct {
	parquet.Group
	names []string
}

func (g inOrder) Fields() []parquet.Field {
	by := make(map[string]parquet.Field)
	for _, f := range g.Group.Fields() {
		by[f.Name()] = f
	}
	var out []parquet.Field
	for _, name := range g.names {
		out = append(out, by[name])
	}
	return out
}

func (c *Column) node() parquet.Node {
	switch {
	case c.Text != nil:
		return parquet.Optional(parquet.Encoded(parquet.String(), &parquet.RLEDictionary))
	case c.Int != nil:
		return parquet.Leaf(parquet.Int64Type)
	case c.Bool != nil:
		return parquet.Leaf(parquet.BooleanType)
	}
	return parquet.Optional(parquet.Leaf(parquet.DoubleType))
}

func (c *Column) parquet(row, column int) parquet.Value {
	const defined = 1 // definition level of an optional value that is there
	switch {
	case c.Text != nil && c.Text[row] != "":
		return parquet.ByteArrayValue([]byte(c.Text[row])).Level(0, defined, column)
	case c.Int != nil:
		return parquet.Int64Value(c.Int[row]).Level(0, 0, column)
	case c.Bool != nil:
		return parquet.BooleanValue(c.Bool[row]).Level(0, 0, column)
	case c.Num != nil && !math.IsNaN(c.Num[row]):
		return parquet.DoubleValue(c.Num[row]).Level(0, defined, column)
	}
	return parquet.NullValue().Level(0, 0, column)
}
