package study

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"unique"

	fastjson "github.com/goccy/go-json"

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

// A newerFormatError says that a run or a store was written by a later program.
// Unlike a damaged file, it is nothing that this program may replace.
type newerFormatError struct{ format int }

func (e *newerFormatError) Error() string {
	return fmt.Sprintf("it has format %d and this program reads up to %d: use the mkreport that wrote it, or a later one, or another directory with --store", e.format, recordFormat)
}

// errOtherFields says that a file is whole, but of a build with other counters.
var errOtherFields = errors.New("its result has other fields than this program's")

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

// openRecord takes a stored run apart and verifies that it is what was written.
// What is wrong with it is an error without a file name.
func openRecord(data []byte) (key, result []byte, err error) {
	if key, result, ok := splitRecord(data); ok {
		return key, result, nil
	}
	var rec record
	if err := json.Unmarshal(data, &rec); err != nil {
		return nil, nil, fmt.Errorf("it is cut short or not a stored run (%w)", err)
	}
	switch {
	case rec.Format > recordFormat:
		return nil, nil, &newerFormatError{rec.Format}
	case rec.Format != recordFormat:
		return nil, nil, fmt.Errorf("it has format %d, this program reads %d", rec.Format, recordFormat)
	case rec.SHA256 == "":
		return nil, nil, errors.New("it has no checksum, so nothing says that it is whole")
	case rec.SHA256 != checksum(rec.Key, rec.Result):
		return nil, nil, errors.New("its content does not have the checksum that was written with it")
	}
	return rec.Key, rec.Result, nil
}

// The parts of a record's text as encodeRecord writes it.
const (
	recordHead   = `{"format":1,"sha256":"`
	recordKey    = `","key":`
	recordResult = `,"result":{`
	recordTail   = "}\n"
)

// splitRecord takes a record apart that is laid out as by encodeRecord, several
// times as fast as a parser does. A split at the wrong place would not have the
// checksum.
func splitRecord(data []byte) (key, result []byte, ok bool) {
	const sumEnd = len(recordHead) + 2*sha256.Size
	const keyStart = sumEnd + len(recordKey)
	if len(data) < keyStart || string(data[:len(recordHead)]) != recordHead || string(data[sumEnd:keyStart]) != recordKey {
		return nil, nil, false
	}
	rest, ok := bytes.CutSuffix(data[keyStart:], []byte(recordTail))
	if !ok {
		return nil, nil, false
	}
	i := bytes.LastIndex(rest, []byte(recordResult))
	if i < 0 {
		return nil, nil, false
	}
	key, result = rest[:i], rest[i+len(recordResult)-1:]
	return key, result, checksum(key, result) == string(data[len(recordHead):sumEnd])
}

// decodeRecord reads a stored run back.
func decodeRecord(data []byte) (key []byte, r schedsim.Result, err error) {
	key, result, err := openRecord(data)
	if err != nil {
		return nil, r, err
	}
	r, err = decodeResult(result)
	if err != nil {
		return nil, schedsim.Result{}, err
	}
	return key, r, nil
}

// decodeResult reads a result that must be written as this program would. One of
// a build with other counters would read back with zeros for the missing ones.
func decodeResult(text []byte) (schedsim.Result, error) {
	var r schedsim.Result
	// The fast parser need not be trusted: what it read is written again by the
	// standard library and compared.
	if fastjson.Unmarshal(text, &r) != nil || !marshalsTo(r, text) {
		r = schedsim.Result{}
		if err := json.Unmarshal(text, &r); err != nil {
			return schedsim.Result{}, fmt.Errorf("its result is not readable (%w)", err)
		}
		if !marshalsTo(r, text) {
			return schedsim.Result{}, errOtherFields
		}
	}
	// All runs have the same few names; their own copies would be half of the
	// memory that a sweep takes.
	r.Unit = intern(r.Unit)
	for i := range r.Metrics {
		m := &r.Metrics[i]
		m.Name, m.Unit = intern(m.Name), intern(m.Unit)
	}
	return r, nil
}

// decodeKey reads a key as text writes it. Fields that it does not have are empty: they
// are of a program before there was such a field. Unlike a result it is not written
// again and compared: its text has the hash that the run is known by.
func decodeKey(text []byte) (Key, error) {
	var k Key
	if fastjson.Unmarshal(text, &k) == nil {
		return k, nil
	}
	k = Key{}
	if err := json.Unmarshal(text, &k); err != nil {
		return Key{}, fmt.Errorf("its key is not readable (%w)", err)
	}
	return k, nil
}

func marshalsTo(v any, text []byte) bool {
	again, err := json.Marshal(v)
	return err == nil && bytes.Equal(again, text)
}

func intern(s string) string { return unique.Make(s).Value() }
