package nb

import "maps"

// Attachments returns the pictures that a cell of text or raw text has with it:
// by name, which the text refers to as attachment:NAME, and by MIME type. Data is
// base64 text.
func (c *Cell) Attachments() map[string]map[string]any {
	object, _ := c.extra["attachments"].(map[string]any)
	all := make(map[string]map[string]any, len(object))
	for name, data := range object {
		if bundle, ok := data.(map[string]any); ok {
			all[name] = joinBundle(maps.Clone(bundle))
		}
	}
	return all
}
