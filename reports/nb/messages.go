package nb

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
)

// The Jupyter messaging protocol, as far as running cells needs it:
// https://jupyter-client.readthedocs.io/en/stable/messaging.html

// protocolVersion is the version of the protocol that is spoken.
const protocolVersion = "5.4"

// delimiter separates the routing identities from the message.
var delimiter = []byte("<IDS|MSG>")

// header identifies a message; the header of the request comes back in each
// message that the request caused.
type header struct {
	ID       string `json:"msg_id"`
	Username string `json:"username"`
	Session  string `json:"session"`
	Type     string `json:"msg_type"`
	Version  string `json:"version"`
	Date     string `json:"date"`
}

// message is what was received.
type message struct {
	header  header
	parent  header
	content content
}

// content holds the fields of all the contents that are looked at; each
// message type fills some.
type content struct {
	ExecutionState string         `json:"execution_state"` // status
	Name           string         `json:"name"`            // stream
	Text           string         `json:"text"`            // stream
	Data           map[string]any `json:"data"`            // display_data, ...
	Metadata       map[string]any `json:"metadata"`        // display_data, ...
	Transient      struct {
		DisplayID string `json:"display_id"`
	} `json:"transient"` // display_data, update_display_data
	ExecutionCount int      `json:"execution_count"` // execute_result, execute_reply
	Status         string   `json:"status"`          // execute_reply
	ErrName        string   `json:"ename"`           // error
	ErrValue       string   `json:"evalue"`          // error
	Traceback      []string `json:"traceback"`       // error
}

// errSignature says that a message is not from the kernel.
var errSignature = errors.New("wrong signature")

// executeRequest is the content of an execute_request.
type executeRequest struct {
	Code            string            `json:"code"`
	Silent          bool              `json:"silent"`
	StoreHistory    bool              `json:"store_history"`
	UserExpressions map[string]string `json:"user_expressions"`
	AllowStdin      bool              `json:"allow_stdin"`
	StopOnError     bool              `json:"stop_on_error"`
}

// encodeMessage returns the frames of a request, signed with key.
func encodeMessage(key []byte, h header, content any) ([][]byte, error) {
	head, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(content)
	if err != nil {
		return nil, err
	}
	parts := [][]byte{head, []byte("{}"), []byte("{}"), body}
	return append([][]byte{delimiter, sign(key, parts)}, parts...), nil
}

// sign returns the signature frame for a header, parent header, metadata and
// content: HMAC-SHA256 in hexadecimal.
func sign(key []byte, parts [][]byte) []byte {
	mac := hmac.New(sha256.New, key)
	for _, part := range parts {
		mac.Write(part)
	}
	return hex.AppendEncode(nil, mac.Sum(nil))
}

// decodeMessage reads the frames of a message. One that is not signed with
// key fails with errSignature.
func decodeMessage(key []byte, frames [][]byte) (message, error) {
	var m message
	start := -1
	for i, frame := range frames {
		if bytes.Equal(frame, delimiter) {
			start = i + 1
			break
		}
	}
	if start < 0 {
		return m, errors.New("no " + string(delimiter) + " frame")
	}
	frames = frames[start:]
	const fixed = 5 // signature, header, parent header, metadata, content
	if len(frames) < fixed {
		return m, fmt.Errorf("%d frames, want %d", len(frames), fixed)
	}
	parts := frames[1:fixed]
	if !hmac.Equal(frames[0], sign(key, parts)) {
		return m, errSignature
	}
	if err := json.Unmarshal(parts[0], &m.header); err != nil {
		return m, fmt.Errorf("header: %w", err)
	}
	if err := json.Unmarshal(parts[1], &m.parent); err != nil {
		return m, fmt.Errorf("parent header: %w", err)
	}
	dec := json.NewDecoder(bytes.NewReader(parts[3]))
	dec.UseNumber()
	if err := dec.Decode(&m.content); err != nil {
		return m, fmt.Errorf("content of %s: %w", m.header.Type, err)
	}
	return m, nil
}
