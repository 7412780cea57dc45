package study

import (
	"reflect"

	"github.com/schedlab/schedlab/schedsim"
)

// addCounters adds every counter of b to a. It goes over the fields so that a
// new counter is summed as soon as there is one.
func addCounters(a *schedsim.Counters, b schedsim.Counters) {
	to, from := reflect.ValueOf(a).Elem(), reflect.ValueOf(b)
	for i := range to.NumField() {
		if to.Field(i).Kind() == reflect.Int64 {
			to.Field(i).SetInt(to.Field(i).Int() + from.Field(i).Int())
		}
	}
}
