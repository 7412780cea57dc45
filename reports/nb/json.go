package nb

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
	"strconv"
	"unicode/utf8"

	"github.com/schedlab/schedlab/internal/input"
)

// decodeJSON reads the one JSON value in data. Numbers stay json.Number, so
// that fields which are only carried along come out as they went in. The
// error starts with line and column.
func decodeJSON(data []byte) (any, error) {
	if bad := invalidUTF8(data); bad >= 0 {
		return nil, fmt.Errorf("%s: not UTF-8 text", position(data, int64(bad)))
	}
	if err := input.CheckJSON(data, maxDepth, maxValues); err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		var syntax *json.SyntaxError
		switch {
		case errors.As(err, &syntax):
			return nil, fmt.Errorf("%s: %w", position(data, syntax.Offset-1), err)
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return nil, fmt.Errorf("%s: the file ends too early", position(data, int64(len(data))))
		}
		return nil, fmt.Errorf("%s: %w", position(data, dec.InputOffset()), err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: more text after the notebook", position(data, dec.InputOffset()))
	}
	return v, nil
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// position returns the "line:column" of the byte at offset, both counted
// from 1.
func position(data []byte, offset int64) string {
	before := data[:min(max(offset, 0), int64(len(data)))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Sprintf("%d:%d", line, column)
}

// appendJSON appends v as nbformat writes it: keys sorted, one space of
// indent a level, text left as it is (neither HTML nor U+2028 is escaped,
// both of which encoding/json insists on).
func appendJSON(buf []byte, v any, depth int) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(buf, "null"...), nil
	case bool:
		return strconv.AppendBool(buf, v), nil
	case int:
		return strconv.AppendInt(buf, int64(v), 10), nil
	case json.Number:
		return append(buf, v...), nil
	case string:
		return appendString(buf, v), nil
	case []string:
		list := make([]any, len(v))
		for i, s := range v {
			list[i] = s
		}
		return appendJSON(buf, list, depth)
	case []any:
		return appendArray(buf, v, depth)
	case map[string]any:
		return appendObject(buf, v, depth)
	}
	// Anything else was put there by a caller: let encoding/json say what it
	// is, then write that.
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	plain, err := decodeJSON(data)
	if err != nil {
		return nil, err
	}
	return appendJSON(buf, plain, depth)
}

func appendArray(buf []byte, list []any, depth int) ([]byte, error) {
	if len(list) == 0 {
		return append(buf, "[]"...), nil
	}
	buf = append(buf, '[')
	var err error
	for i, item := range list {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = appendIndent(buf, depth+1)
		if buf, err = appendJSON(buf, item, depth+1); err != nil {
			return nil, err
		}
	}
	return append(appendIndent(buf, depth), ']'), nil
}

func appendObject(buf []byte, object map[string]any, depth int) ([]byte, error) {
	if len(object) == 0 {
		return append(buf, "{}"...), nil
	}
	keys := make([]string, 0, len(object))
	for key := range object {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	buf = append(buf, '{')
	var err error
	for i, key := range keys {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = appendIndent(buf, depth+1)
		buf = append(appendString(buf, key), ": "...)
		if buf, err = appendJSON(buf, object[key], depth+1); err != nil {
			return nil, fmt.Errorf("%q: %w", key, err)
		}
	}
	return append(appendIndent(buf, depth), '}'), nil
}

func appendIndent(buf []byte, depth int) []byte {
	buf = append(buf, '\n')
	for range depth {
		buf = append(buf, ' ')
	}
	return buf
}

// appendString quotes s with the escapes that Python's json uses when it may
// write other than ASCII.
func appendString(buf []byte, s string) []byte {
	const hex = "0123456789abcdef"
	buf = append(buf, '"')
	for _, r := range s {
		switch r {
		case '"', '\\':
			buf = append(buf, '\\', byte(r))
		case '\n':
			buf = append(buf, `\n`...)
		case '\r':
			buf = append(buf, `\r`...)
		case '\t':
			buf = append(buf, `\t`...)
		case '\b':
			buf = append(buf, `\b`...)
		case '\f':
			buf = append(buf, `\f`...)
		default:
			if r < 0x20 {
				buf = append(buf, `\u00`...)
				buf = append(buf, hex[r>>4], hex[r&0xf])
				continue
			}
			buf = utf8.AppendRune(buf, r)
		}
	}
	return append(buf, '"')
}
