package overlay

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/schedlab/schedlab/reports/measured"
	"github.com/schedlab/schedlab/schedsim/study"
)

// caseParam is the parameter that package measured puts a table's row in, where the
// row has a statistic too.
const caseParam = "case"

// matches reports whether a series is of a row, by the package's rule without the
// explicit map.
func matches(r measured.Series, labels []string, t *study.Table, row *study.Row) bool {
	if name, ok := r.Params[caseParam]; ok {
		return isKey(name, row.Key)
	}
	command, commands := r.Params[commandParam]
	if _, ok := r.Params[kernelParam]; ok && !commands { // a table without statistics
		return isKey(r.Name, row.Key)
	}
	if strings.EqualFold(r.Name, row.Key) {
		return agrees(r, row.Params)
	}
	if v, ok := rowParam(r, t); ok {
		return sameValue(v, row.Key) && agrees(r, row.Params)
	}
	if len(row.Params) > 0 && has(r, row.Params) {
		return true
	}
	if !commands {
		return false
	}
	for name, v := range r.Params {
		if name != commandParam && name != kernelParam && !slices.Contains(labels, v) && isKey(v, row.Key) {
			return true
		}
	}
	return slices.ContainsFunc(strings.Fields(command), func(w string) bool {
		return isKey(path.Base(w), row.Key)
	})
}

// isKey reports whether a name is a key, whole or before one of its dots.
func isKey(name, key string) bool {
	name = strings.TrimSpace(name)
	if strings.EqualFold(name, key) || sameValue(name, key) {
		return true
	}
	return !isNumber(name) && len(name) > len(key) && name[len(key)] == '.' && strings.EqualFold(name[:len(key)], key)
}

func isNumber(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

// sameValue compares numbers as numbers.
func sameValue(a, b string) bool {
	if a == b {
		return true
	}
	x, err1 := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return err1 == nil && err2 == nil && x == y
}

// rowParam is the value of the parameter that the table's rows count, by the name of
// the parameter or of the rows.
func rowParam(r measured.Series, t *study.Table) (string, bool) {
	for _, name := range []string{t.RowParam, t.RowName} {
		if name == "" {
			continue
		}
		for _, k := range slices.Sorted(maps.Keys(r.Params)) {
			if singular(k) == singular(name) {
				return r.Params[k], true
			}
		}
	}
	return "", false
}

func singular(s string) string { return strings.TrimSuffix(strings.ToLower(s), "s") }

// has reports whether a series has every one of the parameters, with their values.
func has(r measured.Series, params map[string]string) bool {
	for k, v := range params {
		got, ok := r.Params[k]
		if !ok || !sameValue(got, v) {
			return false
		}
	}
	return true
}

// agrees reports whether a series has none of the parameters with another value.
func agrees(r measured.Series, params map[string]string) bool {
	for k, v := range params {
		if got, ok := r.Params[k]; ok && !sameValue(got, v) {
			return false
		}
	}
	return true
}

// statistic reports whether a series is of the statistic that a table is of, where
// its own table has several.
func statistic(r measured.Series, t *study.Table) bool {
	_, ok := r.Params[caseParam]
	return !ok || t.Statistic == "" || strings.EqualFold(r.Name, t.Statistic)
}
