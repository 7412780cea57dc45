package study

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/schedlab/schedlab/schedsim"
)

// FuzzResult gives the two parsers what no checksum has been through.
func FuzzResult(f *testing.F) {
	result, err := json.Marshal(testResult(1.5))
	if err != nil {
		f.Fatal(err)
	}
	key, err := testKey(7).text()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(result)
	f.Add(key)
	f.Add([]byte(`{"Throughput":1e400,"Metrics":[{"Name":"\ud800"}]}`))
	f.Add([]byte(`{"params":{"a":"\u0000"},"seed":"18446744073709551615","constants":{"x":1e-320}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var plain schedsim.Result
		wantErr := json.Unmarshal(text, &plain)
		r, err := decodeResult(text)
		if err == nil && (wantErr != nil || !reflect.DeepEqual(r, plain)) {
			t.Errorf("result %+v, want %+v, %v", r, plain, wantErr)
		}
		var plainKey Key
		wantErr = json.Unmarshal(text, &plainKey)
		k, err := decodeKey(text)
		if canonical := wantErr == nil && marshalsTo(plainKey, text); canonical && (err != nil || !reflect.DeepEqual(k, plainKey)) {
			t.Errorf("key %+v, %v, want %+v", k, err, plainKey)
		}
	})
}
