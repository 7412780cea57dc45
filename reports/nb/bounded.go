package nb

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// What is kept of a cell that prints or displays without end. A reader looks at
// the first lines and at the last; the bounds are on memory, which a cell that
// prints 100 MB must not take twice.
const (
	// printedHead and printedTail are the bytes that are kept of each of a
	// cell's two streams, from the begin and from the end.
	printedHead = 768 << 10
	printedTail = 256 << 10
	// displayedMost is the most bytes of displays that are kept of a cell.
	displayedMost = 64 << 20
	// displaysMost is the most displays that are kept of a cell.
	displaysMost = 10_000
)

// kept is what is kept of the outputs of one cell.
type kept struct {
	streams map[string]*printed
	// bytes and displays count what the cell displayed, and lost what of it is
	// not kept.
	bytes, displays, lost int
}

// printed is the end of a stream that is too long to be kept whole.
type printed struct {
	head int // bytes kept at the begin
	tail []byte
	lost int // bytes between the two
}

func newKept() *kept { return &kept{streams: map[string]*printed{}} }

// stream returns the part of printed text that belongs to the begin of the
// stream, and takes the rest.
func (k *kept) stream(name, text string) string {
	p := k.streams[name]
	if p == nil {
		p = &printed{}
		k.streams[name] = p
	}
	head := ""
	if room := printedHead - p.head; room > 0 && len(p.tail) == 0 {
		head = text
		if len(text) > room {
			head = text[:wholeRunes(text, room)]
		}
		p.head += len(head)
		text = text[len(head):]
		if text != "" {
			p.head = printedHead // a rune that does not fit ends the begin
		}
	}
	p.tail = append(p.tail, text...)
	if over := len(p.tail) - printedTail; over > printedTail {
		p.lost += over
		p.tail = append(p.tail[:0], p.tail[over:]...)
	}
	return head
}

// wholeRunes returns the largest length of at most n bytes at which text can be
// cut without cutting a character.
func wholeRunes(text string, n int) int {
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return n
}

// end returns the end of a stream, after a line that says what is missing
// before it, or "" where nothing is.
func (k *kept) end(name string) string {
	p := k.streams[name]
	if p == nil || len(p.tail) == 0 {
		return ""
	}
	tail, lost := string(p.tail), p.lost
	if over := len(tail) - printedTail; over > 0 {
		tail, lost = tail[over:], lost+over
	}
	if lost == 0 {
		return tail // it all fits
	}
	// Begin with a whole line, if the lines are not too long for that.
	cut := strings.IndexByte(tail, '\n') + 1
	if cut == 0 || cut > len(tail)/2 {
		for cut = 0; cut < len(tail) && !utf8.RuneStart(tail[cut]); cut++ {
		}
	}
	return fmt.Sprintf("\n[%d bytes are not kept here: the cell printed %d to %s]\n",
		lost+cut, printedHead+lost+len(tail), name) + tail[cut:]
}

// display tells whether a display of so many bytes is kept.
func (k *kept) display(bytes int) bool {
	if k.bytes+bytes > displayedMost || k.displays >= displaysMost {
		k.lost++
		return false
	}
	k.bytes += bytes
	k.displays++
	return true
}

// sizeOf is about the number of bytes that a display takes in the file.
func sizeOf(data map[string]any) int {
	n := 0
	for mime, form := range data {
		n += len(mime)
		if text, ok := form.(string); ok {
			n += len(text)
			continue
		}
		n += len(fmt.Sprint(form))
	}
	return n
}

// bound ends what was begun with kept: the ends of long streams come to the
// cell's outputs, and a note on displays that are not kept.
func (k *kept) bound(cell *Cell) {
	for _, name := range []string{"stdout", "stderr"} {
		if end := k.end(name); end != "" {
			lastStream(cell, name).Text += end
			k.streams[name] = &printed{head: printedHead}
		}
	}
	if k.lost > 0 {
		lastStream(cell, "stderr").Text += fmt.Sprintf(
			"\n[%s not kept here: a notebook keeps %d MB and %d displays of a cell]\n",
			isOrAre(k.lost, "display"), displayedMost>>20, displaysMost)
		k.lost = 0
	}
}

func isOrAre(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " is"
	}
	return fmt.Sprintf("%d %ss are", n, noun)
}

// lastStream returns the last output of a stream of the cell, which is made if
// there is none.
func lastStream(cell *Cell, name string) *Output {
	for i := len(cell.Outputs) - 1; i >= 0; i-- {
		if o := cell.Outputs[i]; o.Type == Stream && o.Name == name {
			return o
		}
	}
	o := &Output{Type: Stream, Name: name}
	cell.Outputs = append(cell.Outputs, o)
	return o
}
