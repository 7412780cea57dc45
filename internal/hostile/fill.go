package hostile

import "reflect"

// Append appends text to every string that v points to, deep in structs, slices and
// maps' values, but for those of fields with a name in but and of types that leave
// reports false for. Equal strings stay equal, so that names still find what they
// name.
func Append(v any, text string, leave func(field string, t reflect.Type) bool) {
	seen := make(map[uintptr]bool)
	appendTo(reflect.ValueOf(v), text, "", leave, seen)
}

func appendTo(v reflect.Value, text, field string, leave func(string, reflect.Type) bool, seen map[uintptr]bool) {
	if v.IsValid() && leave(field, v.Type()) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || seen[v.Pointer()] {
			return
		}
		seen[v.Pointer()] = true
		appendTo(v.Elem(), text, field, leave, seen)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				appendTo(v.Field(i), text, v.Type().Field(i).Name, leave, seen)
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			appendTo(v.Index(i), text, field, leave, seen)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			if e := v.MapIndex(k); e.Kind() == reflect.String {
				v.SetMapIndex(k, reflect.ValueOf(e.String()+text).Convert(e.Type()))
			}
		}
	case reflect.String:
		if v.CanSet() && v.String() != "" {
			v.SetString(v.String() + text)
		}
	}
}
