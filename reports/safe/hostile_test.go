package safe_test

import (
	"strings"
	"testing"

	"github.com/schedlab/schedlab/internal/hostile"
	"github.com/schedlab/schedlab/reports/safe"
)

// TestHostile puts texts where HTML has content, values of attributes and styles.
func TestHostile(t *testing.T) {
	for _, v := range hostile.Vectors {
		for _, where := range []string{"$", "<p>$</p>", `<p title="$">x</p>`, `<a href="$">x</a>`, `<img src="$">`, `<p style="color:$">x</p>`, `<svg><text fill="$">$</text></svg>`, "<!-- $", "<pre>$"} {
			if found := hostile.Fragment([]byte(safe.HTML(strings.ReplaceAll(where, "$", v.Text)))); len(found) > 0 {
				t.Errorf("%s %q in %s: %s", v.Class, v.Text, where, strings.Join(found[:min(len(found), 3)], "\n"))
			}
		}
	}
}
