package dialect

import "errors"

// A Found is a table inside a longer text.
type Found struct {
	Table *Table
	// Quote is what stands before each line, such as "> ".
	Quote string
	// First and Last are the lines of header and rows, from 1.
	First, Last int
}

// FindMMTests returns the tables in a text, quoted ("> ") or not, in order.
// The text must be decoded: a quoted-printable mail has "=3D" and broken lines
// where its table was. A table that cannot be read is an error with filename
// and line; the others are returned with it.
func FindMMTests(text, filename string) ([]Found, error) {
	lines, quotes := unquote(text)
	var found []Found
	var errs []error
	start := 0 // lines before it belong to the table before
	for i := 0; i < len(lines); {
		if !looksLikeRow(lines[i].text, false) {
			i++
			continue
		}
		end := i + 1
		for end < len(lines) && quotes[end] == quotes[i] && looksLikeRow(lines[end].text, false) && sameShape(lines[i].text, lines[end].text) {
			end++
		}
		top := i
		for top > start && quotes[top-1] == quotes[i] && !isBlank(lines[top-1].text) {
			top--
		}
		b := block{file: filename, rows: lines[i:end]}
		b.header, b.caption = splitHeader(lines[top:i])
		if i-top != len(b.header)+1 {
			b.caption = "" // a paragraph, not a caption
		}
		t, err := b.parse()
		if err != nil {
			errs = append(errs, err)
			i, start = end, end
			continue
		}
		found = append(found, Found{
			Table: t,
			Quote: quotes[i],
			First: lines[i].n - len(b.header),
			Last:  lines[end-1].n,
		})
		i, start = end, end
	}
	return found, errors.Join(errs...)
}

// sameShape reports whether two rows can be of one table.
func sameShape(a, b string) bool {
	x, errX := scanRow(a)
	y, errY := scanRow(b)
	// A row that cannot be read stays with its table, whose error it is.
	return errX != nil || errY != nil || (x.compare == y.compare && len(x.cells) == len(y.cells))
}
