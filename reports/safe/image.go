package safe

import (
	"encoding/base64"
	"html"
	"regexp"
)

// Image returns an img element that shows a drawing which [SVG] has passed. What
// is shown as an image can neither run nor load anything in any browser, and its
// style sheet is its own.
func Image(svg []byte, alt string) string {
	return img("image/svg+xml", base64.StdEncoding.EncodeToString(svg), alt)
}

// base64Text is what base64 is made of; notebooks break its lines.
var base64Text = regexp.MustCompile(`^[A-Za-z0-9+/=\s]+$`)

// pixels are the formats of pictures that a page shows.
var pixels = map[string]bool{"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true}

// Picture returns an img element that shows a picture given as base64 text, and
// whether it is one.
func Picture(mime, data, alt string) (string, bool) {
	if !pixels[mime] || !base64Text.MatchString(data) {
		return "", false
	}
	return img(mime, data, alt), true
}

var blank = regexp.MustCompile(`\s+`)

func img(mime, data, alt string) string {
	return `<img src="data:` + mime + `;base64,` + blank.ReplaceAllString(data, "") + `" alt="` + html.EscapeString(alt) + `">`
}
