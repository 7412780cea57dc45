package nb

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// programPlace is a place in the program that the kernel made of the cells,
// as a stack trace has it after stabilize.
var programPlace = regexp.MustCompile(`\$GONB_TMP_DIR/main\.go:(\d+)`)

// addCellLines completes the stack traces that a cell left on stderr: at each
// place in the generated program it names the line of the cell. The kernel
// does so too, but misses a place that reaches it in two pieces, which on a
// busy machine is often.
//
// program is the text of the generated program; cells are those that it was
// made of, the failed one last.
func addCellLines(cell *Cell, program string, cells []*Cell) {
	lines := strings.Split(program, "\n")
	for _, o := range cell.Outputs {
		if o.Type != Stream || o.Name != "stderr" {
			continue
		}
		var b strings.Builder
		for line := range strings.Lines(o.Text) {
			at := programPlace.FindStringSubmatchIndex(line)
			if at == nil || strings.Contains(line, "[[ Cell") {
				b.WriteString(line)
				continue
			}
			n, err := strconv.Atoi(line[at[2]:at[3]])
			if err != nil || n < 1 || n > len(lines) {
				b.WriteString(line)
				continue
			}
			b.WriteString(line[:at[0]])
			if in, number := findLine(lines[n-1], cells); in != nil {
				// The kernel's own form, with colours reversed.
				fmt.Fprintf(&b, " \x1b[7m[[ Cell [%d] Line %d ]]\x1b[0m ", in.ExecutionCount, number)
			}
			b.WriteString(line[at[0]:])
		}
		o.Text = b.String()
	}
}

// findLine returns the last cell that has a line of code, and the number of
// that line in it, from 1. It returns nil where no cell has the line or the
// cell has it twice.
func findLine(code string, cells []*Cell) (*Cell, int) {
	code = strings.TrimSpace(code)
	for i := len(cells) - 1; i >= 0; i-- {
		found := 0
		for n, line := range strings.Split(cells[i].Source, "\n") {
			if strings.TrimSpace(line) != code {
				continue
			}
			if found > 0 {
				return nil, 0
			}
			found = n + 1
		}
		if found > 0 {
			return cells[i], found
		}
	}
	return nil, 0
}

// program returns the program that the kernel last made of the cells, or ""
// if there is none.
func (k *kernel) program() string {
	paths, err := filepath.Glob(filepath.Join(k.dir, "gonb_*", "main.go"))
	if err != nil || len(paths) != 1 {
		return ""
	}
	data, err := os.ReadFile(paths[0])
	if err != nil {
		return ""
	}
	return string(data)
}
