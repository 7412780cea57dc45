package nb

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

const durationType = "time.Duration"

// bits are the sizes of the numeric types: negative for signed whole numbers,
// positive for unsigned ones.
var bits = map[string]int{
	"int": -64, "int8": -8, "int16": -16, "int32": -32, "int64": -64, "rune": -32,
	"uint": 64, "uint8": 8, "uint16": 16, "uint32": 32, "uint64": 64, "byte": 8,
}

// settable tells whether goValue makes values of a type.
func settable(kind string) bool {
	kind = strings.TrimPrefix(kind, "[]")
	switch kind {
	case "string", "bool", "float64", "float32", durationType:
		return true
	}
	return bits[kind] != 0
}

// goValue returns the Go source of a value of a type that is given as text: a
// slice as a list with commas, a text as it is, a duration as Go writes it.
func goValue(kind, text string) (string, error) {
	if element, ok := strings.CutPrefix(kind, "[]"); ok {
		var values []string
		if text != "" {
			for item := range strings.SplitSeq(text, ",") {
				if element != "string" {
					item = strings.TrimSpace(item)
				}
				value, err := goValue(element, item)
				if err != nil {
					return "", err
				}
				values = append(values, value)
			}
		}
		return kind + "{" + strings.Join(values, ", ") + "}", nil
	}
	wrong := func(want string) (string, error) {
		return "", fmt.Errorf("%q is no %s; give %s", text, kind, want)
	}
	switch kind {
	case "string":
		return strconv.Quote(text), nil
	case "bool":
		if text != "true" && text != "false" {
			return wrong("true or false")
		}
		return text, nil
	case durationType:
		d, err := time.ParseDuration(text)
		if err != nil {
			return wrong("a time such as 300ms")
		}
		return goDuration(d), nil
	case "float64", "float32":
		size := 64
		if kind == "float32" {
			size = 32
		}
		f, err := strconv.ParseFloat(text, size)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return wrong("a finite number such as 0.5")
		}
		return strconv.FormatFloat(f, 'g', -1, size), nil
	}
	size := bits[kind]
	if size < 0 {
		i, err := strconv.ParseInt(text, 0, -size)
		if err != nil {
			least := int64(math.MinInt64) >> (64 + size)
			return wrong(fmt.Sprintf("a whole number from %d to %d", least, -(least + 1)))
		}
		return strconv.FormatInt(i, 10), nil
	}
	u, err := strconv.ParseUint(text, 0, size)
	if err != nil {
		return wrong(fmt.Sprintf("a whole number from 0 to %d", uint64(math.MaxUint64)>>(64-size)))
	}
	return strconv.FormatUint(u, 10), nil
}

// goDuration is a duration in Go, in the largest unit that it is a multiple of.
func goDuration(d time.Duration) string {
	for _, unit := range []struct {
		size time.Duration
		name string
	}{{time.Hour, "Hour"}, {time.Minute, "Minute"}, {time.Second, "Second"}, {time.Millisecond, "Millisecond"},
		{time.Microsecond, "Microsecond"}, {time.Nanosecond, "Nanosecond"}} {
		if d != 0 && d%unit.size == 0 {
			return fmt.Sprintf("%d * time.%s", int64(d/unit.size), unit.name)
		}
	}
	return "0"
}
