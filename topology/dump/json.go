package dump

import (
	"encoding/json"
	"fmt"
	"strings"
)

// maxDepth bounds nesting: lscpu nests 4 deep.
const maxDepth = 32

// jsonValue is a JSON value and the line on which it starts.
type jsonValue struct {
	line   int
	text   string // string, number or literal
	null   bool
	array  []jsonValue
	keys   []string // of an object, in order
	fields map[string]jsonValue
}

// jsonReader reads the JSON of lscpu, which is not always JSON: a missing value
// can be a bare dash (util-linux issues 3430 and 3758), and a number can have a
// decimal comma (pull request 1323). encoding/json takes neither, and gives no
// lines.
type jsonReader struct {
	name string
	data []byte
	pos  int
	line int
	n    int // values so far
}

func readJSON(name string, data []byte) (jsonValue, error) {
	r := &jsonReader{name: name, data: data, line: 1}
	v, err := r.value(0)
	if err != nil {
		return jsonValue{}, err
	}
	if r.space(); r.pos < len(r.data) {
		return jsonValue{}, r.errorf("text follows the JSON, remove it")
	}
	return v, nil
}

func (r *jsonReader) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", r.name, r.line, fmt.Sprintf(format, args...))
}

func (r *jsonReader) space() {
	for r.pos < len(r.data) {
		switch r.data[r.pos] {
		case '\n':
			r.line++
		case ' ', '\t', '\r':
		default:
			return
		}
		r.pos++
	}
}

// peek returns the next byte after blanks, 0 at the end.
func (r *jsonReader) peek() byte {
	r.space()
	if r.pos < len(r.data) {
		return r.data[r.pos]
	}
	return 0
}

func (r *jsonReader) expect(c byte) error {
	switch got := r.peek(); got {
	case c:
		r.pos++
		return nil
	case 0:
		return r.errorf("the JSON ends too early, copy the whole output")
	default:
		return r.errorf("found %q where %q belongs, correct the JSON", got, c)
	}
}

func (r *jsonReader) value(depth int) (jsonValue, error) {
	c := r.peek()
	v := jsonValue{line: r.line}
	if depth > maxDepth {
		return v, r.errorf("the JSON is nested more than %d deep, this is no output of lscpu", maxDepth)
	}
	if r.n++; r.n > maxValues {
		return v, r.errorf("the JSON has more than %d values, this is no output of lscpu", maxValues)
	}
	switch {
	case c == '{':
		return r.object(v, depth)
	case c == '[':
		return r.list(v, depth)
	case c == '"':
		var err error
		v.text, err = r.str()
		return v, err
	case c == 0:
		return v, r.errorf("the JSON ends too early, copy the whole output")
	}
	start := r.pos
	for r.pos < len(r.data) && r.inToken() {
		r.pos++
	}
	switch v.text = string(r.data[start:r.pos]); {
	case v.text == "":
		return v, r.errorf("found %q where a value belongs, correct the JSON", c)
	case v.text == "-" || v.text == "null":
		v.text, v.null = "", true
	}
	return v, nil
}

// inToken tells whether the next byte belongs to a number or literal. A comma
// does if a digit follows it at once: between two values of an object there is
// always a quote or a new line.
func (r *jsonReader) inToken() bool {
	c := r.data[r.pos]
	if c == ',' && r.pos+1 < len(r.data) {
		next := r.data[r.pos+1]
		return next >= '0' && next <= '9'
	}
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '+' || c == '.'
}

func (r *jsonReader) str() (string, error) {
	start := r.pos
	for r.pos++; r.pos < len(r.data); r.pos++ {
		switch r.data[r.pos] {
		case '\\':
			r.pos++
		case '\n':
			return "", r.errorf("a text is not closed by a quote, correct the JSON")
		case '"':
			r.pos++
			var s string
			if err := json.Unmarshal(r.data[start:r.pos], &s); err != nil {
				return "", r.errorf("the text %s is no JSON string, correct it", short(string(r.data[start:r.pos])))
			}
			return s, nil
		}
	}
	return "", r.errorf("the JSON ends inside a text, copy the whole output")
}

func (r *jsonReader) list(v jsonValue, depth int) (jsonValue, error) {
	v.array = []jsonValue{}
	r.pos++
	if r.peek() == ']' {
		r.pos++
		return v, nil
	}
	for {
		item, err := r.value(depth + 1)
		if err != nil {
			return v, err
		}
		v.array = append(v.array, item)
		if r.peek() == ',' {
			r.pos++
			continue
		}
		return v, r.expect(']')
	}
}

func (r *jsonReader) object(v jsonValue, depth int) (jsonValue, error) {
	v.fields = make(map[string]jsonValue)
	r.pos++
	if r.peek() == '}' {
		r.pos++
		return v, nil
	}
	for {
		if r.peek() != '"' {
			return v, r.expect('"')
		}
		key, err := r.str()
		if err != nil {
			return v, err
		}
		if err := r.expect(':'); err != nil {
			return v, err
		}
		item, err := r.value(depth + 1)
		if err != nil {
			return v, err
		}
		key = strings.TrimSpace(key)
		if _, ok := v.fields[key]; ok {
			return v, r.errorf("the key %q occurs twice in one object, correct the JSON", short(key))
		}
		v.keys = append(v.keys, key)
		v.fields[key] = item
		if r.peek() == ',' {
			r.pos++
			continue
		}
		return v, r.expect('}')
	}
}
