package nb

import (
	"errors"
	"testing"
)

func TestSign(t *testing.T) {
	// The well-known test vector of HMAC-SHA256, in the four parts that a
	// message has.
	parts := [][]byte{[]byte("The quick brown "), []byte("fox jumps "), []byte("over the lazy dog"), nil}
	const want = "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8"
	if got := string(sign([]byte("key"), parts)); got != want {
		t.Errorf("sign = %s, want %s", got, want)
	}
}

func TestMessageRoundTrip(t *testing.T) {
	key := []byte("secret")
	h := header{ID: "1", Session: "s", Type: "stream"}
	frames, err := encodeMessage(key, h, map[string]string{"name": "stdout", "text": "<x>\n"})
	if err != nil {
		t.Fatal(err)
	}
	frames = append([][]byte{[]byte("identity")}, frames...)
	m, err := decodeMessage(key, frames)
	if err != nil {
		t.Fatal(err)
	}
	if m.header != h || m.content.Name != "stdout" || m.content.Text != "<x>\n" {
		t.Errorf("got %+v", m)
	}
}

func TestDecodeMessageErrors(t *testing.T) {
	key := []byte("secret")
	good, err := encodeMessage(key, header{ID: "1"}, struct{}{})
	if err != nil {
		t.Fatal(err)
	}
	t.Run("no-delimiter", func(t *testing.T) {
		if _, err := decodeMessage(key, good[1:]); err == nil {
			t.Error("no error")
		}
	})
	t.Run("too-few", func(t *testing.T) {
		if _, err := decodeMessage(key, good[:4]); err == nil {
			t.Error("no error")
		}
	})
	t.Run("other-key", func(t *testing.T) {
		if _, err := decodeMessage([]byte("guess"), good); !errors.Is(err, errSignature) {
			t.Errorf("error %v, want %v", err, errSignature)
		}
	})
	t.Run("changed", func(t *testing.T) {
		changed := append([][]byte{}, good...)
		changed[5] = []byte(`{"status":"ok"}`)
		if _, err := decodeMessage(key, changed); !errors.Is(err, errSignature) {
			t.Errorf("error %v, want %v", err, errSignature)
		}
	})
}

// FuzzDecodeMessage checks that no content of a signed message makes the
// decoder panic.
func FuzzDecodeMessage(f *testing.F) {
	f.Add([]byte(`{"msg_id": "1"}`), []byte(`{}`), []byte(`{"data": {"text/plain": "x"}, "traceback": []}`))
	f.Add([]byte(`{`), []byte(`null`), []byte(`[]`))
	f.Fuzz(func(t *testing.T, head, parent, content []byte) {
		key := []byte("secret")
		parts := [][]byte{head, parent, []byte("{}"), content}
		frames := append([][]byte{delimiter, sign(key, parts)}, parts...)
		m, err := decodeMessage(key, frames)
		if err != nil {
			return
		}
		c := newCollector()
		c.cells[m.parent.ID] = &Cell{Type: Code}
		c.add(m)
	})
}
