package study

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/schedlab/schedlab/schedsim"
)

// recordFormat is the version of a stored run's layout.
const recordFormat = 1

// record is the content of one file of a store.
type record struct {
	Format int             `json:"format"`
	SHA256 string          `json:"sha256"` // of Key, a newline and Result, as written
	Key    json.RawMessage `json:"key"`
	Result json.RawMessage `json:"result"`
}

func checksum(key, result []byte) string {
	h := sha256.New()
	h.Write(key)
	h.Write([]byte{'\n'})
	h.Write(result)
	return hex.EncodeToString(h.Sum(nil))
}

// encodeRecord returns the text of a stored run.
func encodeRecord(key []byte, r schedsim.Result) ([]byte, error) {
	result, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	b, err := json.Marshal(record{recordFormat, checksum(key, result), key, result})
	if err != nil {
		return nil, err
	}
	return append(b, '\n'), nil
}

// decodeRecord reads a stored run back. What is wrong with it is an error
// without a file name.
func decodeRecord(data []byte) (key []byte, r schedsim.Result, err error) {
	var rec record
	if err := json.Unmarshal(data, &rec); err != nil {
		return nil, r, fmt.Errorf("it is cut short or not a stored run (%w)", err)
	}
	if rec.Format != recordFormat {
		return nil, r, fmt.Errorf("it has format %d, this program reads %d", rec.Format, recordFormat)
	}
	if rec.SHA256 != checksum(rec.Key, rec.Result) {
		return nil, r, errors.New("its content does not have the checksum that was written with it")
	}
	if err := json.Unmarshal(rec.Result, &r); err != nil {
		return nil, schedsim.Result{}, fmt.Errorf("its result is not readable (%w)", err)
	}
	// A result that was written by a build with other counters would read
	// back with zeros for the missing ones.
	again, err := json.Marshal(r)
	if err != nil || !bytes.Equal(again, rec.Result) {
		return nil, schedsim.Result{}, errors.New("its result has other fields than this program's")
	}
	return rec.Key, r, nil
}
