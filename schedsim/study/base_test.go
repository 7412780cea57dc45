package study

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// baseFields is every field that calibration can reach. A new one must be added
// here, by someone who has made sure that it cannot carry a patched value.
var baseFields = map[string]bool{
	"Base.Study": true, "Base.Rows": true, "Base.Constants": true, "Base.Several": true,
	"BaseRow.Table": true, "BaseRow.Machine": true, "BaseRow.Kernel": true, "BaseRow.Workload": true, "BaseRow.Applied": true,
	"BaseRow.Params": true, "BaseRow.System": true, "BaseRow.Metric": true, "BaseRow.Unit": true, "BaseRow.Better": true,
	"NameValue.Name": true, "NameValue.Value": true,
	"BaseRow.Key": true, "BaseRow.Value": true, "BaseRow.Noise": true, "BaseRow.Assumed": true, "BaseRow.Fit": true,
	"BaseRow.Age": true, "BaseRow.Warmup": true, "BaseRow.Measure": true,
	"Constant.Name": true, "Constant.Unit": true, "Constant.Doc": true, "Constant.Value": true,
	"Constant.Low": true, "Constant.High": true, "Constant.Fitted": true, "Constant.Kind": true,
	"Constant.Source": true, "Constant.Workload": true, "Constant.Table": true,
}

// walkFields calls visit with every struct field that can be reached from typ.
func walkFields(typ reflect.Type, visit func(owner reflect.Type, f reflect.StructField)) {
	switch typ.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		walkFields(typ.Elem(), visit)
	case reflect.Struct:
		for i := range typ.NumField() {
			visit(typ, typ.Field(i))
			walkFields(typ.Field(i).Type, visit)
		}
	}
}

func TestBaseTypeHasNoPatchedValues(t *testing.T) {
	seen := make(map[string]bool)
	walkFields(reflect.TypeFor[Base](), func(owner reflect.Type, f reflect.StructField) {
		name := owner.Name() + "." + f.Name
		seen[name] = true
		if !baseFields[name] {
			t.Errorf("calibration can reach %s", name)
		}
		for _, word := range []string{"patch", "pct", "effect", "claim", "signif"} {
			if strings.Contains(strings.ToLower(f.Name), word) {
				t.Errorf("calibration can reach %s", name)
			}
		}
		switch f.Type.Kind() {
		case reflect.Map, reflect.Interface, reflect.Func, reflect.Chan:
			t.Errorf("%s can carry anything", name)
		}
	})
	if len(seen) != len(baseFields) {
		t.Errorf("%d fields, the list has %d", len(seen), len(baseFields))
	}
	if reflect.TypeFor[Base]().NumMethod() != 0 {
		t.Error("Base has methods, which may reach more than its fields")
	}
}

var numberInText = regexp.MustCompile(`\d+(\.\d+)?`)

func TestBaseHasNoPatchedFigures(t *testing.T) {
	for _, id := range IDs() {
		s := mustLoad(t, id)
		text := fmt.Sprintf("%+v", s.Base())
		numbers := make(map[string]bool)
		for _, n := range numberInText.FindAllString(text, -1) {
			numbers[n] = true
		}
		for _, r := range rowsOf(s) {
			if r.NotModelled != "" || !r.Base.Measured() {
				continue
			}
			for _, v := range []float64{float64(r.Patched), float64(r.Pct)} {
				for _, form := range []string{strconv.FormatFloat(v, 'f', -1, 64), fmt.Sprintf("%.2f", v)} {
					if numbers[strings.TrimPrefix(form, "-")] {
						t.Errorf("%s: %s of row %s occurs in %s", id, form, r.Key, text)
					}
				}
			}
			if !r.HeldOut && !numbers[strconv.FormatFloat(float64(r.Base), 'f', -1, 64)] && r.Base < 1e6 {
				t.Errorf("%s: base %v of row %s is missing", id, r.Base, r.Key)
			}
		}
		for _, table := range s.Tables {
			for _, patch := range table.PatchNames() {
				if !table.Reversed() && strings.Contains(text, patch) && !strings.Contains(s.ID, patch) {
					t.Errorf("%s: the patch %s is named in %s", id, patch, text)
				}
			}
		}
	}
}

// TestHeldOutRows: calibration does not see a row that is held out, which a run has.
func TestHeldOutRows(t *testing.T) {
	s := fixture(t)
	all := len(s.Base().Rows)
	held := &s.Tables[0].Rows[0]
	held.HeldOut = true
	b := s.Base()
	if len(b.Rows) != all-1 {
		t.Errorf("%d rows, want %d", len(b.Rows), all-1)
	}
	for _, r := range b.Rows {
		if r.Table == s.Tables[0].ID && r.Key == held.Key {
			t.Errorf("row %s is held out and there", r.Key)
		}
	}
	plan, err := s.Plan(ModeQuick)
	if err != nil {
		t.Fatal(err)
	}
	points, err := s.points(plan)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(points, func(p point) bool { return slices.Contains(p.cells, cellRef{0, 0}) }) {
		t.Errorf("row %s is held out and not run", held.Key)
	}
}

func TestBaseIsACopy(t *testing.T) {
	s := fixture(t)
	b := s.Base()
	b.Rows[0].Value = 1
	b.Constants[0].Value = 1
	if s.Tables[0].Rows[0].Base == 1 || s.Constants[0].Value == 1 {
		t.Error("changing the base changes the study")
	}
}

// rowsOf lists the rows of all tables.
func rowsOf(s *Study) []Row {
	var out []Row
	for _, t := range s.Tables {
		out = append(out, t.Rows...)
	}
	return out
}
