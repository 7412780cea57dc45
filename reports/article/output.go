package article

import (
	"encoding/base64"
	"regexp"
	"strings"

	"github.com/schedlab/schedlab/reports/nb"
)

// MIME types of outputs.
const (
	mimeText     = "text/plain"
	mimeHTML     = "text/html"
	mimeMarkdown = "text/markdown"
	mimeSVG      = "image/svg+xml"
	mimePNG      = "image/png"
	mimeJPEG     = "image/jpeg"
	mimeGIF      = "image/gif"
)

// extensions are the file name extensions of pictures.
var extensions = map[string]string{mimeSVG: ".svg", mimePNG: ".png", mimeJPEG: ".jpg", mimeGIF: ".gif"}

// pictureTypes are those of pictures, the best first.
var pictureTypes = []string{mimeSVG, mimePNG, mimeJPEG, mimeGIF}

// hasPicture tells whether an output is a picture.
func hasPicture(o *nb.Output) bool {
	for _, mime := range pictureTypes {
		if _, ok := o.MIME(mime); ok {
			return true
		}
	}
	return false
}

// altOf says what a picture shows, as far as its text says more than its type
// does.
func altOf(o *nb.Output) string {
	text, _ := o.MIME(mimeText)
	text = strings.Join(strings.Fields(plain(text)), " ")
	const most = 300 // characters: the summary of a machine is longer
	if r := []rune(text); len(r) > most {
		text = string(r[:most-3]) + "..."
	}
	if text == "" || strings.HasPrefix(text, "<") {
		return "figure without a description"
	}
	return strings.TrimSuffix(strings.TrimPrefix(text, "[figure: "), "]")
}

// decode returns the bytes of base64 text, which notebooks break into lines.
func decode(text string) ([]byte, error) {
	return base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
}

var (
	tags    = regexp.MustCompile(`<[^<>]*>`)
	visible = regexp.MustCompile(`(?i)<(?:img|svg|hr|progress|meter)\b`)
)

// shows tells whether HTML that package safe has passed still shows anything.
func shows(fragment string) bool {
	return visible.MatchString(fragment) || strings.TrimSpace(tags.ReplaceAllString(fragment, "")) != ""
}

// nothingShown is a note for an output of which no form can be shown here.
func nothingShown(o *nb.Output) string {
	var types []string
	for mime := range o.Data {
		types = append(types, mime)
	}
	return "output that cannot be shown here: " + joinSorted(types)
}
