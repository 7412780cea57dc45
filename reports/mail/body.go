package mail

import (
	"bytes"
	"mime"
	"mime/multipart"
	"net/mail"
	"strings"
)

// A Body is the place of one text in a mail: the bytes from Start to End of the
// data, still in their transfer encoding.
type Body struct {
	Start, End int
	Encoding   string // "7bit", "8bit", "quoted-printable", "base64"
	Flowed     bool   // format=flowed
}

// Bodies returns the texts of a mail where they stand, or the whole of a file
// that has no header. A mail whose header or parts cannot be read has none.
func Bodies(data []byte) []Body {
	start := HeaderEnd(data)
	if start == 0 {
		return []Body{{End: len(data), Encoding: "8bit"}}
	}
	msg, err := mail.ReadMessage(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	return bodies(data, start, len(data), msg.Header.Get, 0)
}

func bodies(data []byte, start, end int, header func(string) string, depth int) []Body {
	media, params, err := mime.ParseMediaType(header("Content-Type"))
	if err != nil {
		media, params = "text/plain", nil
	}
	if strings.HasPrefix(media, "multipart/") && depth <= maxDepth {
		return nested(data, start, end, params["boundary"], depth)
	}
	if !strings.HasPrefix(media, "text/") {
		return nil
	}
	encoding := strings.ToLower(strings.TrimSpace(header("Content-Transfer-Encoding")))
	if encoding == "" {
		encoding = "7bit"
	}
	return []Body{{start, end, encoding, strings.EqualFold(params["format"], "flowed")}}
}

func nested(data []byte, start, end int, boundary string, depth int) []Body {
	var all []Body
	r := multipart.NewReader(bytes.NewReader(data[start:end]), boundary)
	at := start
	for {
		sub, err := r.NextRawPart()
		if err != nil {
			return all // at the end, or where it cannot be read on
		}
		var b bytes.Buffer
		if _, err := b.ReadFrom(sub); err != nil {
			return all
		}
		i := bytes.Index(data[at:end], b.Bytes())
		if i < 0 {
			return all
		}
		at += i
		all = append(all, bodies(data, at, at+b.Len(), sub.Header.Get, depth+1)...)
		at += b.Len()
	}
}
