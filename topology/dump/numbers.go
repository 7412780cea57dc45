package dump

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// parseCount reads a number of parts.
func parseCount(s string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil || n < 0 || n > 1<<20 {
		return 0, fmt.Errorf("%q is no count, give a whole number", short(s))
	}
	return n, nil
}

// parseDecimal reads a decimal with a point, or with the comma that lscpu
// prints under many locales.
func parseDecimal(s string) (float64, error) {
	s = strings.TrimSpace(s)
	text := s
	if strings.Count(s, ",") == 1 && !strings.Contains(s, ".") {
		text = strings.Replace(s, ",", ".", 1)
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || v < 0 || v > 1e12 {
		return 0, fmt.Errorf("%q is no number, correct it", short(s))
	}
	return v, nil
}

// parseMHz reads a frequency above 0 and below 100 GHz.
func parseMHz(s string) (*float64, error) {
	v, err := parseDecimal(s)
	if err != nil || v > 1e5 {
		return nil, fmt.Errorf("%q is no frequency in MHz, correct it", short(s))
	}
	if v == 0 {
		return nil, nil // not known to the kernel
	}
	return &v, nil
}

var sizePattern = regexp.MustCompile(`^([0-9]+(?:[.,][0-9]+)?)\s*([KMGT]?)(i?B)?$`)

// size is a number of bytes as a tool prints it.
type size struct {
	bytes int64
	// rounded says that the text has a fraction, which is cut to one digit.
	rounded bool
	// spaced says that the text has the long unit, as in "512 KiB".
	spaced bool
	// unit is whether there is a unit at all: lscpu -B prints none.
	unit bool
}

// parseSize reads "32K", "512 KiB", "1.5 MiB", "1,5 MiB" or "1048576".
func parseSize(s string) (size, error) {
	m := sizePattern.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return size{}, fmt.Errorf("%q is no size, give one such as 512 KiB", short(s))
	}
	v, err := parseDecimal(m[1])
	if err != nil {
		return size{}, err
	}
	factor := map[string]float64{"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}[m[2]]
	if v*factor > 1<<50 {
		return size{}, fmt.Errorf("%q is too large for a cache, correct it", short(s))
	}
	return size{
		bytes:   int64(math.Round(v * factor)),
		rounded: strings.ContainsAny(m[1], ".,"),
		spaced:  strings.HasSuffix(m[3], "iB"),
		unit:    m[2] != "" || m[3] != "",
	}, nil
}

// collapse trims a text and makes every run of blanks one.
func collapse(s string) string { return strings.Join(strings.Fields(s), " ") }
