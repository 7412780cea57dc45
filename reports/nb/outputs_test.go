package nb

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func stream(parent, name, text string) message {
	return message{header: header{Type: "stream"}, parent: header{ID: parent}, content: content{Name: name, Text: text}}
}

func display(parent, kind, id, text string) message {
	m := message{header: header{Type: kind}, parent: header{ID: parent}}
	m.content.Data = map[string]any{"text/plain": text}
	m.content.Transient.DisplayID = id
	return m
}

// brief returns the outputs of a cell in a form that is easy to compare.
func brief(c *Cell) []string {
	var all []string
	for _, o := range c.Outputs {
		switch o.Type {
		case Stream:
			all = append(all, o.Name+":"+o.Text)
		case ErrorOutput:
			all = append(all, "error:"+o.ErrValue)
		default:
			text, _ := o.MIME("text/plain")
			all = append(all, "display:"+text)
		}
	}
	return all
}

func TestCollector(t *testing.T) {
	failed := message{header: header{Type: "error"}, parent: header{ID: "1"}}
	failed.content.ErrValue = "exit status 2"
	tests := []struct {
		name     string
		messages []message
		want     []string
	}{
		{"merge", []message{stream("1", "stdout", "a\n"), stream("1", "stdout", "b\n")}, []string{"stdout:a\nb\n"}},
		{"stdout-first", []message{stream("1", "stderr", "e"), stream("1", "stdout", "a"), stream("1", "stderr", "f")},
			[]string{"stdout:a", "stderr:ef"}},
		{"display-divides", []message{stream("1", "stdout", "a"), display("1", "display_data", "", "d"), stream("1", "stdout", "b")},
			[]string{"stdout:a", "display:d", "stdout:b"}},
		{"other-cell", []message{stream("2", "stdout", "a"), stream("1", "stdout", "b")}, []string{"stdout:b"}},
		{"update", []message{display("1", "display_data", "x", "old"), stream("1", "stdout", "a"),
			display("1", "update_display_data", "x", "new")}, []string{"display:new", "stdout:a"}},
		{"update-unknown", []message{display("1", "update_display_data", "x", "new")}, nil},
		{"error", []message{stream("1", "stderr", "e"), failed}, []string{"stderr:e", "error:exit status 2"}},
		{"no-output", []message{{header: header{Type: "status"}, parent: header{ID: "1"}}}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cell := &Cell{Type: Code}
			c := newCollector()
			c.cells["1"] = cell
			for _, m := range tt.messages {
				c.add(m)
			}
			if diff := cmp.Diff(tt.want, brief(cell)); diff != "" {
				t.Errorf("outputs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUpdateFromLaterCell(t *testing.T) {
	first := &Cell{Type: Code}
	c := newCollector()
	c.cells["1"], c.cells["2"] = first, &Cell{Type: Code}
	c.add(display("1", "display_data", "x", "old"))
	c.add(display("2", "update_display_data", "x", "new"))
	if diff := cmp.Diff([]string{"display:new"}, brief(first)); diff != "" {
		t.Errorf("outputs (-want +got):\n%s", diff)
	}
}

func TestStabilize(t *testing.T) {
	cell := &Cell{Outputs: []*Output{
		{Type: Stream, Text: "go: /tmp/k/gonb_0123abcd/go.work already exists\n"},
		{Type: ErrorOutput, ErrValue: "# gonb_0123abcd\n./main.go:1:1: x", Traceback: []string{"/tmp/k/gonb_0123abcd/main.go:3"}},
		{Type: DisplayData, Data: map[string]any{"text/plain": "gonb_0123abcd"}},
	}}
	stabilize(cell, "/tmp/k", nil)
	want := []string{
		":go: $GONB_TMP_DIR/go.work already exists\n",
		"error:# gonb\n./main.go:1:1: x",
		"display:gonb_0123abcd",
	}
	if diff := cmp.Diff(want, brief(cell)); diff != "" {
		t.Errorf("outputs (-want +got):\n%s", diff)
	}
	if got := cell.Outputs[1].Traceback[0]; got != "$GONB_TMP_DIR/main.go:3" {
		t.Errorf("traceback = %q", got)
	}
}
