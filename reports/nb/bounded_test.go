package nb

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// printAll gives a collector text in pieces and returns what is kept of it.
func printAll(pieces ...string) string {
	cell := &Cell{}
	c := newCollector()
	c.cells["1"] = cell
	for _, p := range pieces {
		m := message{header: header{Type: "stream"}, parent: header{ID: "1"}}
		m.content.Name, m.content.Text = "stdout", p
		c.add(m)
	}
	c.finish(cell)
	if len(cell.Outputs) == 0 {
		return ""
	}
	return cell.Outputs[0].Text
}

func TestKeptWhole(t *testing.T) {
	for _, size := range []int{0, 1, printedHead - 1, printedHead, printedHead + 1, printedHead + printedTail} {
		var pieces []string
		text := strings.Repeat("0123456\n", size/8+1)[:size]
		for rest := text; rest != ""; {
			n := min(len(rest), 4096)
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		if got := printAll(pieces...); got != text {
			t.Errorf("of %d bytes %d are kept", size, len(got))
		}
	}
}

// TestKeptEnds: of what is too long both ends are kept in whole lines, and the
// note has the number of bytes.
func TestKeptEnds(t *testing.T) {
	const lineCount = 1_000_000
	var pieces []string
	total := 0
	for i := range lineCount {
		pieces = append(pieces, fmt.Sprintf("line %d\n", i))
		total += len(pieces[i])
	}
	got := printAll(pieces...)
	if len(got) > printedHead+printedTail+200 {
		t.Errorf("%d bytes are kept", len(got))
	}
	if !strings.HasPrefix(got, "line 0\nline 1\n") || !strings.HasSuffix(got, fmt.Sprintf("\nline %d\n", lineCount-1)) {
		t.Errorf("the ends are %q and %q", got[:20], got[len(got)-20:])
	}
	var lost, said int
	_, note, ok := strings.Cut(got, "\n[")
	if !ok {
		t.Fatal("there is no note")
	}
	if _, err := fmt.Sscanf(note, "%d bytes are not kept here: the cell printed %d to stdout]", &lost, &said); err != nil {
		t.Fatalf("%v in %.100q", err, note)
	}
	after := note[strings.Index(note, "]\n")+2:]
	if said != total || strings.Index(got, "\n[")+len(after)+lost != total {
		t.Errorf("the note says %d of %d bytes, want %d of %d", lost, said, total-strings.Index(got, "\n[")-len(after), total)
	}
	if !strings.HasPrefix(after, "line ") {
		t.Errorf("the end begins %.20q", after)
	}
}

// TestKeptRunes cuts in the middle of characters of several bytes.
func TestKeptRunes(t *testing.T) {
	for shift := range 4 {
		got := printAll(strings.Repeat("x", shift)+strings.Repeat("€", printedHead), strings.Repeat("€", printedHead))
		if !utf8.ValidString(got) {
			t.Errorf("shift %d: a character is cut", shift)
		}
	}
}

func TestKeptDisplays(t *testing.T) {
	cell := &Cell{}
	c := newCollector()
	c.cells["1"] = cell
	big := strings.Repeat("x", displayedMost/4)
	for range 6 {
		m := message{header: header{Type: "display_data"}, parent: header{ID: "1"}}
		m.content.Data = map[string]any{mimeText: big}
		c.add(m)
	}
	c.finish(cell)
	if n := len(cell.Outputs); n != 4 {
		t.Fatalf("%d outputs, want 3 displays and a note", n)
	}
	if note := cell.Outputs[3]; note.Name != "stderr" || !strings.Contains(note.Text, "3 displays are not kept") {
		t.Errorf("note %q", note.Text)
	}
}
