package nb

import (
	"encoding/json"
	"errors"
	"fmt"
)

// fields takes the fields out of a JSON object one by one. The first one that
// is missing or of the wrong kind is kept in err, and what was not asked for
// is in rest.
type fields struct {
	object map[string]any
	asked  []string
	err    error
}

func (f *fields) get(key string) (any, bool) {
	f.asked = append(f.asked, key)
	v, ok := f.object[key]
	return v, ok
}

func (f *fields) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf(format, args...)
	}
}

// text takes text, which the format also allows as a list of lines.
func (f *fields) text(key string) string {
	v, ok := f.get(key)
	if !ok {
		f.fail("%s is missing", key)
		return ""
	}
	s, ok := joinLines(v)
	if !ok {
		f.fail("%s is %s, want text or a list of lines", key, kind(v))
	}
	return s
}

func (f *fields) optionalText(key string) string {
	if _, ok := f.object[key]; !ok {
		return ""
	}
	return f.text(key)
}

func (f *fields) number(key string) int {
	v, ok := f.get(key)
	if !ok {
		f.fail("%s is missing", key)
		return 0
	}
	n, err := wholeNumber(v)
	if err != nil {
		f.fail("%s %w", key, err)
	}
	return n
}

// count takes an execution count: null and missing are 0.
func (f *fields) count(key string) int {
	if f.object[key] == nil {
		f.get(key)
		return 0
	}
	return f.number(key)
}

func (f *fields) list(key string) []any {
	v, ok := f.get(key)
	if !ok {
		f.fail("%s is missing", key)
		return nil
	}
	l, ok := v.([]any)
	if !ok {
		f.fail("%s is %s, want a list", key, kind(v))
	}
	return l
}

func (f *fields) optionalList(key string) []any {
	if f.object[key] == nil {
		f.get(key)
		return nil
	}
	return f.list(key)
}

func (f *fields) optionalObject(key string) map[string]any {
	v, _ := f.get(key)
	if v == nil {
		return nil
	}
	object, ok := v.(map[string]any)
	if !ok {
		f.fail("%s is %s, want an object", key, kind(v))
	}
	return object
}

func (f *fields) rest() map[string]any {
	for _, key := range f.asked {
		delete(f.object, key)
	}
	return f.object
}

func wholeNumber(v any) (int, error) {
	number, ok := v.(json.Number)
	if !ok {
		return 0, fmt.Errorf("is %s, want a number", kind(v))
	}
	n, err := number.Int64()
	if err != nil || int64(int(n)) != n {
		return 0, errors.New("is not a whole number: " + number.String())
	}
	return int(n), nil
}

// kind names a JSON value's kind for an error.
func kind(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "true or false"
	case json.Number:
		return "a number"
	case string:
		return "text"
	case []any:
		return "a list"
	}
	return "an object"
}
