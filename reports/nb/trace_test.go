package nb

import "testing"

func TestAddCellLines(t *testing.T) {
	const program = "package main\n\nfunc f() {\n\tpanic(1)\n}\n\nfunc main() {\n\tf()\n\tg()\n\tg()\n}\n"
	cells := []*Cell{
		{ExecutionCount: 1, Source: "func f() {\n\tpanic(1)\n}"},
		{ExecutionCount: 2, Source: "%%\nf()\ng()\ng()"},
	}
	tests := []struct{ name, stderr, want string }{
		{"this-cell", "\t$GONB_TMP_DIR/main.go:8 +0x1\n", "\t \x1b[7m[[ Cell [2] Line 2 ]]\x1b[0m $GONB_TMP_DIR/main.go:8 +0x1\n"},
		{"earlier-cell", "\t$GONB_TMP_DIR/main.go:4\n", "\t \x1b[7m[[ Cell [1] Line 2 ]]\x1b[0m $GONB_TMP_DIR/main.go:4\n"},
		{"named-already", "\t [[ Cell [9] Line 9 ]] $GONB_TMP_DIR/main.go:8\n", "\t [[ Cell [9] Line 9 ]] $GONB_TMP_DIR/main.go:8\n"},
		{"twice-in-cell", "\t$GONB_TMP_DIR/main.go:9\n", "\t$GONB_TMP_DIR/main.go:9\n"},
		{"generated", "\t$GONB_TMP_DIR/main.go:7\n", "\t$GONB_TMP_DIR/main.go:7\n"},
		{"past-the-end", "\t$GONB_TMP_DIR/main.go:99\n", "\t$GONB_TMP_DIR/main.go:99\n"},
		{"other-text", "panic: 1\n", "panic: 1\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := &Output{Type: Stream, Name: "stderr", Text: tt.stderr}
			addCellLines(&Cell{Outputs: []*Output{o}}, program, cells)
			if o.Text != tt.want {
				t.Errorf("got %q, want %q", o.Text, tt.want)
			}
		})
	}
}
