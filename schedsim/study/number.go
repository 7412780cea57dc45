package study

import (
	"encoding/json"
	"math"
	"strconv"
)

// NotMeasured is the missing Number.
var NotMeasured = Number(math.NaN())

// Measured reports whether n holds a figure.
func (n Number) Measured() bool { return !math.IsNaN(float64(n)) }

// MarshalJSON writes a missing or infinite number as null.
func (n Number) MarshalJSON() ([]byte, error) {
	f := float64(n)
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, f, 'g', -1, 64), nil
}

// UnmarshalJSON reads null as NotMeasured.
func (n *Number) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*n = NotMeasured
		return nil
	}
	var f float64
	if err := json.Unmarshal(b, &f); err != nil {
		return err
	}
	*n = Number(f)
	return nil
}
